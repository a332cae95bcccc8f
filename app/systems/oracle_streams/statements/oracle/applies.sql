/*
name: applies
purpose: apply processes with their queue and state
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  apply_name VARCHAR2 <process> -- name of the apply
  queue_owner VARCHAR2 <login> -- owner of the queue it reads
  queue_name VARCHAR2 <queue> -- queue it reads
  apply_captured VARCHAR2? <word> -- YES where it applies captured changes
  status VARCHAR2 <word> -- ENABLED, DISABLED or ABORTED
  error_number INTEGER? -- error that ended it
  error_message VARCHAR2? <sentence> -- its text
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY.html
*/
SELECT process.apply_name AS apply_name,
       process.queue_owner AS queue_owner,
       process.queue_name AS queue_name,
       process.apply_captured AS apply_captured,
       process.status AS status,
       process.error_number AS error_number,
       process.error_message AS error_message
FROM dba_apply process
ORDER BY process.apply_name
