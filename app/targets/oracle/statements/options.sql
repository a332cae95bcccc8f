/*
name: options
purpose: whether the edition can capture and queue
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  option_name VARCHAR2 -- name of the option
  is_installed VARCHAR2 -- TRUE or FALSE
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-OPTION.html
*/
SELECT choice.parameter AS option_name, choice.value AS is_installed
FROM v$option choice
WHERE choice.parameter IN ('Streams Capture', 'Advanced replication', 'GoldenGate')
ORDER BY choice.parameter
