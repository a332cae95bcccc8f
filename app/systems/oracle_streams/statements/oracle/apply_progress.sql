/*
name: apply_progress
purpose: up to which SCN of the source one apply has applied everything
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: select
binds:
  :apply_name VARCHAR2 <process> -- name of the apply
columns:
  applied_scn INTEGER -- what was committed at the source up to here is applied for certain
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_PROGRESS.html
*/
SELECT progress.applied_message_number AS applied_scn
FROM dba_apply_progress progress
WHERE progress.apply_name = :apply_name
