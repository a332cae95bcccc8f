/*
name: drop_test_tables
purpose: drop this program's test tables from a database, those that are there
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
source: own test tables; MicrosoftDocs/sql-docs:docs/t-sql/statements/drop-table-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @source nvarchar(260), @destination nvarchar(260), @tracer nvarchar(260);
SET @source = N'dbo.' + QUOTENAME(N'Replitune source ' + @owner);
SET @destination = N'dbo.' + QUOTENAME(N'Replitune destination ' + @owner);
SET @tracer = N'dbo.' + QUOTENAME(N'Replitune tracer ' + @owner);
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
IF OBJECT_ID(@source, N''U'') IS NOT NULL DROP TABLE ' + @source + N';
IF OBJECT_ID(@destination, N''U'') IS NOT NULL DROP TABLE ' + @destination + N';
IF OBJECT_ID(@tracer, N''U'') IS NOT NULL DROP TABLE ' + @tracer + N';';
IF DB_ID(@database_name) IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text, @params = N'@source nvarchar(260), @destination nvarchar(260), @tracer nvarchar(260)',
         @source = @source, @destination = @destination, @tracer = @tracer;
