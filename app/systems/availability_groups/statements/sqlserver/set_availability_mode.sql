/*
name: set_availability_mode
purpose: give one replica another availability mode, at the primary only and only where it is the expected one
access: change
runs at: primary
database: master
permission: ALTER AVAILABILITY GROUP on the group, or ALTER ANY AVAILABILITY GROUP
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @replica_server nvarchar <server> -- server of the replica
  @mode nvarchar <word> -- SYNCHRONOUS_COMMIT or ASYNCHRONOUS_COMMIT; any other is left alone
  @expected nvarchar? <word> -- mode it must have, NULL for any
columns:
  is_primary int -- 0 where another server is primary now and nothing was done
  is_expected int -- 0 where another value stood there, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-availability-group-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @is_primary int, @is_expected int;
SELECT @is_primary = COUNT(*)
FROM sys.availability_groups AS groups
JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
JOIN sys.dm_hadr_availability_replica_states AS states ON states.replica_id = replicas.replica_id
WHERE groups.name = @group_name AND states.is_local = 1 AND states.role_desc = N'PRIMARY';
SELECT @is_expected = COUNT(*)
WHERE @expected IS NULL OR @is_primary = 0
   OR EXISTS (SELECT 1
              FROM sys.availability_groups AS groups
              JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
              WHERE groups.name = @group_name AND replicas.replica_server_name = @replica_server
                    AND replicas.availability_mode_desc = @expected);
SET @text = N'ALTER AVAILABILITY GROUP ' + QUOTENAME(@group_name) + N' MODIFY REPLICA ON N' + QUOTENAME(@replica_server, N'''')
          + N' WITH (AVAILABILITY_MODE = ' + CASE WHEN @mode = N'SYNCHRONOUS_COMMIT' THEN N'SYNCHRONOUS_COMMIT' ELSE N'ASYNCHRONOUS_COMMIT' END + N')';
IF @is_primary = 1 AND @is_expected = 1 AND @mode IN (N'SYNCHRONOUS_COMMIT', N'ASYNCHRONOUS_COMMIT')
   AND EXISTS (SELECT 1
               FROM sys.availability_groups AS groups
               JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
               WHERE groups.name = @group_name AND replicas.replica_server_name = @replica_server
                     AND replicas.availability_mode_desc <> @mode)
    EXEC sys.sp_executesql @stmt = @text;
SELECT @is_primary AS is_primary, @is_expected AS is_expected;
