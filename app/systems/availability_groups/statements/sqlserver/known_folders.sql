/*
name: known_folders
purpose: folders that are there at a secondary: those of its own files, and where it puts new ones
access: read
runs at: secondary
database: master
permission: VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  data_folder nvarchar? <folder> -- where new data files go
  log_folder nvarchar? <folder> -- where new files of logs go
  physical_name nvarchar <folder> -- path of a file that is there
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-master-files-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/serverproperty-transact-sql.md
*/
SELECT CAST(SERVERPROPERTY(N'InstanceDefaultDataPath') AS nvarchar(260)) AS data_folder,
       CAST(SERVERPROPERTY(N'InstanceDefaultLogPath') AS nvarchar(260)) AS log_folder,
       files.physical_name AS physical_name
FROM sys.master_files AS files
ORDER BY files.physical_name;
