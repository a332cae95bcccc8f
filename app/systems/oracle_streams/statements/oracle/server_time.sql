/*
name: server_time
purpose: the time of day of the database's host
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  now_utc DATE -- time of day, UTC
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SYS_EXTRACT_UTC.html
*/
SELECT CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) AS now_utc FROM dual
