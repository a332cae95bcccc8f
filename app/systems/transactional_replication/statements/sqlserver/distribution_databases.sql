/*
name: distribution_databases
purpose: names of the distribution databases of a Distributor; 'distribution' is only the default name
access: read
runs at: distributor
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  distribution_db sysname <database> -- database name
  is_in_group int -- 1 where it stands in an availability group
  is_writable int -- 0 where it can be read at most, as a secondary replica's
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/databasepropertyex-transact-sql.md
*/
SELECT db.name AS distribution_db,
       CASE WHEN db.group_database_id IS NULL THEN 0 ELSE 1 END AS is_in_group,
       CASE WHEN CONVERT(nvarchar(128), DATABASEPROPERTYEX(db.name, 'Updateability')) = N'READ_WRITE' THEN 1 ELSE 0 END AS is_writable
FROM sys.databases AS db
WHERE db.is_distributor = 1
ORDER BY db.name;
