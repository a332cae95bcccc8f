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
  instance_name nvarchar? <server> -- the same as Windows calls it, which is another one after a computer was renamed
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-servers-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/serverproperty-transact-sql.md
*/
SELECT MAX(servers.name) AS server_name,
       CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128)) AS instance_name
FROM sys.servers AS servers
WHERE servers.server_id = 0;
