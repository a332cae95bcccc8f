/*
name: group_sample_primary
purpose: everything read at the primary on each tick: queues of each secondary, commit delay, log, flow control, waits, processors, free disk
access: read
runs at: primary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @group_name sysname <group> -- name of the group, empty for a standalone database
  @database_name sysname <database> -- name of the database
columns:
  now_utc datetime -- time of day at the primary
  own_server nvarchar <server> -- name of this server
  primary_replica nvarchar? <server> -- server of the primary replica now, NULL for a standalone database
  cpu_ms bigint? [ms] -- processor time of SQL Server, total of all pools since their statistics were reset
  cpu_count int [count] -- logical processors
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  commit_delay_ms bigint? [ms] -- "Transaction Delay", a total
  mirrored_transactions bigint? [transactions] -- "Mirrored Write Transactions/sec", a total
  write_transactions bigint? [transactions] -- "Write Transactions/sec", a total
  log_flushed_bytes bigint? [bytes] -- "Log Bytes Flushed/sec", a total
  sent_bytes bigint? [bytes] -- "Bytes Sent to Transport/sec" of the group's replicas, a total, as sent over the network
  flow_control_ms bigint? [ms] -- "Flow Control Time (ms/sec)" of the group's replicas, a total
  flow_controls bigint? [count] -- "Flow Control/sec" of the group's replicas, a total
  log_used_percent bigint? [%] -- used share of the log
  sync_commit_wait_ms bigint? [ms] -- HADR_SYNC_COMMIT, a total
  sync_commit_waits bigint? [count] -- HADR_SYNC_COMMIT, a total
  writelog_wait_ms bigint? [ms] -- WRITELOG, a total
  writelog_waits bigint? [count] -- WRITELOG, a total
  free_disk_bytes bigint? [bytes] -- smallest free space of the volumes of the database's files
  backups int [count] -- backups of databases that run now
  log_backups int [count] -- log backups that run now
  restores int [count] -- restores that run now
  index_builds int [count] -- requests that build or reorganize indexes, or update statistics, now
  consistency_checks int [count] -- DBCC requests that run now
  replica_server nvarchar? <server> -- server of a secondary; NULL where there is none
  synchronization_state nvarchar? <word> -- of its database
  send_queue_kb bigint? [KiB] -- log not yet sent
  send_rate_kb_per_s bigint? [KiB/s] -- log sent
  redo_queue_kb bigint? [KiB] -- log not yet redone
  redo_rate_kb_per_s bigint? [KiB/s] -- log redone
  last_commit_utc datetime? -- newest transaction redone there
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/sql-server-database-replica.md; MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/sql-server-availability-replica.md; MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/sql-server-databases-object.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-wait-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-resource-governor-resource-pools-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-requests-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-performance-counters-transact-sql.md (names of counters are SQL Server's own, in English at a server of any language: scripts published for French and German servers ask for these; translated are Windows' copies of them, which this view does not read)
*/
SELECT server.now_utc AS now_utc,
       server.own_server AS own_server,
       server.primary_replica AS primary_replica,
       server.cpu_ms AS cpu_ms,
       server.cpu_count AS cpu_count,
       server.started_ms AS server_started_ms,
       counters.commit_delay_ms AS commit_delay_ms,
       counters.mirrored_transactions AS mirrored_transactions,
       counters.write_transactions AS write_transactions,
       counters.log_flushed_bytes AS log_flushed_bytes,
       counters.sent_bytes AS sent_bytes,
       counters.flow_control_ms AS flow_control_ms,
       counters.flow_controls AS flow_controls,
       counters.log_used_percent AS log_used_percent,
       waits.sync_commit_wait_ms AS sync_commit_wait_ms,
       waits.sync_commit_waits AS sync_commit_waits,
       waits.writelog_wait_ms AS writelog_wait_ms,
       waits.writelog_waits AS writelog_waits,
       server.free_disk_bytes AS free_disk_bytes,
       others.backups AS backups,
       others.log_backups AS log_backups,
       others.restores AS restores,
       others.index_builds AS index_builds,
       others.consistency_checks AS consistency_checks,
       secondaries.replica_server AS replica_server,
       secondaries.synchronization_state AS synchronization_state,
       secondaries.send_queue_kb AS send_queue_kb,
       secondaries.send_rate_kb_per_s AS send_rate_kb_per_s,
       secondaries.redo_queue_kb AS redo_queue_kb,
       secondaries.redo_rate_kb_per_s AS redo_rate_kb_per_s,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), secondaries.last_commit_time) AS last_commit_utc
