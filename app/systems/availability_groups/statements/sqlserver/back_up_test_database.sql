/*
name: back_up_test_database
purpose: take the first full backup of the test database, into nothing: without one it cannot join a group
access: change
runs at: primary
database: master
permission: BACKUP DATABASE in the test database
versions: SQL Server 2012 and later
form: batch
limit: 21600 s
parameters:
  @database_name sysname <database> -- name of the database, begins with 'Replitune'; any other is left alone
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/backup-transact-sql.md; own test database
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
SET @text = N'BACKUP DATABASE ' + QUOTENAME(@database_name) + N' TO DISK = N''NUL'';';
IF @database_name LIKE N'Replitune%' AND DB_ID(@database_name) IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text;
