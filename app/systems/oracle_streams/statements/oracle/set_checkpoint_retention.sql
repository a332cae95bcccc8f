/*
name: set_checkpoint_retention
purpose: set how long a capture keeps its checkpoints
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_CAPTURE_ADM as Streams administrator, or the DBA role
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 <process> -- name of the capture
  :days NUMBER [days] -- 4294967295 keeps them for ever
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CAPTURE_ADM.html
*/
-- It commits whatever is open in this connection, so nothing is. There is no NULL reset, a number is written back.
BEGIN
    DBMS_CAPTURE_ADM.ALTER_CAPTURE(capture_name => :process_name, checkpoint_retention_time => :days);
END;
