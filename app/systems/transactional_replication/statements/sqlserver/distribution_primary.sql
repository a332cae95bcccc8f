/*
name: distribution_primary
purpose: at which server, and behind which listener, the primary replica of a distribution database in an availability group is now
access: read
runs at: distributor
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @database_name sysname <database> -- name of the distribution database
columns:
  primary_replica nvarchar? <server> -- server of the primary replica, NULL where this server cannot tell
  listener nvarchar? <server> -- network name of a listener of the group, NULL where it has none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-replicas-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-group-listeners-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-availability-group-states-transact-sql.md
*/
SELECT MAX(states.primary_replica) AS primary_replica,
       MAX(listeners.dns_name) AS listener
FROM sys.databases AS db
JOIN sys.availability_replicas AS replicas ON replicas.replica_id = db.replica_id
JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = replicas.group_id
LEFT JOIN sys.availability_group_listeners AS listeners ON listeners.group_id = replicas.group_id
WHERE db.name = @database_name;
