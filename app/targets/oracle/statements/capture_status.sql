/*
name: capture_status
purpose: whether one capture is enabled and what its session does
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 18c
form: select
binds:
  :capture_name VARCHAR2 -- name of the capture
columns:
  status VARCHAR2 -- ENABLED, DISABLED or ABORTED
  state VARCHAR2? -- what its session does, NULL where it has none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE.html; https://docs.oracle.com/en/database/oracle/oracle-database/18/refrn/V-STREAMS_CAPTURE.html
*/
SELECT capture.status AS status, running.state AS state
FROM dba_capture capture
LEFT JOIN v$streams_capture running ON running.capture_name = capture.capture_name
WHERE capture.capture_name = :capture_name
