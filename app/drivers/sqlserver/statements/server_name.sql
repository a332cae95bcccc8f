/*
name: server_name
purpose: which server answers a new connection: an address may lead to another one since; asked in whatever database the connection is in
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  server_name nvarchar? <server> -- its name in sys.servers, NULL where it has none there
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-servers-transact-sql.md
*/
SELECT MAX(servers.name) AS server_name
FROM sys.servers AS servers
WHERE servers.server_id = 0;
