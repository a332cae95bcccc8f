/*
name: trace_state
purpose: whether one session is traced
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :sid NUMBER -- session
  :serial_number NUMBER -- serial number of the session
columns:
  sql_trace VARCHAR2 <word> -- ENABLED or DISABLED
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SESSION.html
*/
SELECT held.sql_trace AS sql_trace
FROM v$session held
WHERE held.sid = :sid
  AND held.serial# = :serial_number
