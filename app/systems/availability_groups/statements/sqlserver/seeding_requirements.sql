/*
name: seeding_requirements
purpose: what must hold before a database can be seeded, as the primary knows it
access: read
runs at: primary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION; VIEW DATABASE STATE in the database; SELECT on msdb.dbo.backupset
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns:
  used_kb bigint? [KiB] -- data in use; NULL where the database is not there
  recovery_model_desc nvarchar? <word> -- FULL, BULK_LOGGED or SIMPLE
  last_full_backup_utc datetime? -- end of the newest full backup its log backups build on; NULL for none
  free_bytes bigint? [bytes] -- smallest free space of the volumes of its files
  other_seedings int [count] -- seedings of the group in flight
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-db-file-space-usage-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/backupset-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-database-recovery-status-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-automatic-seeding.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @used_kb bigint, @other_seedings int;
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
SELECT @used_kb = SUM(usage.allocated_extent_page_count) * 8 FROM sys.dm_db_file_space_usage AS usage;';
IF EXISTS (SELECT 1 FROM sys.databases AS databases WHERE databases.name = @database_name AND databases.state = 0)
    EXEC sys.sp_executesql @stmt = @text, @params = N'@used_kb bigint OUTPUT', @used_kb = @used_kb OUTPUT;
-- Before SQL Server 2016 there is no such view, and no seeding.
SET @text = N'SELECT @other_seedings = COUNT(*)
FROM sys.dm_hadr_automatic_seeding AS seeding
JOIN sys.availability_groups AS groups ON groups.group_id = seeding.ag_id
WHERE groups.name = @group_name AND seeding.completion_time IS NULL;';
IF OBJECT_ID(N'sys.dm_hadr_automatic_seeding') IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text, @params = N'@group_name sysname, @other_seedings int OUTPUT',
         @group_name = @group_name, @other_seedings = @other_seedings OUTPUT;
SELECT @used_kb AS used_kb,
       (SELECT databases.recovery_model_desc FROM sys.databases AS databases WHERE databases.name = @database_name) AS recovery_model_desc,
       (SELECT DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), MAX(backups.backup_finish_date))
        FROM msdb.dbo.backupset AS backups
        JOIN sys.database_recovery_status AS recovery ON recovery.database_id = DB_ID(@database_name)
        WHERE backups.database_name = @database_name AND backups.type = 'D' AND backups.is_copy_only = 0
              AND recovery.last_log_backup_lsn IS NOT NULL) AS last_full_backup_utc,
       (SELECT MIN(volumes.available_bytes)
        FROM sys.master_files AS files
        CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes
        WHERE files.database_id = DB_ID(@database_name)) AS free_bytes,
       ISNULL(@other_seedings, 0) AS other_seedings;
