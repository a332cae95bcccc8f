/*
name: trace_on
purpose: trace one session with waits and bind values (event 10046, level 12)
access: change
runs at: destination
connection: control
permission: EXECUTE on DBMS_MONITOR
versions: 10.2 and later
form: plsql
binds:
  :sid NUMBER -- session
  :serial_number NUMBER -- serial number of the session
columns: none
client-owned: none
source: https://docs.oracle.com/cd/E16655_01/appdev.121/e17602/d_monitor.htm
*/
BEGIN
    DBMS_MONITOR.SESSION_TRACE_ENABLE(session_id => :sid, serial_num => :serial_number, waits => TRUE, binds => TRUE);
END;
