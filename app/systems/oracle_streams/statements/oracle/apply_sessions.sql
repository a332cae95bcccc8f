/*
name: apply_sessions
purpose: sessions of an apply's servers
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: select
binds:
  :apply_name VARCHAR2 <process> -- name of the apply
columns:
  server_id INTEGER -- number of the server
  sid INTEGER -- session
  serial_number INTEGER -- serial number of the session
  state VARCHAR2? <word> -- what it does now
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-STREAMS_APPLY_SERVER.html
*/
SELECT server.server_id AS server_id, server.sid AS sid, server.serial# AS serial_number, server.state AS state
FROM v$streams_apply_server server
WHERE server.apply_name = :apply_name
ORDER BY server.server_id
