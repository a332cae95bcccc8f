/*
name: captures
purpose: captures with their queue, state, positions and retention
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  capture_name VARCHAR2 <process> -- name of the capture
  queue_owner VARCHAR2 <login> -- owner of the queue it fills
  queue_name VARCHAR2 <queue> -- queue it fills
  status VARCHAR2 <word> -- ENABLED, DISABLED or ABORTED
  source_database VARCHAR2? <database> -- global name of the database whose redo it mines
  capture_type VARCHAR2? <word> -- LOCAL or DOWNSTREAM
  checkpoint_retention_time NUMBER? [days] -- 4294967295 for ever
  error_number INTEGER? -- error that ended it
  error_message VARCHAR2? <sentence> -- its text
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE.html
*/
SELECT capture.capture_name AS capture_name,
       capture.queue_owner AS queue_owner,
       capture.queue_name AS queue_name,
       capture.status AS status,
       capture.source_database AS source_database,
       capture.capture_type AS capture_type,
       capture.checkpoint_retention_time AS checkpoint_retention_time,
       capture.error_number AS error_number,
       capture.error_message AS error_message
FROM dba_capture capture
ORDER BY capture.capture_name
