/*
name: processor_time
purpose: how busy the processors of a database's host were, and how much of it was this database
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  host_name VARCHAR2 <server> -- host of the instance
  busy_s NUMBER? [s] -- of all processors since the host started; NULL where the host does not tell
  idle_s NUMBER? [s] -- likewise
  own_s NUMBER? [s] -- by sessions and background processes of this instance, since it started
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-OSSTAT.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SYS_TIME_MODEL.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-INSTANCE.html
*/
-- Hundredths of a second there, millionths here. Totals: two readings tell of the time between them.
SELECT host.host_name AS host_name,
       (SELECT MAX(busy.value) FROM v$osstat busy WHERE busy.stat_name = 'BUSY_TIME') / 100 AS busy_s,
       (SELECT MAX(idle.value) FROM v$osstat idle WHERE idle.stat_name = 'IDLE_TIME') / 100 AS idle_s,
       (SELECT SUM(own.value)
        FROM v$sys_time_model own
        WHERE LOWER(own.stat_name) IN ('db cpu', 'background cpu time')) / 1000000 AS own_s
FROM v$instance host
