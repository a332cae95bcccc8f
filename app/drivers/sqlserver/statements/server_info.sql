/*
name: server_info
purpose: name, version, edition and logical processors of a server
access: read
runs at: any
database: master
permission: VIEW SERVER STATE
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  server_name nvarchar <server> -- name of the instance
  version nvarchar <word> -- product version, four numbers
  edition nvarchar <word> -- edition text
  cpu_count int [count] -- logical processors
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/serverproperty-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md
*/
-- SERVERPROPERTY returns sql_variant, which ODBC cannot describe: cast it.
SELECT CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128)) AS server_name,
       CAST(SERVERPROPERTY(N'ProductVersion') AS nvarchar(128)) AS version,
       CAST(SERVERPROPERTY(N'Edition') AS nvarchar(128)) AS edition,
       info.cpu_count AS cpu_count
FROM sys.dm_os_sys_info AS info;
