/*
name: seeding_requirements_secondary
purpose: what must hold at the secondary before a database can be seeded to it
access: read
runs at: secondary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns:
  free_bytes bigint? [bytes] -- free space of the volume new databases go to
  is_there int -- 1 where a database of this name exists
  seeded_before int -- 1 where the group has made a database here: GRANT CREATE ANY DATABASE itself cannot be read
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-volume-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-automatic-seeding.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/serverproperty-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @seeded_before int, @folder nvarchar(260);
SET @folder = CAST(SERVERPROPERTY(N'InstanceDefaultDataPath') AS nvarchar(260));
SET @text = N'SELECT @seeded_before = COUNT(*)
FROM sys.dm_hadr_automatic_seeding AS seeding
JOIN sys.availability_groups AS groups ON groups.group_id = seeding.ag_id
WHERE groups.name = @group_name AND seeding.is_source = 0 AND CAST(seeding.current_state AS nvarchar(60)) = N''COMPLETED'';';
IF OBJECT_ID(N'sys.dm_hadr_automatic_seeding') IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text, @params = N'@group_name sysname, @seeded_before int OUTPUT',
         @group_name = @group_name, @seeded_before = @seeded_before OUTPUT;
SELECT (SELECT TOP (1) volumes.available_bytes
        FROM sys.master_files AS files
        CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes
        ORDER BY CASE WHEN LEFT(@folder, LEN(volumes.volume_mount_point)) = volumes.volume_mount_point
                      THEN LEN(volumes.volume_mount_point) ELSE 0 END DESC) AS free_bytes,
       CASE WHEN DB_ID(@database_name) IS NULL THEN 0 ELSE 1 END AS is_there,
       CASE WHEN @seeded_before > 0 THEN 1 ELSE 0 END AS seeded_before;
