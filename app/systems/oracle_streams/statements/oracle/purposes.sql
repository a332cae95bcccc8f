/*
name: purposes
purpose: which product each capture and apply belongs to
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: where DBA_CAPTURE has PURPOSE (11.2 and later)
form: select
binds: none
columns:
  component VARCHAR2 <word> -- capture or apply
  process_name VARCHAR2 <process> -- name of the process
  purpose VARCHAR2? <word> -- Streams, XStream In, XStream Out, GoldenGate Capture, GoldenGate Apply and others
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY.html
*/
SELECT 'capture' AS component, capture.capture_name AS process_name, capture.purpose AS purpose FROM dba_capture capture
UNION ALL
SELECT 'apply' AS component, process.apply_name AS process_name, process.purpose AS purpose FROM dba_apply process
