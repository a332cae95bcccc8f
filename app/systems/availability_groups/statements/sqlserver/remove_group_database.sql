/*
name: remove_group_database
purpose: take a database out of a group at its primary, where it is in this one
access: change
runs at: primary
database: master
permission: ALTER AVAILABILITY GROUP on the group, or ALTER ANY AVAILABILITY GROUP
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns:
  is_primary int -- 0 where another server is primary now and nothing was done
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-availability-group-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @is_primary int;
SELECT @is_primary = COUNT(*)
FROM sys.availability_groups AS groups
JOIN sys.dm_hadr_availability_replica_states AS states ON states.group_id = groups.group_id
WHERE groups.name = @group_name AND states.is_local = 1 AND states.role_desc = N'PRIMARY';
SET @text = N'ALTER AVAILABILITY GROUP ' + QUOTENAME(@group_name) + N' REMOVE DATABASE ' + QUOTENAME(@database_name) + N';';
IF @is_primary = 1
   AND EXISTS (SELECT 1
               FROM sys.databases AS databases
               JOIN sys.availability_databases_cluster AS members ON members.group_database_id = databases.group_database_id
               JOIN sys.availability_groups AS groups ON groups.group_id = members.group_id
               WHERE databases.name = @database_name AND groups.name = @group_name)
    EXEC sys.sp_executesql @stmt = @text;
SELECT @is_primary AS is_primary;
