/*
name: set_checkpoint_retention
purpose: set how long a capture keeps its checkpoints, only where it is as expected
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_CAPTURE_ADM as Streams administrator, or the DBA role, and SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 <process> -- name of the capture
  :days NUMBER [days] -- 4294967295 keeps them for ever
  :expected NUMBER? [days] -- what it must be now; NULL for any
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CAPTURE_ADM.html
*/
-- It commits whatever is open in this connection, so nothing is. There is no NULL reset, a number is written back.
DECLARE
    expected NUMBER := :expected;
    days_now NUMBER;
BEGIN
    SELECT MAX(process.checkpoint_retention_time) INTO days_now
    FROM dba_capture process
    WHERE process.capture_name = :process_name;
    IF days_now <> expected THEN
        RAISE_APPLICATION_ERROR(-20004, 'another value stands there now');
    END IF;
    DBMS_CAPTURE_ADM.ALTER_CAPTURE(capture_name => :process_name, checkpoint_retention_time => :days);
END;
