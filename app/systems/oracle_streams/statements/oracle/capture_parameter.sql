/*
name: capture_parameter
purpose: one parameter of one capture, no row where it is hidden and was never set
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :process_name VARCHAR2 <process> -- name of the capture
  :parameter_name VARCHAR2 <word> -- in capitals
columns:
  value VARCHAR2? -- as text
  set_by_user VARCHAR2? <word> -- YES where somebody set it
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE_PARAMETERS.html
*/
SELECT shown.value AS value, shown.set_by_user AS set_by_user
FROM dba_capture_parameters shown
WHERE shown.capture_name = :process_name
  AND shown.parameter = :parameter_name
