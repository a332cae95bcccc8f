/*
name: group_replicas
purpose: availability groups this server takes part in, with their replicas, modes and states
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  group_id nvarchar <word> -- GUID of the group
  group_name sysname <group> -- name of the group
  is_basic int -- 1 for a Basic group
  is_contained int -- 1 for a contained group
  is_distributed int -- 1 for a distributed group
  required_secondaries int -- REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT
  cluster_type nvarchar <word> -- WSFC, EXTERNAL or NONE
  primary_replica nvarchar? <server> -- server of the primary replica, NULL where this server cannot tell
  replica_id nvarchar <word> -- GUID of the replica
  replica_server nvarchar <server> -- its server
  role_desc nvarchar? <word> -- PRIMARY, SECONDARY or RESOLVING; NULL where this server cannot tell
  availability_mode int -- 0 asynchronous commit, 1 synchronous commit, 4 configuration only
  failover_mode_desc nvarchar <word> -- AUTOMATIC, MANUAL or EXTERNAL
  seeding_mode_desc nvarchar <word> -- AUTOMATIC or MANUAL, empty before SQL Server 2016
  connected_state int? -- 1 where this server has a session with it
  secondary_connections nvarchar? <word> -- NO, READ_ONLY or ALL: who may read there while it is a secondary
  read_only_routing_url nvarchar? <server> -- where connections that only read are sent for it, empty for none
  read_write_routing_url nvarchar? <server> -- where connections that write are sent while it is primary, empty before SQL Server 2019
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-groups-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-replicas-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-availability-group-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-availability-replica-states-transact-sql.md
*/
-- A column an older version lacks is found in "absent" instead: an inner query sees the outer one's columns last.
SELECT CONVERT(nvarchar(36), members.group_id) AS group_id,
       members.name AS group_name,
       members.is_basic AS is_basic,
       members.is_contained AS is_contained,
       members.is_distributed AS is_distributed,
       members.required_secondaries AS required_secondaries,
       members.cluster_type AS cluster_type,
       states.primary_replica AS primary_replica,
       CONVERT(nvarchar(36), replicas.replica_id) AS replica_id,
       replicas.replica_server_name AS replica_server,
       replica_states.role_desc AS role_desc,
       CAST(replicas.availability_mode AS int) AS availability_mode,
       replicas.failover_mode_desc AS failover_mode_desc,
       replicas.seeding_mode_desc AS seeding_mode_desc,
       CAST(replica_states.connected_state AS int) AS connected_state,
       replicas.secondary_connections AS secondary_connections,
       replicas.read_only_routing_url AS read_only_routing_url,
       replicas.read_write_url AS read_write_routing_url
FROM (SELECT 0 AS basic_features, 0 AS is_distributed, 0 AS is_contained, 0 AS required_synchronized_secondaries_to_commit,
             N'WSFC' AS cluster_type_desc, N'' AS seeding_mode_desc, N'' AS read_write_routing_url) AS absent
CROSS APPLY (SELECT groups.group_id AS group_id, groups.name AS name, CAST(basic_features AS int) AS is_basic,
                    CAST(is_contained AS int) AS is_contained, CAST(is_distributed AS int) AS is_distributed,
                    ISNULL(CAST(required_synchronized_secondaries_to_commit AS int), 0) AS required_secondaries,
                    UPPER(cluster_type_desc) AS cluster_type
             FROM sys.availability_groups AS groups) AS members
CROSS APPLY (SELECT replica.replica_id AS replica_id, replica.replica_server_name AS replica_server_name,
                    replica.availability_mode AS availability_mode, replica.failover_mode_desc AS failover_mode_desc,
                    seeding_mode_desc AS seeding_mode_desc,
                    replica.secondary_role_allow_connections_desc AS secondary_connections,
                    replica.read_only_routing_url AS read_only_routing_url, read_write_routing_url AS read_write_url
             FROM sys.availability_replicas AS replica
             WHERE replica.group_id = members.group_id) AS replicas
LEFT JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = members.group_id
LEFT JOIN sys.dm_hadr_availability_replica_states AS replica_states ON replica_states.replica_id = replicas.replica_id
ORDER BY members.name, replicas.replica_server_name;
