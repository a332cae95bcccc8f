/*
name: distributor_sample
purpose: everything read at the Distributor on each tick: newest history row of every agent, undelivered commands, lock waits, free disk
access: read
runs at: distributor
database: distribution
permission: VIEW SERVER STATE; db_owner or replmonitor in the distribution database
versions: SQL Server 2012 and later
form: select
parameters:
  @count_pending bit -- 0 leaves out the count of undelivered commands, which is costly on a large distribution database
columns:
  now_utc datetime -- time of day at the Distributor
  pending_commands bigint? [commands] -- stored and not delivered, all subscriptions; NULL where not counted
  lock_wait_ms bigint [ms] -- waited for locks since the server started
  free_disk_bytes bigint? [bytes] -- on the volume of the distribution database's data file
  agent_type int? -- NULL only where there is no history at all
  agent_id int? -- id within its type
  runstatus int? -- 1 start, 2 succeed, 3 in progress, 4 idle, 5 retry, 6 fail
  session_start_utc datetime? -- start of the session
  time_utc datetime? -- time of the row
  delivered_transactions int? [transactions] -- total of the session
  delivered_commands int? [commands] -- total of the session
  latency_ms int? [ms] -- over the agent's own leg
  comments nvarchar? -- text of the row
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-status-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-wait-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-volume-stats-transact-sql.md
*/
SELECT server.now_utc AS now_utc,
       server.pending_commands AS pending_commands,
       server.lock_wait_ms AS lock_wait_ms,
       server.free_disk_bytes AS free_disk_bytes,
       newest.agent_type AS agent_type,
       newest.agent_id AS agent_id,
       newest.runstatus AS runstatus,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), newest.start_time) AS session_start_utc,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), newest.time) AS time_utc,
       newest.delivered_transactions AS delivered_transactions,
       newest.delivered_commands AS delivered_commands,
       newest.latency_ms AS latency_ms,
       newest.comments AS comments
FROM (SELECT GETUTCDATE() AS now_utc,
             CASE WHEN @count_pending = 1
                  THEN (SELECT ISNULL(SUM(CAST(queue.UndelivCmdsInDistDB AS bigint)), 0) FROM dbo.MSdistribution_status AS queue)
                  END AS pending_commands,
             (SELECT SUM(waits.wait_time_ms) FROM sys.dm_os_wait_stats AS waits WHERE waits.wait_type LIKE N'LCK[_]%') AS lock_wait_ms,
             (SELECT MIN(volume.available_bytes) FROM sys.dm_os_volume_stats(DB_ID(), 1) AS volume) AS free_disk_bytes) AS server
LEFT JOIN (SELECT 2 AS agent_type, reader.id AS agent_id, newest_row.runstatus AS runstatus, newest_row.start_time AS start_time,
                  newest_row.time AS time, newest_row.delivered_transactions AS delivered_transactions,
                  newest_row.delivered_commands AS delivered_commands, newest_row.delivery_latency AS latency_ms,
                  CAST(newest_row.comments AS nvarchar(4000)) AS comments
           FROM dbo.MSlogreader_agents AS reader
           CROSS APPLY (SELECT TOP (1) history.runstatus, history.start_time, history.time, history.delivered_transactions,
                               history.delivered_commands, history.delivery_latency, history.comments
                        FROM dbo.MSlogreader_history AS history
                        WHERE history.agent_id = reader.id AND history.comments NOT LIKE N'<stats%'
                        ORDER BY history.timestamp DESC) AS newest_row
           UNION ALL
           SELECT 3, agent.id, newest_row.runstatus, newest_row.start_time, newest_row.time, newest_row.delivered_transactions, newest_row.delivered_commands,
                  newest_row.current_delivery_latency, newest_row.comments
           FROM dbo.MSdistribution_agents AS agent
           CROSS APPLY (SELECT TOP (1) history.runstatus, history.start_time, history.time, history.delivered_transactions,
                               history.delivered_commands, history.current_delivery_latency, history.comments
                        FROM dbo.MSdistribution_history AS history
                        WHERE history.agent_id = agent.id AND history.comments NOT LIKE N'<stats%'
                        ORDER BY history.timestamp DESC) AS newest_row) AS newest
       ON 1 = 1;
