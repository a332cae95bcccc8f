/*
name: capture_sessions
purpose: sessions of the log scan that found something and have ended, newest first
access: read
runs at: any
database: captured
permission: VIEW DATABASE STATE in the database
versions: SQL Server 2012 and later
form: select
parameters:
  @after_session int -- only those with a higher number
columns:
  session_number int -- of the session, ascending; 0 is the sum of all and left out
  begun_utc datetime -- when it began
  ended_utc datetime -- when it ended
  transactions bigint [transactions] -- that it captured
  commands bigint [commands] -- that it captured
  log_records bigint [count] -- that it read
  latency_s int? [s] -- from its last commit to its end, whole seconds
  empty_scans int? [count] -- scans behind it that found nothing
  last_commit_utc datetime? -- its newest commit
  last_commit_lsn nvarchar? <word> -- log sequence number of that, with the view's trailing NUL
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/change-data-capture-sys-dm-cdc-log-scan-sessions.md; MicrosoftDocs/sql-docs:docs/relational-databases/track-changes/administer-and-monitor-change-data-capture-sql-server.md
*/
SELECT TOP (500) sessions.session_id AS session_number,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), sessions.start_time) AS begun_utc,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), sessions.end_time) AS ended_utc,
       sessions.tran_count AS transactions,
       sessions.command_count AS commands,
       sessions.log_record_count AS log_records,
       sessions.latency AS latency_s,
       sessions.empty_scan_count AS empty_scans,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), sessions.last_commit_cdc_time) AS last_commit_utc,
       sessions.last_commit_cdc_lsn AS last_commit_lsn
FROM sys.dm_cdc_log_scan_sessions AS sessions
WHERE sessions.session_id > 0 AND sessions.session_id > @after_session
  AND sessions.end_time IS NOT NULL AND sessions.tran_count > 0
ORDER BY sessions.session_id DESC;
