/*
name: database_files
purpose: where the files of a database are at the primary, which a restore elsewhere may have to move
access: read
runs at: primary
database: master
permission: VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @database_name sysname <database> -- name of the database
columns:
  logical_name nvarchar <folder> -- name a restore knows the file by
  physical_name nvarchar <folder> -- path
  is_log int -- 1 for a file of the log
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-master-files-transact-sql.md
*/
SELECT files.name AS logical_name,
       files.physical_name AS physical_name,
       CASE WHEN files.type = 1 THEN 1 ELSE 0 END AS is_log
FROM sys.master_files AS files
WHERE files.database_id = DB_ID(@database_name)
ORDER BY files.file_id;
