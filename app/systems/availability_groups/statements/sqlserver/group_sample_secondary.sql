/*
name: group_sample_secondary
purpose: everything read at a secondary on each tick: its own redo and its processors
access: read
runs at: secondary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns:
  cpu_ms bigint? [ms] -- processor time of SQL Server, total of all pools since their statistics were reset
  cpu_count int [count] -- logical processors
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  redo_queue_kb bigint? [KiB] -- log not yet redone; NULL where the database is not joined here
  redo_rate_kb_per_s bigint? [KiB/s] -- log redone
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-resource-governor-resource-pools-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md
*/
SELECT server.cpu_ms AS cpu_ms,
       server.cpu_count AS cpu_count,
       server.started_ms AS server_started_ms,
       own.redo_queue_kb AS redo_queue_kb,
       own.redo_rate_kb_per_s AS redo_rate_kb_per_s
FROM (SELECT (SELECT SUM(pools.total_cpu_usage_ms) FROM sys.dm_resource_governor_resource_pools AS pools) AS cpu_ms,
             (SELECT MAX(info.cpu_count) FROM sys.dm_os_sys_info AS info) AS cpu_count,
             (SELECT MAX(info.sqlserver_start_time_ms_ticks) FROM sys.dm_os_sys_info AS info) AS started_ms) AS server
LEFT JOIN (SELECT moving.redo_queue_size AS redo_queue_kb, moving.redo_rate AS redo_rate_kb_per_s
           FROM sys.availability_groups AS groups
           JOIN sys.dm_hadr_database_replica_states AS moving ON moving.group_id = groups.group_id
           JOIN sys.dm_hadr_database_replica_cluster_states AS members
                ON members.replica_id = moving.replica_id AND members.group_database_id = moving.group_database_id
           WHERE groups.name = @group_name AND members.database_name = @database_name AND moving.is_local = 1) AS own
       ON 1 = 1;
