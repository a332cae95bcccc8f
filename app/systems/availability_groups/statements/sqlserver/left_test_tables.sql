/*
name: left_test_tables
purpose: whose test tables of this program stand in a database
access: read
runs at: primary
database: master
permission: VIEW DEFINITION in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database
columns:
  table_name sysname <word> -- name of a source table, which ends with its session
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-tables-transact-sql.md; own test tables
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
DECLARE @left TABLE (table_name sysname);
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
SELECT tables.name
FROM sys.tables AS tables
WHERE tables.schema_id = SCHEMA_ID(N''dbo'') AND tables.name LIKE N''Replitune source %'';';
INSERT INTO @left (table_name)
    EXEC sys.sp_executesql @stmt = @text;
SELECT table_name FROM @left ORDER BY table_name;
