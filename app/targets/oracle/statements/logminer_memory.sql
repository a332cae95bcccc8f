/*
name: logminer_memory
purpose: memory of the LogMiner sessions behind the captures
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  session_name VARCHAR2? -- carries the capture's name
  max_bytes INTEGER? [bytes] -- effective budget, whatever hidden parameter set it
  used_bytes INTEGER? [bytes] -- in use
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-LOGMNR_SESSION.html
*/
SELECT miner.session_name AS session_name, miner.max_memory_size AS max_bytes, miner.used_memory_size AS used_bytes
FROM v$logmnr_session miner
ORDER BY miner.session_name
