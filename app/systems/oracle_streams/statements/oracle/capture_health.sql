/*
name: capture_health
purpose: how far behind each capture is, how long it has done what it does, and what LogMiner had to write to disk
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 18c
form: select
binds: none
columns:
  capture_name VARCHAR2 <process> -- name of the capture
  state VARCHAR2? <word> -- what it does now
  state_age_s NUMBER? [s] -- for how long
  latency_s NUMBER? [s] -- between the newest redo there is and the newest it has read
  pageout_s NUMBER? [s] -- LogMiner has spent writing memory to disk since the capture's start
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/18/refrn/V-STREAMS_CAPTURE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-LOGMNR_STATS.html
*/
SELECT running.capture_name AS capture_name,
       running.state AS state,
       (SYSDATE - running.state_changed_time) * 86400 AS state_age_s,
       (running.available_message_create_time - running.capture_message_create_time) * 86400 AS latency_s,
       (SELECT MAX(TO_NUMBER(counted.value)) / 1000000
        FROM v$logmnr_stats counted
        WHERE counted.session_id = running.logminer_id
          AND counted.name = 'microsecs spent in pageout') AS pageout_s
FROM v$streams_capture running
ORDER BY running.capture_name
