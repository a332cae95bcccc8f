/*
name: capture_replicas
purpose: servers that hold a copy of a captured database: the capture job of each stands in its own msdb
access: read
runs at: any
database: master
permission: VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  database_name sysname <database> -- name of the database
  replica_server nvarchar <server> -- server of a replica of its group
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-replicas-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-databases-cluster-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md
*/
SELECT found.name AS database_name,
       replicas.replica_server_name AS replica_server
FROM sys.databases AS found
JOIN sys.availability_databases_cluster AS members ON members.group_database_id = found.group_database_id
JOIN sys.availability_replicas AS replicas ON replicas.group_id = members.group_id
WHERE found.is_cdc_enabled = 1
ORDER BY found.name, replicas.replica_server_name;
