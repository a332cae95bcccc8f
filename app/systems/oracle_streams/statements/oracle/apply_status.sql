/*
name: apply_status
purpose: whether one apply is enabled, what its coordinator does and since when
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: select
binds:
  :apply_name VARCHAR2 <process> -- name of the apply
columns:
  status VARCHAR2 <word> -- ENABLED, DISABLED or ABORTED
  state VARCHAR2? <word> -- of its coordinator, NULL where none runs
  error_message VARCHAR2? <sentence> -- error that ended it
  started_local VARCHAR2? <word> -- when its coordinator was started, the database's time of day
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-STREAMS_APPLY_COORDINATOR.html
*/
SELECT process.status AS status, coordinator.state AS state, process.error_message AS error_message,
       TO_CHAR(coordinator.startup_time, 'YYYY-MM-DD HH24:MI:SS') AS started_local
FROM dba_apply process
LEFT JOIN v$streams_apply_coordinator coordinator ON coordinator.apply_name = process.apply_name
WHERE process.apply_name = :apply_name
