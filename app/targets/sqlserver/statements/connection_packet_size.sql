/*
name: connection_packet_size
purpose: packet size of this connection
access: read
runs at: subscriber
database: subscription
permission: VIEW SERVER STATE
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  net_packet_size int [bytes] -- negotiated packet size
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-connections-transact-sql.md
*/
SELECT connection.net_packet_size AS net_packet_size
FROM sys.dm_exec_connections AS connection
WHERE connection.session_id = @@SPID;
