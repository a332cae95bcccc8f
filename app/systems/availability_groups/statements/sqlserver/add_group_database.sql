/*
name: add_group_database
purpose: take a database into a group at its primary, unless it is in one
access: change
runs at: primary
database: master
permission: ALTER AVAILABILITY GROUP on the group, or ALTER ANY AVAILABILITY GROUP; db_owner in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns:
  is_primary int -- 0 where another server is primary now and nothing was done
  is_expected int -- 0 where it was in a group, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-availability-group-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @is_primary int, @is_expected int;
SELECT @is_primary = COUNT(*)
FROM sys.availability_groups AS groups
JOIN sys.dm_hadr_availability_replica_states AS states ON states.group_id = groups.group_id
WHERE groups.name = @group_name AND states.is_local = 1 AND states.role_desc = N'PRIMARY';
SELECT @is_expected = COUNT(*)
WHERE @is_primary = 0
   OR EXISTS (SELECT 1 FROM sys.databases AS databases WHERE databases.name = @database_name AND databases.replica_id IS NULL);
SET @text = N'ALTER AVAILABILITY GROUP ' + QUOTENAME(@group_name) + N' ADD DATABASE ' + QUOTENAME(@database_name) + N';';
IF @is_primary = 1 AND @is_expected = 1
    EXEC sys.sp_executesql @stmt = @text;
SELECT @is_primary AS is_primary, @is_expected AS is_expected;
