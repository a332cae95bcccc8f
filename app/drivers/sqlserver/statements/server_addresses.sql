/*
name: server_addresses
purpose: the server's own name, and where the other servers it works with are reached
access: read
runs at: any
database: master
permission: public (linked servers whose default login mapping was removed are seen by those they are mapped to)
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  server_name sysname <server> -- name as publications and subscriptions use it
  data_source nvarchar? <server> -- network name or alias, with instance or port
  is_own int -- 1 for the server itself
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-servers-transact-sql.md
*/
SELECT servers.name AS server_name,
       servers.data_source AS data_source,
       CASE WHEN servers.server_id = 0 THEN 1 ELSE 0 END AS is_own
FROM sys.servers AS servers
ORDER BY servers.server_id;
