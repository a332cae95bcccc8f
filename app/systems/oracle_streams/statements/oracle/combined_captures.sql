/*
name: combined_captures
purpose: captures that send straight to an apply (combined capture and apply)
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: where V$STREAMS_CAPTURE has OPTIMIZATION (11.1 to 18c)
form: select
binds: none
columns:
  capture_name VARCHAR2 <process> -- name of the capture
  optimization INTEGER -- above 0 where capture and apply are combined
  apply_name VARCHAR2? <process> -- apply it sends to
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/18/refrn/V-STREAMS_CAPTURE.html
*/
SELECT capture.capture_name AS capture_name, capture.optimization AS optimization, capture.apply_name AS apply_name
FROM v$streams_capture capture
WHERE capture.optimization > 0
