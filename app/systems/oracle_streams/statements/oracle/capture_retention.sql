/*
name: capture_retention
purpose: checkpoint retention and first SCN of one capture
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :capture_name VARCHAR2 <process> -- name of the capture
columns:
  checkpoint_retention_time NUMBER? [days] -- 4294967295 for ever
  first_scn INTEGER? -- purging checkpoints moves it for good
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE.html
*/
SELECT capture.checkpoint_retention_time AS checkpoint_retention_time, capture.first_scn AS first_scn
FROM dba_capture capture
WHERE capture.capture_name = :capture_name
