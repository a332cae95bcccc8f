/*
name: parameters
purpose: parameters of captures and applies that the views show
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  component VARCHAR2 <word> -- capture or apply
  process_name VARCHAR2 <process> -- name of the process
  parameter_name VARCHAR2 <word> -- in capitals
  value VARCHAR2? -- as text
  set_by_user VARCHAR2? <word> -- YES where somebody set it
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE_PARAMETERS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_PARAMETERS.html
*/
-- Hidden ones appear here only after somebody changed them.
SELECT 'capture' AS component, shown.capture_name AS process_name, shown.parameter AS parameter_name, shown.value AS value,
       shown.set_by_user AS set_by_user
FROM dba_capture_parameters shown
UNION ALL
SELECT 'apply' AS component, shown.apply_name AS process_name, shown.parameter AS parameter_name, shown.value AS value,
       shown.set_by_user AS set_by_user
FROM dba_apply_parameters shown
ORDER BY 1, 2, 3
