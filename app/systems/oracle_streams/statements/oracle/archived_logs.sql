/*
name: archived_logs
purpose: archived logs the captures still need
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  capture_name VARCHAR2 <process> -- name of the capture
  needed_logs INTEGER [count] -- that must not be purged
  oldest_days NUMBER? [days] -- age of the oldest
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_REGISTERED_ARCHIVED_LOG.html
*/
SELECT needed.consumer_name AS capture_name,
       COUNT(*) AS needed_logs,
       (SYSDATE - MIN(needed.first_time)) AS oldest_days
FROM dba_registered_archived_log needed
WHERE needed.purgeable = 'NO'
GROUP BY needed.consumer_name
