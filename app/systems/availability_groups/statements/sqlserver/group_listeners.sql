/*
name: group_listeners
purpose: listeners of the availability groups, and whether this connection came through one of them
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  group_id nvarchar <word> -- GUID of the group
  dns_name nvarchar <server> -- network name of the listener
  is_own int -- 1 where this connection came through it
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-group-listeners-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-group-listener-ip-addresses-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-connections-transact-sql.md
*/
SELECT CONVERT(nvarchar(36), listeners.group_id) AS group_id,
       listeners.dns_name AS dns_name,
       CASE WHEN EXISTS (SELECT 1
                         FROM sys.availability_group_listener_ip_addresses AS addresses
                         JOIN sys.dm_exec_connections AS connection ON connection.local_net_address = addresses.ip_address
                         WHERE addresses.listener_id = listeners.listener_id AND connection.session_id = @@SPID)
            THEN 1 ELSE 0 END AS is_own
FROM sys.availability_group_listeners AS listeners
ORDER BY listeners.dns_name;
