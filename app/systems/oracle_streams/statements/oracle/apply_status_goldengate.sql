/*
name: apply_status_goldengate
purpose: whether one apply is enabled and what its coordinator does
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 12.1 and later
form: select
binds:
  :apply_name VARCHAR2 <process> -- name of the apply
columns:
  status VARCHAR2 <word> -- ENABLED, DISABLED or ABORTED
  state VARCHAR2? <word> -- of its coordinator, NULL where none runs
  error_message VARCHAR2? <sentence> -- error that ended it
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-GG_APPLY_COORDINATOR.html
*/
SELECT process.status AS status, coordinator.state AS state, process.error_message AS error_message
FROM dba_apply process
LEFT JOIN v$gg_apply_coordinator coordinator ON coordinator.apply_name = process.apply_name
WHERE process.apply_name = :apply_name
