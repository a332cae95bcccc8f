/*
name: clear_test_destination
purpose: empty the destination table of a commit-mode experiment
access: change
runs at: primary
database: master
permission: ALTER on schema dbo of the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database
  @owner nvarchar <word> -- whose tables, the end of their names
columns: none
client-owned: none
source: own test tables; MicrosoftDocs/sql-docs:docs/t-sql/statements/truncate-table-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
TRUNCATE TABLE dbo.' + QUOTENAME(N'Replitune destination ' + @owner) + N';';
EXEC sys.sp_executesql @stmt = @text;
