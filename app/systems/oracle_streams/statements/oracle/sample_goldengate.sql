/*
name: sample_goldengate
purpose: counters and states of integrated Extract and Replicat in one database
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 12.1 and later
form: select
binds: none
columns:
  part VARCHAR2 <word> -- capture, propagation, queue, apply, reader, coordinator, server, progress, staged, errors, pool or redo
  name VARCHAR2 <process> -- of the process, or owner and name of the queue
  server_id INTEGER? -- number of an apply server
  status VARCHAR2? <word> -- ENABLED, DISABLED or ABORTED
  state VARCHAR2? <word> -- what it does now
  started_utc DATE? -- start of its counters
  total_in INTEGER? [messages] -- captured, enqueued or dequeued since then
  total_out INTEGER? [messages] -- enqueued, sent or applied since then
  spilled INTEGER? [messages] -- spilled since then; of staged transactions, now
  waiting INTEGER? [count] -- messages in a queue, staged transactions, transactions in the error queue
  received INTEGER? [transactions] -- by the coordinator
  applied INTEGER? [transactions] -- applied
  paused_s NUMBER? [s] -- capture paused for flow control
  spill_s NUMBER? [s] -- spilling
  used_bytes INTEGER? [bytes] -- memory in use, bytes sent, or redo written since the instance started
  size_bytes INTEGER? [bytes] -- size of the Streams pool
  latency_s NUMBER? [s] -- age of the newest message handled
  at_utc DATE -- time of day at this database
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-BUFFERED_QUEUES.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_PROGRESS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_SPILL_TXN.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_ERROR.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SYSSTAT.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-GOLDENGATE_CAPTURE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-GG_APPLY_READER.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-GG_APPLY_COORDINATOR.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-GG_APPLY_SERVER.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-STREAMS_POOL_STATISTICS.html
*/
-- Everything a tick needs in one round trip. A row for each process, queue and server; what does not apply is NULL.
-- Local start times are moved by whole quarters of an hour, so that one start always reads as the same moment.
SELECT 'capture' AS part, capture.capture_name AS name, CAST(NULL AS NUMBER) AS server_id, capture.status AS status,
       running.state AS state,
       running.startup_time + ROUND((CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - SYSDATE) * 96) / 96 AS started_utc,
       running.total_messages_captured AS total_in, running.total_messages_enqueued AS total_out,
       CAST(NULL AS NUMBER) AS spilled, CAST(NULL AS NUMBER) AS waiting, CAST(NULL AS NUMBER) AS received,
       CAST(NULL AS NUMBER) AS applied, running.elapsed_pause_time / 100 AS paused_s, CAST(NULL AS NUMBER) AS spill_s,
       CAST(NULL AS NUMBER) AS used_bytes, CAST(NULL AS NUMBER) AS size_bytes,
       (SYSDATE - running.capture_message_create_time) * 86400 AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM dba_capture capture
LEFT JOIN v$goldengate_capture running ON running.capture_name = capture.capture_name
WHERE capture.purpose LIKE 'GoldenGate%'
UNION ALL
SELECT 'queue' AS part, queue.queue_schema || '.' || queue.queue_name AS name, CAST(NULL AS NUMBER) AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, CAST(NULL AS VARCHAR2(600)) AS state,
       queue.startup_time + ROUND((CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - SYSDATE) * 96) / 96 AS started_utc,
       queue.cnum_msgs AS total_in, CAST(NULL AS NUMBER) AS total_out, queue.cspill_msgs AS spilled,
       queue.num_msgs AS waiting, CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied,
       CAST(NULL AS NUMBER) AS paused_s, CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes,
       CAST(NULL AS NUMBER) AS size_bytes, CAST(NULL AS NUMBER) AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM v$buffered_queues queue
UNION ALL
SELECT 'apply' AS part, process.apply_name AS name, CAST(NULL AS NUMBER) AS server_id, process.status AS status,
       CAST(NULL AS VARCHAR2(600)) AS state, CAST(NULL AS DATE) AS started_utc, CAST(NULL AS NUMBER) AS total_in,
       CAST(NULL AS NUMBER) AS total_out, CAST(NULL AS NUMBER) AS spilled, CAST(NULL AS NUMBER) AS waiting,
       CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied, CAST(NULL AS NUMBER) AS paused_s,
       CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes, CAST(NULL AS NUMBER) AS size_bytes,
       CAST(NULL AS NUMBER) AS latency_s, CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM dba_apply process
WHERE process.purpose LIKE 'GoldenGate%'
UNION ALL
SELECT 'reader' AS part, reader.apply_name AS name, CAST(NULL AS NUMBER) AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, reader.state AS state, CAST(NULL AS DATE) AS started_utc,
       reader.total_messages_dequeued AS total_in, CAST(NULL AS NUMBER) AS total_out,
       reader.total_messages_spilled AS spilled, CAST(NULL AS NUMBER) AS waiting, CAST(NULL AS NUMBER) AS received,
       CAST(NULL AS NUMBER) AS applied, CAST(NULL AS NUMBER) AS paused_s, reader.elapsed_spill_time / 100 AS spill_s,
       reader.sga_used AS used_bytes, CAST(NULL AS NUMBER) AS size_bytes,
       (reader.dequeue_time - reader.dequeued_message_create_time) * 86400 AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM v$gg_apply_reader reader
