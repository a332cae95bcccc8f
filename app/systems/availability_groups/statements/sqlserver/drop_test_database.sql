/*
name: drop_test_database
purpose: drop the test database at one server, where it is and in no group, with its backup history
access: change
runs at: replica
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
limit: 1800 s
parameters:
  @database_name sysname <database> -- name of the database, begins with 'Replitune'; any other is left alone
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/drop-database-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-delete-database-backuphistory-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @state int;
SELECT @state = databases.state
FROM sys.databases AS databases
WHERE databases.name = @database_name AND databases.name LIKE N'Replitune%' AND databases.replica_id IS NULL;
SET @text = CASE WHEN @state = 0 THEN N'ALTER DATABASE ' + QUOTENAME(@database_name) + N' SET SINGLE_USER WITH ROLLBACK IMMEDIATE; ' ELSE N'' END
          + N'DROP DATABASE ' + QUOTENAME(@database_name) + N';';
IF @state IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text;
IF @database_name LIKE N'Replitune%' AND DB_ID(@database_name) IS NULL
    EXEC msdb.dbo.sp_delete_database_backuphistory @database_name = @database_name;
