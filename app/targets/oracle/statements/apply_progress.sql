/*
name: apply_progress
purpose: how far each apply has come, kept across restarts
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  apply_name VARCHAR2 -- name of the apply
  applied_scn INTEGER? -- all transactions up to here are applied
  oldest_scn INTEGER? -- of the oldest message it still needs
  latency_s NUMBER? [s] -- source commit to apply, both ends' clocks
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_PROGRESS.html
*/
SELECT progress.apply_name AS apply_name,
       progress.applied_message_number AS applied_scn,
       progress.oldest_message_number AS oldest_scn,
       (progress.apply_time - progress.applied_message_create_time) * 86400 AS latency_s
FROM dba_apply_progress progress
ORDER BY progress.apply_name