UNION ALL
SELECT 'coordinator' AS part, coordinator.apply_name AS name, CAST(NULL AS NUMBER) AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, coordinator.state AS state,
       coordinator.startup_time + ROUND((CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - SYSDATE) * 96) / 96 AS started_utc,
       CAST(NULL AS NUMBER) AS total_in, CAST(NULL AS NUMBER) AS total_out, CAST(NULL AS NUMBER) AS spilled,
       CAST(NULL AS NUMBER) AS waiting, coordinator.total_received AS received, coordinator.total_applied AS applied,
       CAST(NULL AS NUMBER) AS paused_s, CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes,
       CAST(NULL AS NUMBER) AS size_bytes,
       (coordinator.hwm_time - coordinator.hwm_message_create_time) * 86400 AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM v$gg_apply_coordinator coordinator
UNION ALL
SELECT 'server' AS part, server.apply_name AS name, server.server_id AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, server.state AS state, CAST(NULL AS DATE) AS started_utc,
       CAST(NULL AS NUMBER) AS total_in, server.total_messages_applied AS total_out, CAST(NULL AS NUMBER) AS spilled,
       CAST(NULL AS NUMBER) AS waiting, CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied,
       CAST(NULL AS NUMBER) AS paused_s, CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes,
       CAST(NULL AS NUMBER) AS size_bytes, CAST(NULL AS NUMBER) AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM v$gg_apply_server server
UNION ALL
SELECT 'progress' AS part, progress.apply_name AS name, CAST(NULL AS NUMBER) AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, CAST(NULL AS VARCHAR2(600)) AS state, CAST(NULL AS DATE) AS started_utc,
       CAST(NULL AS NUMBER) AS total_in, CAST(NULL AS NUMBER) AS total_out, CAST(NULL AS NUMBER) AS spilled,
       CAST(NULL AS NUMBER) AS waiting, CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied,
       CAST(NULL AS NUMBER) AS paused_s, CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes,
       CAST(NULL AS NUMBER) AS size_bytes,
       (progress.apply_time - progress.applied_message_create_time) * 86400 AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM dba_apply_progress progress
UNION ALL
SELECT 'staged' AS part, staged.apply_name AS name, CAST(NULL AS NUMBER) AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, CAST(NULL AS VARCHAR2(600)) AS state, CAST(NULL AS DATE) AS started_utc,
       CAST(NULL AS NUMBER) AS total_in, CAST(NULL AS NUMBER) AS total_out, SUM(staged.message_count) AS spilled,
       COUNT(*) AS waiting, CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied,
       CAST(NULL AS NUMBER) AS paused_s, CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes,
       CAST(NULL AS NUMBER) AS size_bytes, CAST(NULL AS NUMBER) AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM dba_apply_spill_txn staged
GROUP BY staged.apply_name
UNION ALL
SELECT 'errors' AS part, fault.apply_name AS name, CAST(NULL AS NUMBER) AS server_id,
       CAST(NULL AS VARCHAR2(20)) AS status, CAST(NULL AS VARCHAR2(600)) AS state, CAST(NULL AS DATE) AS started_utc,
       CAST(NULL AS NUMBER) AS total_in, CAST(NULL AS NUMBER) AS total_out, CAST(NULL AS NUMBER) AS spilled,
       COUNT(*) AS waiting, CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied,
       CAST(NULL AS NUMBER) AS paused_s, CAST(NULL AS NUMBER) AS spill_s, CAST(NULL AS NUMBER) AS used_bytes,
       CAST(NULL AS NUMBER) AS size_bytes, CAST(NULL AS NUMBER) AS latency_s,
       CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM dba_apply_error fault
GROUP BY fault.apply_name
UNION ALL
SELECT 'pool' AS part, 'streams pool' AS name, CAST(NULL AS NUMBER) AS server_id, CAST(NULL AS VARCHAR2(20)) AS status,
       CAST(NULL AS VARCHAR2(600)) AS state, CAST(NULL AS DATE) AS started_utc, CAST(NULL AS NUMBER) AS total_in,
       CAST(NULL AS NUMBER) AS total_out, CAST(NULL AS NUMBER) AS spilled, CAST(NULL AS NUMBER) AS waiting,
       CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied, CAST(NULL AS NUMBER) AS paused_s,
       CAST(NULL AS NUMBER) AS spill_s, pool.total_memory_allocated AS used_bytes, pool.current_size AS size_bytes,
       CAST(NULL AS NUMBER) AS latency_s, CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM v$streams_pool_statistics pool
UNION ALL
SELECT 'redo' AS part, counted.name AS name, CAST(NULL AS NUMBER) AS server_id, CAST(NULL AS VARCHAR2(20)) AS status,
       CAST(NULL AS VARCHAR2(600)) AS state, CAST(NULL AS DATE) AS started_utc, CAST(NULL AS NUMBER) AS total_in,
       CAST(NULL AS NUMBER) AS total_out, CAST(NULL AS NUMBER) AS spilled, CAST(NULL AS NUMBER) AS waiting,
       CAST(NULL AS NUMBER) AS received, CAST(NULL AS NUMBER) AS applied, CAST(NULL AS NUMBER) AS paused_s,
       CAST(NULL AS NUMBER) AS spill_s, counted.value AS used_bytes, CAST(NULL AS NUMBER) AS size_bytes,
       CAST(NULL AS NUMBER) AS latency_s, CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS at_utc
FROM v$sysstat counted
WHERE counted.name = 'redo size'
