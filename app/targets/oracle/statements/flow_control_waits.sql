/*
name: flow_control_waits
purpose: time all sessions have waited for flow control and pool memory since the instance started
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  event VARCHAR2 -- name of the wait
  total_waits INTEGER [count] -- how often
  waited_s NUMBER [s] -- how long
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SYSTEM_EVENT.html
*/
SELECT waited.event AS event, waited.total_waits AS total_waits, waited.time_waited_micro / 1000000 AS waited_s
FROM v$system_event waited
WHERE waited.event LIKE 'Streams AQ: enqueue blocked%'
   OR waited.event LIKE 'Streams capture: %'
   OR waited.event LIKE 'REPL Capture%'
ORDER BY waited.event
