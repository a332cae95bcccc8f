/*
name: make_test_tables
purpose: make the source, destination and tracer tables of a commit-mode experiment, those that are not there
access: change
runs at: primary
database: master
permission: CREATE TABLE in the database and ALTER on its schema dbo
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database
  @owner nvarchar <word> -- whose tables, the end of their names
columns: none
client-owned: none
source: own test tables; MicrosoftDocs/sql-docs:docs/t-sql/statements/create-table-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @source nvarchar(260), @destination nvarchar(260), @tracer nvarchar(260);
SET @source = N'dbo.' + QUOTENAME(N'Replitune source ' + @owner);
SET @destination = N'dbo.' + QUOTENAME(N'Replitune destination ' + @owner);
SET @tracer = N'dbo.' + QUOTENAME(N'Replitune tracer ' + @owner);
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
IF OBJECT_ID(@source) IS NULL CREATE TABLE ' + @source + N' (id bigint NOT NULL PRIMARY KEY, payload char(1000) NOT NULL);
IF OBJECT_ID(@destination) IS NULL CREATE TABLE ' + @destination + N' (id bigint NOT NULL, payload char(1000) NOT NULL);
IF OBJECT_ID(@tracer) IS NULL CREATE TABLE ' + @tracer + N' (started_utc datetime2(7) NOT NULL, finished_utc datetime2(7) NOT NULL,
    inserts int NOT NULL, rows_inserted bigint NOT NULL);';
EXEC sys.sp_executesql @stmt = @text, @params = N'@source nvarchar(260), @destination nvarchar(260), @tracer nvarchar(260)',
     @source = @source, @destination = @destination, @tracer = @tracer;
