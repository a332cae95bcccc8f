/*
name: trace_on
purpose: trace one session with waits and bind values (event 10046, level 12), only where it is as expected
access: change
runs at: destination
connection: control
permission: EXECUTE on DBMS_MONITOR, and SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :sid NUMBER -- session
  :serial_number NUMBER -- serial number of the session
  :expected VARCHAR2? <word> -- ENABLED or DISABLED, what it must be now; NULL for any
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SESSION.html; https://docs.oracle.com/cd/E16655_01/appdev.121/e17602/d_monitor.htm
*/
DECLARE
    expected VARCHAR2(8) := :expected;
    traced_now VARCHAR2(8);
BEGIN
    SELECT MAX(held.sql_trace) INTO traced_now FROM v$session held WHERE held.sid = :sid AND held.serial# = :serial_number;
    IF traced_now <> expected THEN
        RAISE_APPLICATION_ERROR(-20004, 'another value stands there now');
    END IF;
    DBMS_MONITOR.SESSION_TRACE_ENABLE(session_id => :sid, serial_num => :serial_number, waits => TRUE, binds => TRUE);
END;
