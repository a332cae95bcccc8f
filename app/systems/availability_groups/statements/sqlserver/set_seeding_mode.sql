/*
name: set_seeding_mode
purpose: give one replica another seeding mode, at the primary only and only where it is the expected one; automatic again starts the seedings that are missing
access: change
runs at: primary
database: master
permission: ALTER AVAILABILITY GROUP on the group, or ALTER ANY AVAILABILITY GROUP
versions: SQL Server 2016 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @replica_server nvarchar <server> -- server of the replica
  @again int -- 1 sends it also where the mode is this one already
  @mode nvarchar <word> -- AUTOMATIC or MANUAL; any other is left alone
  @expected nvarchar? <word> -- mode it must have, NULL for any
columns:
  is_primary int -- 0 where another server is primary now and nothing was done
  is_expected int -- 0 where another value stood there, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-availability-group-transact-sql.md; MicrosoftDocs/sql-docs:docs/database-engine/availability-groups/windows/automatic-seeding-secondary-replicas.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @is_primary int, @is_expected int;
SELECT @is_primary = COUNT(*)
FROM sys.availability_groups AS groups
JOIN sys.dm_hadr_availability_replica_states AS states ON states.group_id = groups.group_id
WHERE groups.name = @group_name AND states.is_local = 1 AND states.role_desc = N'PRIMARY';
SELECT @is_expected = COUNT(*)
WHERE @expected IS NULL OR @is_primary = 0
   OR EXISTS (SELECT 1
              FROM sys.availability_groups AS groups
              JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
              WHERE groups.name = @group_name AND replicas.replica_server_name = @replica_server
                    AND replicas.seeding_mode_desc = @expected);
SET @text = N'ALTER AVAILABILITY GROUP ' + QUOTENAME(@group_name) + N' MODIFY REPLICA ON N' + QUOTENAME(@replica_server, N'''')
          + N' WITH (SEEDING_MODE = ' + CASE WHEN @mode = N'AUTOMATIC' THEN N'AUTOMATIC' ELSE N'MANUAL' END + N')';
IF @is_primary = 1 AND @is_expected = 1 AND @mode IN (N'AUTOMATIC', N'MANUAL')
   AND EXISTS (SELECT 1
               FROM sys.availability_groups AS groups
               JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
               WHERE groups.name = @group_name AND replicas.replica_server_name = @replica_server
                     AND (replicas.seeding_mode_desc <> @mode OR @again = 1))
    EXEC sys.sp_executesql @stmt = @text;
SELECT @is_primary AS is_primary, @is_expected AS is_expected;
