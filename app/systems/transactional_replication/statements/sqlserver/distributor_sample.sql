/*
name: distributor_sample
purpose: everything read at the Distributor on each tick: newest history row of every agent, lock waits, free disk
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSdistribution_history, dbo.MSlogreader_agents, dbo.MSlogreader_history, msdb.dbo.sysjobactivity; VIEW SERVER STATE
versions: SQL Server 2012 and later
form: select
shared locks: none
parameters: none
columns:
  now_utc datetime -- time of day at the Distributor
  lock_wait_ms bigint [ms] -- waited for locks since the server started
  free_disk_bytes bigint? [bytes] -- on the volume of the distribution database's data file
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  utc_offset_min int [min] -- the server's time of day minus UTC
  backups int [count] -- backups of databases that run now
  log_backups int [count] -- log backups that run now
  restores int [count] -- restores that run now
  index_builds int [count] -- requests that build or reorganize indexes, or update statistics, now
  consistency_checks int [count] -- DBCC requests that run now
  agent_type int? -- NULL only where there is no history at all
  agent_id int? -- id within its type
  runstatus int? -- 1 start, 2 succeed, 3 in progress, 4 idle, 5 retry, 6 fail
  session_start_utc datetime? -- start of the session
  time_utc datetime? -- time of the row
  delivered_transactions int? [transactions] -- total of the session
  delivered_commands int? [commands] -- total of the session
  latency_ms int? [ms] -- over the agent's own leg
  comments nvarchar? <sentence> -- text of the row
  position nvarchar? <word> -- newest transaction it processed, its log sequence number, hexadecimal
  total_delivered_commands bigint? [commands] -- since the subscription was created; Distribution Agents only
  counter_latency_ms bigint? [ms] -- what the agent's performance counter says now; NULL where there is none
  counter_commands bigint? [commands] -- counter Delivered Cmds/sec of a Log Reader Agent as it stands; NULL where there is none
  counter_transactions bigint? [transactions] -- its counter Delivered Trans/sec
  counter_type int? -- type of the first of them, which tells a total from a rate
  is_running int? -- 1 while the agent's job runs, also while it is stopping; NULL where it has none here
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-wait-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-volume-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-performance-counters-transact-sql.md (names of counters are SQL Server's own, in English at a server of any language: scripts published for French and German servers ask for these; translated are Windows' copies of them, which this view does not read); MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/replication/monitor/monitoring-replication-with-system-monitor.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-requests-transact-sql.md
*/
SELECT server.now_utc AS now_utc,
       server.lock_wait_ms AS lock_wait_ms,
       server.free_disk_bytes AS free_disk_bytes,
       server.started_ms AS server_started_ms,
       server.utc_offset_min AS utc_offset_min,
       others.backups AS backups,
       others.log_backups AS log_backups,
       others.restores AS restores,
       others.index_builds AS index_builds,
       others.consistency_checks AS consistency_checks,
       newest.agent_type AS agent_type,
       newest.agent_id AS agent_id,
       newest.runstatus AS runstatus,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), newest.start_time) AS session_start_utc,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), newest.time) AS time_utc,
       newest.delivered_transactions AS delivered_transactions,
       newest.delivered_commands AS delivered_commands,
       newest.latency_ms AS latency_ms,
       newest.comments AS comments,
       CONVERT(nvarchar(32), newest.xact_seqno, 2) AS position,
       newest.total_delivered_commands AS total_delivered_commands,
       live.latency_ms AS counter_latency_ms,
       live.commands AS counter_commands,
       live.transactions AS counter_transactions,
       live.commands_type AS counter_type,
       -- Rows of earlier SQL Server Agent sessions stay in the table: only those of the newest session count.
       CASE WHEN newest.job_id IS NULL THEN NULL
            WHEN EXISTS (SELECT 1
                         FROM msdb.dbo.sysjobactivity AS activity
                         WHERE activity.job_id = newest.job_id
                           AND activity.session_id = (SELECT MAX(latest.session_id) FROM msdb.dbo.sysjobactivity AS latest)
                           AND activity.start_execution_date IS NOT NULL
                           AND activity.stop_execution_date IS NULL)
            THEN 1 ELSE 0 END AS is_running
FROM (SELECT GETUTCDATE() AS now_utc,
             (SELECT SUM(waits.wait_time_ms) FROM sys.dm_os_wait_stats AS waits WHERE waits.wait_type LIKE N'LCK[_]%') AS lock_wait_ms,
             (SELECT MIN(volume.available_bytes) FROM sys.dm_os_volume_stats(DB_ID(), 1) AS volume) AS free_disk_bytes,
             (SELECT MAX(info.sqlserver_start_time_ms_ticks) FROM sys.dm_os_sys_info AS info) AS started_ms,
             DATEDIFF(MINUTE, GETUTCDATE(), GETDATE()) AS utc_offset_min) AS server
