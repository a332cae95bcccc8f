/*
name: trace_off
purpose: end the trace of one session, where that session still exists
access: change
runs at: destination
connection: control
permission: EXECUTE on DBMS_MONITOR, and SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :sid NUMBER -- session
  :serial_number NUMBER -- serial number of the session
columns: none
client-owned: none
source: https://docs.oracle.com/cd/E16655_01/appdev.121/e17602/d_monitor.htm
*/
DECLARE
    found_sessions NUMBER;
BEGIN
    SELECT COUNT(*) INTO found_sessions FROM v$session held WHERE held.sid = :sid AND held.serial# = :serial_number;
    IF found_sessions = 1 THEN
        DBMS_MONITOR.SESSION_TRACE_DISABLE(session_id => :sid, serial_num => :serial_number);
    END IF;
END;
