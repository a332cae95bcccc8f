/*
name: capture_sample
purpose: everything read of a captured database on each tick: totals of the log scan, its newest session, log, processors, free disk
access: read
runs at: any
database: captured
permission: VIEW DATABASE STATE in the database; VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @database_name sysname <database> -- name of the database
columns:
  now_utc datetime -- time of day at the server
  own_server nvarchar <server> -- name of this server
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  cpu_ms bigint? [ms] -- processor time of SQL Server, total of all pools since their statistics were reset
  cpu_count int [count] -- logical processors
  transactions bigint? [transactions] -- captured since the instance started (session 0); NULL where no scan was since
  commands bigint? [commands] -- captured since then
  log_records bigint? [count] -- read since then
  scan_s bigint? [s] -- time of all sessions since then, each in whole seconds
  empty_scans bigint? [count] -- sessions that found nothing since then
  failed_scans bigint? [count] -- sessions that failed since then
  newest_session int? -- number of the newest session
  newest_latency_s int? [s] -- its latency, whole seconds
  last_commit_utc datetime? -- newest commit that was captured
  log_used_percent bigint? [%] -- used share of the database's log, NULL where the counter is disabled
  log_reuse_wait nvarchar? <word> -- what the log waits for as of the last checkpoint
  free_disk_bytes bigint? [bytes] -- smallest free space of the volumes of the database's files
  backups int [count] -- backups of databases that run now
  log_backups int [count] -- log backups that run now
  restores int [count] -- restores that run now
  index_builds int [count] -- requests that build or reorganize indexes, or update statistics, now
  consistency_checks int [count] -- DBCC requests that run now
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/change-data-capture-sys-dm-cdc-log-scan-sessions.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-performance-counters-transact-sql.md (names of counters are SQL Server's own, in English at a server of any language: scripts published for French and German servers ask for these; translated are Windows' copies of them, which this view does not read); MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-requests-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md
*/
SELECT GETUTCDATE() AS now_utc,
       CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128)) AS own_server,
       info.sqlserver_start_time_ms_ticks AS server_started_ms,
       (SELECT SUM(pools.total_cpu_usage_ms) FROM sys.dm_resource_governor_resource_pools AS pools) AS cpu_ms,
       info.cpu_count AS cpu_count,
       total.tran_count AS transactions,
       total.command_count AS commands,
       total.log_record_count AS log_records,
       total.duration AS scan_s,
       CAST(total.empty_scan_count AS bigint) AS empty_scans,
       CAST(total.failed_sessions_count AS bigint) AS failed_scans,
       newest.session_id AS newest_session,
       newest.latency AS newest_latency_s,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), newest.last_commit_cdc_time) AS last_commit_utc,
       (SELECT MAX(counters.cntr_value)
        FROM sys.dm_os_performance_counters AS counters
        WHERE counters.object_name LIKE N'%:Databases%' AND counters.counter_name = N'Percent Log Used'
          AND counters.instance_name = @database_name) AS log_used_percent,
       (SELECT databases.log_reuse_wait_desc FROM sys.databases AS databases WHERE databases.database_id = DB_ID()) AS log_reuse_wait,
       (SELECT MIN(volumes.available_bytes)
        FROM sys.master_files AS files
        CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes
        WHERE files.database_id = DB_ID()) AS free_disk_bytes,
       others.backups AS backups,
       others.log_backups AS log_backups,
       others.restores AS restores,
       others.index_builds AS index_builds,
       others.consistency_checks AS consistency_checks
FROM sys.dm_os_sys_info AS info
LEFT JOIN sys.dm_cdc_log_scan_sessions AS total ON total.session_id = 0
LEFT JOIN sys.dm_cdc_log_scan_sessions AS newest
       ON newest.session_id = (SELECT MAX(last.session_id) FROM sys.dm_cdc_log_scan_sessions AS last WHERE last.session_id > 0)
CROSS JOIN (SELECT COUNT(CASE WHEN requests.command LIKE N'BACKUP DATABASE%' THEN 1 END) AS backups,
                   COUNT(CASE WHEN requests.command LIKE N'BACKUP LOG%' THEN 1 END) AS log_backups,
                   COUNT(CASE WHEN requests.command LIKE N'RESTORE%' THEN 1 END) AS restores,
                   COUNT(CASE WHEN requests.command LIKE N'ALTER INDEX%' OR requests.command LIKE N'CREATE INDEX%'
                                OR requests.command LIKE N'DBCC INDEXDEFRAG%' OR requests.command LIKE N'UPDATE STATISTIC%' THEN 1 END) AS index_builds,
                   COUNT(CASE WHEN requests.command LIKE N'DBCC%' AND requests.command NOT LIKE N'DBCC INDEXDEFRAG%' THEN 1 END) AS consistency_checks
            FROM sys.dm_exec_requests AS requests) AS others;
