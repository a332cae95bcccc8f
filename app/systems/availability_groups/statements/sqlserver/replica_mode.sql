/*
name: replica_mode
purpose: modes of one replica, and how many of its databases are not synchronized
access: read
runs at: primary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @group_name sysname <group> -- name of the group
  @replica_server nvarchar <server> -- server of the replica
columns:
  primary_replica nvarchar? <server> -- server of the primary replica now
  availability_mode int -- 0 asynchronous commit, 1 synchronous commit, 4 configuration only
  failover_mode_desc nvarchar <word> -- AUTOMATIC, MANUAL or EXTERNAL
  connected_state int? -- 1 where the primary has a session with it
  databases_not_synchronized int [count] -- joined databases that are not SYNCHRONIZED and failover-ready
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-replicas-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-cluster-states-transact-sql.md
*/
SELECT states.primary_replica AS primary_replica,
       CAST(replicas.availability_mode AS int) AS availability_mode,
       replicas.failover_mode_desc AS failover_mode_desc,
       CAST(replica_states.connected_state AS int) AS connected_state,
       (SELECT COUNT(*)
        FROM sys.dm_hadr_database_replica_cluster_states AS members
        LEFT JOIN sys.dm_hadr_database_replica_states AS moving
               ON moving.replica_id = members.replica_id AND moving.group_database_id = members.group_database_id
        WHERE members.replica_id = replicas.replica_id AND members.is_database_joined = 1
              AND (members.is_failover_ready = 0 OR ISNULL(moving.synchronization_state_desc, N'') <> N'SYNCHRONIZED')) AS databases_not_synchronized
FROM sys.availability_groups AS groups
JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
LEFT JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = groups.group_id
LEFT JOIN sys.dm_hadr_availability_replica_states AS replica_states ON replica_states.replica_id = replicas.replica_id
WHERE groups.name = @group_name AND replicas.replica_server_name = @replica_server;
