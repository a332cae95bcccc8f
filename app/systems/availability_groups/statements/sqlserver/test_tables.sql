/*
name: test_tables
purpose: which of this program's test tables stand in a database, and how many rows they have
access: read
runs at: primary
database: master
permission: VIEW DATABASE STATE in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database
  @owner nvarchar <word> -- whose tables, the end of their names
columns:
  tables int [count] -- how many of the three there are
  source_rows bigint [rows] -- rows of the source table
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-tables-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-db-partition-stats-transact-sql.md; own test tables
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @tables int, @source_rows bigint;
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
SELECT @tables = COUNT(*)
FROM sys.tables AS tables
WHERE tables.schema_id = SCHEMA_ID(N''dbo'')
  AND tables.name IN (N''Replitune source '' + @owner, N''Replitune destination '' + @owner, N''Replitune tracer '' + @owner);
SELECT @source_rows = SUM(stats.row_count)
FROM sys.tables AS tables
JOIN sys.dm_db_partition_stats AS stats ON stats.object_id = tables.object_id
WHERE tables.schema_id = SCHEMA_ID(N''dbo'') AND tables.name = N''Replitune source '' + @owner AND stats.index_id IN (0, 1);';
IF DB_ID(@database_name) IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text, @params = N'@owner nvarchar(100), @tables int OUTPUT, @source_rows bigint OUTPUT',
         @owner = @owner, @tables = @tables OUTPUT, @source_rows = @source_rows OUTPUT;
SELECT ISNULL(@tables, 0) AS tables, ISNULL(@source_rows, 0) AS source_rows;