CROSS JOIN (SELECT COUNT(CASE WHEN requests.command LIKE N'BACKUP DATABASE%' THEN 1 END) AS backups,
                   COUNT(CASE WHEN requests.command LIKE N'BACKUP LOG%' THEN 1 END) AS log_backups,
                   COUNT(CASE WHEN requests.command LIKE N'RESTORE%' THEN 1 END) AS restores,
                   COUNT(CASE WHEN requests.command LIKE N'ALTER INDEX%' OR requests.command LIKE N'CREATE INDEX%'
                                OR requests.command LIKE N'DBCC INDEXDEFRAG%' OR requests.command LIKE N'UPDATE STATISTIC%' THEN 1 END) AS index_builds,
                   COUNT(CASE WHEN requests.command LIKE N'DBCC%' AND requests.command NOT LIKE N'DBCC INDEXDEFRAG%' THEN 1 END) AS consistency_checks
            FROM sys.dm_exec_requests AS requests) AS others
LEFT JOIN (SELECT 2 AS agent_type, reader.id AS agent_id, reader.name AS agent_name, CONVERT(uniqueidentifier, reader.job_id) AS job_id, newest_row.runstatus AS runstatus, newest_row.start_time AS start_time,
                  newest_row.time AS time, newest_row.delivered_transactions AS delivered_transactions,
                  newest_row.delivered_commands AS delivered_commands, newest_row.delivery_latency AS latency_ms,
                  CAST(newest_row.comments AS nvarchar(4000)) AS comments,
                  -- Rows that only say how it goes may leave it empty: the highest of the newest ones counts.
                  (SELECT MAX(recent.xact_seqno)
                   FROM (SELECT TOP (50) passed.xact_seqno
                         FROM dbo.MSlogreader_history AS passed
                         WHERE passed.agent_id = reader.id
                         ORDER BY passed.timestamp DESC) AS recent) AS xact_seqno,
                  CAST(NULL AS bigint) AS total_delivered_commands
           FROM dbo.MSlogreader_agents AS reader
           CROSS APPLY (SELECT TOP (1) history.runstatus, history.start_time, history.time, history.delivered_transactions,
                               history.delivered_commands, history.delivery_latency, history.comments
                        FROM dbo.MSlogreader_history AS history
                        WHERE history.agent_id = reader.id AND history.comments NOT LIKE N'<stats%'
                        ORDER BY history.timestamp DESC) AS newest_row
           UNION ALL
           SELECT 3, agent.id, agent.name, CONVERT(uniqueidentifier, agent.job_id), newest_row.runstatus, newest_row.start_time, newest_row.time, newest_row.delivered_transactions, newest_row.delivered_commands,
                  newest_row.current_delivery_latency, newest_row.comments,
                  (SELECT MAX(recent.xact_seqno)
                   FROM (SELECT TOP (50) passed.xact_seqno
                         FROM dbo.MSdistribution_history AS passed
                         WHERE passed.agent_id = agent.id
                         ORDER BY passed.timestamp DESC) AS recent),
                  newest_row.total_delivered_commands
           FROM dbo.MSdistribution_agents AS agent
           CROSS APPLY (SELECT TOP (1) history.runstatus, history.start_time, history.time, history.delivered_transactions,
                               history.delivered_commands, history.current_delivery_latency, history.comments,
                               history.total_delivered_commands
                        FROM dbo.MSdistribution_history AS history
                        WHERE history.agent_id = agent.id AND history.comments NOT LIKE N'<stats%'
                        ORDER BY history.timestamp DESC) AS newest_row) AS newest
       ON 1 = 1
-- The names of the counters are printed with and without a space after the colon.
LEFT JOIN (SELECT CASE WHEN counters.counter_name LIKE N'Logreader:%' THEN 2 ELSE 3 END AS agent_type,
                  counters.instance_name AS agent_name,
                  MAX(CASE WHEN counters.counter_name LIKE N'%Delivery Latency%' THEN counters.cntr_value END) AS latency_ms,
                  MAX(CASE WHEN counters.counter_name LIKE N'%Delivered Cmds/sec%' THEN counters.cntr_value END) AS commands,
                  MAX(CASE WHEN counters.counter_name LIKE N'%Delivered Trans/sec%' THEN counters.cntr_value END) AS transactions,
                  MAX(CASE WHEN counters.counter_name LIKE N'%Delivered Cmds/sec%' THEN counters.cntr_type END) AS commands_type
           FROM sys.dm_os_performance_counters AS counters
           WHERE counters.counter_name LIKE N'Logreader:%Delivery Latency%'
              OR counters.counter_name LIKE N'Logreader:%Delivered Cmds/sec%'
              OR counters.counter_name LIKE N'Logreader:%Delivered Trans/sec%'
              OR counters.counter_name LIKE N'Dist:%Delivery Latency%'
           GROUP BY CASE WHEN counters.counter_name LIKE N'Logreader:%' THEN 2 ELSE 3 END, counters.instance_name) AS live
       ON live.agent_type = newest.agent_type
      AND live.agent_name COLLATE DATABASE_DEFAULT = newest.agent_name;
