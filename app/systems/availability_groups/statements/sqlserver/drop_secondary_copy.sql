/*
name: drop_secondary_copy
purpose: take the copy of a database at a secondary out of its group and drop it; never a database that is open
access: change
runs at: secondary
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-database-transact-sql-set-hadr.md; MicrosoftDocs/sql-docs:docs/t-sql/statements/drop-database-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
SET @text = N'ALTER DATABASE ' + QUOTENAME(@database_name) + N' SET HADR OFF;';
IF EXISTS (SELECT 1
           FROM sys.databases AS databases
           JOIN sys.dm_hadr_availability_replica_states AS states ON states.replica_id = databases.replica_id
           JOIN sys.availability_groups AS groups ON groups.group_id = states.group_id
           WHERE databases.name = @database_name AND groups.name = @group_name AND states.is_local = 1
                 AND states.role_desc = N'SECONDARY')
    EXEC sys.sp_executesql @stmt = @text;
SET @text = N'DROP DATABASE ' + QUOTENAME(@database_name) + N';';
-- A copy outside its group is in state 1, RESTORING; anything else is somebody's database.
IF EXISTS (SELECT 1
           FROM sys.databases AS databases
           WHERE databases.name = @database_name AND databases.replica_id IS NULL AND databases.state = 1)
    EXEC sys.sp_executesql @stmt = @text;
