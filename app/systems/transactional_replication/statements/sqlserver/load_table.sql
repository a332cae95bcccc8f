/*
name: load_table
purpose: whether the test table exists in the publication database and is published
access: read
runs at: publisher
database: publication
permission: db_owner in the database
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  is_published int -- 1 where it is an article; no row where the table does not exist
client-owned:
  dbo.ReplituneLoad (id bigint, amount int, payload char(1000)) -- test table, an article of the publication
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-tables-transact-sql.md
*/
SELECT CAST(tables.is_published AS int) AS is_published
FROM sys.tables AS tables
WHERE tables.object_id = OBJECT_ID(N'dbo.ReplituneLoad');
