/*
name: seeding_sample_primary
purpose: everything read at the primary while a database is seeded: the seeding, disk, network, processors, log
access: read
runs at: primary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
  @replica_server nvarchar <server> -- server of the secondary
columns:
  now_utc datetime -- time of day at the primary
  primary_replica nvarchar? <server> -- server of the primary replica now
  cpu_ms bigint? [ms] -- processor time of SQL Server, total of all pools since their statistics were reset
  cpu_count int [count] -- logical processors
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  disk_read_bytes bigint? [bytes] -- read from all database files, a total
  disk_written_bytes bigint? [bytes] -- written to all database files, a total
  database_read_bytes bigint? [bytes] -- read from the files of this database, a total
  transport_sent_bytes bigint? [bytes] -- "Send I/O bytes/sec" of the endpoints, a total: what went over the network
  log_used_percent bigint? [%] -- used share of the log
  free_disk_bytes bigint? [bytes] -- smallest free space of the volumes of the database's files
  is_in_group int -- 1 while the database is in the group
  operation_id nvarchar? <word> -- GUID of the newest seeding of this database to that secondary; NULL for none
  seeding_start_utc datetime? -- its start
  seeding_end_utc datetime? -- its end, NULL while it runs
  seeding_state nvarchar? <word> -- COMPLETED, FAILED, or what it does now
  seeding_failure nvarchar? <sentence> -- why it failed, in the server's words
  index_builds int [count] -- requests that build or reorganize indexes, or update statistics, now
  consistency_checks int [count] -- DBCC requests that run now
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-automatic-seeding.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-io-virtual-file-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/sql-server-broker-dbm-transport-object.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-resource-governor-resource-pools-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-requests-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-performance-counters-transact-sql.md (names of counters are SQL Server's own, in English at a server of any language: scripts published for French and German servers ask for these; translated are Windows' copies of them, which this view does not read)
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @operation_id nvarchar(36), @start_utc datetime, @end_utc datetime, @state nvarchar(60), @failure nvarchar(256);
SET @text = N'SELECT TOP (1) @operation_id = CONVERT(nvarchar(36), seeding.operation_id), @start_utc = seeding.start_time,
       @end_utc = seeding.completion_time, @state = CAST(seeding.current_state AS nvarchar(60)),
       @failure = CAST(seeding.failure_state_desc AS nvarchar(256))
FROM sys.dm_hadr_automatic_seeding AS seeding
JOIN sys.availability_groups AS groups ON groups.group_id = seeding.ag_id
JOIN sys.availability_replicas AS replicas ON replicas.replica_id = seeding.ag_remote_replica_id
JOIN sys.availability_databases_cluster AS members ON members.group_database_id = seeding.ag_db_id
WHERE groups.name = @group_name AND members.database_name = @database_name AND replicas.replica_server_name = @replica_server
ORDER BY seeding.start_time DESC;';
IF OBJECT_ID(N'sys.dm_hadr_automatic_seeding') IS NOT NULL
    EXEC sys.sp_executesql @stmt = @text,
         @params = N'@group_name sysname, @database_name sysname, @replica_server nvarchar(256), @operation_id nvarchar(36) OUTPUT,
                     @start_utc datetime OUTPUT, @end_utc datetime OUTPUT, @state nvarchar(60) OUTPUT, @failure nvarchar(256) OUTPUT',
         @group_name = @group_name, @database_name = @database_name, @replica_server = @replica_server,
         @operation_id = @operation_id OUTPUT, @start_utc = @start_utc OUTPUT, @end_utc = @end_utc OUTPUT,
         @state = @state OUTPUT, @failure = @failure OUTPUT;
SELECT GETUTCDATE() AS now_utc,
       (SELECT states.primary_replica
        FROM sys.availability_groups AS groups
        JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = groups.group_id
        WHERE groups.name = @group_name) AS primary_replica,
       (SELECT SUM(pools.total_cpu_usage_ms) FROM sys.dm_resource_governor_resource_pools AS pools) AS cpu_ms,
       (SELECT MAX(info.cpu_count) FROM sys.dm_os_sys_info AS info) AS cpu_count,
       (SELECT MAX(info.sqlserver_start_time_ms_ticks) FROM sys.dm_os_sys_info AS info) AS server_started_ms,
       (SELECT SUM(stats.num_of_bytes_read) FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS stats) AS disk_read_bytes,
       (SELECT SUM(stats.num_of_bytes_written) FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS stats) AS disk_written_bytes,
       (SELECT SUM(stats.num_of_bytes_read)
        FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS stats
        WHERE stats.database_id = DB_ID(@database_name)) AS database_read_bytes,
       (SELECT MAX(counters.cntr_value)
        FROM sys.dm_os_performance_counters AS counters
        WHERE counters.object_name LIKE N'%:Broker/DBM Transport%' AND counters.counter_name = N'Send I/O bytes/sec'
              -- On newer builds the instance is called _Total, on 2014 it has no name.
              AND counters.instance_name IN (N'_Total', N'')) AS transport_sent_bytes,
       (SELECT MAX(counters.cntr_value)
        FROM sys.dm_os_performance_counters AS counters
        WHERE counters.object_name LIKE N'%:Databases%' AND counters.counter_name = N'Percent Log Used'
              AND counters.instance_name = @database_name) AS log_used_percent,
       (SELECT MIN(volumes.available_bytes)
        FROM sys.master_files AS files
        CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes
        WHERE files.database_id = DB_ID(@database_name)) AS free_disk_bytes,
       (SELECT COUNT(*)
        FROM sys.availability_groups AS groups
        JOIN sys.availability_databases_cluster AS members ON members.group_id = groups.group_id
        WHERE groups.name = @group_name AND members.database_name = @database_name) AS is_in_group,
       @operation_id AS operation_id,
       @start_utc AS seeding_start_utc,
       @end_utc AS seeding_end_utc,
       @state AS seeding_state,
       @failure AS seeding_failure,
       others.index_builds AS index_builds,
       others.consistency_checks AS consistency_checks
-- Backups and restores are what seeding itself is made of, directly as well.
FROM (SELECT COUNT(CASE WHEN requests.command LIKE N'ALTER INDEX%' OR requests.command LIKE N'CREATE INDEX%'
                          OR requests.command LIKE N'DBCC INDEXDEFRAG%' OR requests.command LIKE N'UPDATE STATISTIC%' THEN 1 END) AS index_builds,
             COUNT(CASE WHEN requests.command LIKE N'DBCC%' AND requests.command NOT LIKE N'DBCC INDEXDEFRAG%' THEN 1 END) AS consistency_checks
      FROM sys.dm_exec_requests AS requests) AS others;
