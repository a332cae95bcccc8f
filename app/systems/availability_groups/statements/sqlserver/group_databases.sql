/*
name: group_databases
purpose: databases of the availability groups at each replica, as this server knows them
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  group_id nvarchar <word> -- GUID of the group
  database_name sysname <database> -- name of the database
  replica_server nvarchar <server> -- server of the replica
  synchronization_state nvarchar <word> -- SYNCHRONIZED, SYNCHRONIZING, NOT SYNCHRONIZING, REVERTING or INITIALIZING
  is_failover_ready int -- 1 where no commit would be lost
  is_suspended int -- 1 where data movement is suspended
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-cluster-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-states-transact-sql.md
*/
SELECT CONVERT(nvarchar(36), replicas.group_id) AS group_id,
       members.database_name AS database_name,
       replicas.replica_server_name AS replica_server,
       ISNULL(states.synchronization_state_desc, N'NOT SYNCHRONIZING') AS synchronization_state,
       CAST(members.is_failover_ready AS int) AS is_failover_ready,
       ISNULL(CAST(states.is_suspended AS int), 0) AS is_suspended
FROM sys.dm_hadr_database_replica_cluster_states AS members
JOIN sys.availability_replicas AS replicas ON replicas.replica_id = members.replica_id
LEFT JOIN sys.dm_hadr_database_replica_states AS states
       ON states.replica_id = members.replica_id AND states.group_database_id = members.group_database_id
WHERE members.is_database_joined = 1
ORDER BY members.database_name, replicas.replica_server_name;
