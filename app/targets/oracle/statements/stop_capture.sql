/*
name: stop_capture
purpose: ask one capture to stop, never by force
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_CAPTURE_ADM as Streams administrator, or the DBA role
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 -- name of the capture
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CAPTURE_ADM.html
*/
-- Without force it can answer ORA-26672 and go on running: its status tells.
BEGIN
    DBMS_CAPTURE_ADM.STOP_CAPTURE(capture_name => :process_name, force => FALSE);
END;
