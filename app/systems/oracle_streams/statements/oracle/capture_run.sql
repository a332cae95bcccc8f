/*
name: capture_run
purpose: what one capture does and since when it runs; no row while it stands
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 18c
form: select
binds:
  :capture_name VARCHAR2 <process> -- name of the capture
columns:
  state VARCHAR2? <word> -- what it does now
  started_local VARCHAR2? <word> -- when it was started, the database's time of day
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/18/refrn/V-STREAMS_CAPTURE.html
*/
SELECT running.state AS state,
       TO_CHAR(running.startup_time, 'YYYY-MM-DD HH24:MI:SS') AS started_local
FROM v$streams_capture running
WHERE running.capture_name = :capture_name