FROM (SELECT GETUTCDATE() AS now_utc,
             CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128)) AS own_server,
             (SELECT states.primary_replica
              FROM sys.availability_groups AS groups
              JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = groups.group_id
              WHERE groups.name = @group_name) AS primary_replica,
             (SELECT SUM(pools.total_cpu_usage_ms) FROM sys.dm_resource_governor_resource_pools AS pools) AS cpu_ms,
             (SELECT MAX(info.cpu_count) FROM sys.dm_os_sys_info AS info) AS cpu_count,
             (SELECT MAX(info.sqlserver_start_time_ms_ticks) FROM sys.dm_os_sys_info AS info) AS started_ms,
             (SELECT MIN(volumes.available_bytes)
              FROM sys.master_files AS files
              CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes
              WHERE files.database_id = DB_ID(@database_name)) AS free_disk_bytes) AS server
CROSS JOIN (SELECT MAX(CASE WHEN found.counter_name = N'Transaction Delay' THEN found.cntr_value END) AS commit_delay_ms,
                   MAX(CASE WHEN found.counter_name = N'Mirrored Write Transactions/sec' THEN found.cntr_value END) AS mirrored_transactions,
                   MAX(CASE WHEN found.counter_name = N'Write Transactions/sec' THEN found.cntr_value END) AS write_transactions,
                   MAX(CASE WHEN found.counter_name = N'Log Bytes Flushed/sec' THEN found.cntr_value END) AS log_flushed_bytes,
                   SUM(CASE WHEN found.counter_name = N'Bytes Sent to Transport/sec' THEN found.cntr_value END) AS sent_bytes,
                   SUM(CASE WHEN found.counter_name = N'Flow Control Time (ms/sec)' THEN found.cntr_value END) AS flow_control_ms,
                   SUM(CASE WHEN found.counter_name = N'Flow Control/sec' THEN found.cntr_value END) AS flow_controls,
                   MAX(CASE WHEN found.counter_name = N'Percent Log Used' THEN found.cntr_value END) AS log_used_percent
            FROM sys.dm_os_performance_counters AS found
            WHERE (found.object_name LIKE N'%:Database Replica%' AND found.instance_name = @database_name)
               OR (found.object_name LIKE N'%:Databases%' AND found.instance_name = @database_name)
               OR (found.object_name LIKE N'%:Availability Replica%'
                   AND LEFT(found.instance_name, LEN(@group_name) + 1) = @group_name + N':')) AS counters
CROSS JOIN (SELECT MAX(CASE WHEN found.wait_type = N'HADR_SYNC_COMMIT' THEN found.wait_time_ms END) AS sync_commit_wait_ms,
                   MAX(CASE WHEN found.wait_type = N'HADR_SYNC_COMMIT' THEN found.waiting_tasks_count END) AS sync_commit_waits,
                   MAX(CASE WHEN found.wait_type = N'WRITELOG' THEN found.wait_time_ms END) AS writelog_wait_ms,
                   MAX(CASE WHEN found.wait_type = N'WRITELOG' THEN found.waiting_tasks_count END) AS writelog_waits
            FROM sys.dm_os_wait_stats AS found
            WHERE found.wait_type IN (N'HADR_SYNC_COMMIT', N'WRITELOG')) AS waits
CROSS JOIN (SELECT COUNT(CASE WHEN requests.command LIKE N'BACKUP DATABASE%' THEN 1 END) AS backups,
                   COUNT(CASE WHEN requests.command LIKE N'BACKUP LOG%' THEN 1 END) AS log_backups,
                   COUNT(CASE WHEN requests.command LIKE N'RESTORE%' THEN 1 END) AS restores,
                   COUNT(CASE WHEN requests.command LIKE N'ALTER INDEX%' OR requests.command LIKE N'CREATE INDEX%'
                                OR requests.command LIKE N'DBCC INDEXDEFRAG%' OR requests.command LIKE N'UPDATE STATISTIC%' THEN 1 END) AS index_builds,
                   COUNT(CASE WHEN requests.command LIKE N'DBCC%' AND requests.command NOT LIKE N'DBCC INDEXDEFRAG%' THEN 1 END) AS consistency_checks
            FROM sys.dm_exec_requests AS requests) AS others
LEFT JOIN (SELECT replicas.replica_server_name AS replica_server,
                  moving.synchronization_state_desc AS synchronization_state,
                  moving.log_send_queue_size AS send_queue_kb,
                  moving.log_send_rate AS send_rate_kb_per_s,
                  moving.redo_queue_size AS redo_queue_kb,
                  moving.redo_rate AS redo_rate_kb_per_s,
                  moving.last_commit_time AS last_commit_time
           FROM sys.availability_groups AS groups
           JOIN sys.availability_replicas AS replicas ON replicas.group_id = groups.group_id
           JOIN sys.dm_hadr_database_replica_cluster_states AS members ON members.replica_id = replicas.replica_id
           JOIN sys.dm_hadr_database_replica_states AS moving
                ON moving.replica_id = members.replica_id AND moving.group_database_id = members.group_database_id
           WHERE groups.name = @group_name AND members.database_name = @database_name AND moving.is_local = 0) AS secondaries
       ON 1 = 1
ORDER BY secondaries.replica_server;
