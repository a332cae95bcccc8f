/*
name: set_capture_parameter
purpose: give a parameter of one capture a value, or its default back, only where it is as expected
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_CAPTURE_ADM as Streams administrator, or the DBA role, and SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 <process> -- name of the capture
  :parameter_name VARCHAR2 <word> -- in capitals
  :value VARCHAR2? <word> -- value as text, NULL puts the default back
  :expected VARCHAR2? <word> -- what the view must say of it: YES where somebody set it, a slash, its value; NULL for any
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE_PARAMETERS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CAPTURE_ADM.html
*/
DECLARE
    expected VARCHAR2(4000) := :expected;
    shown_now VARCHAR2(4000);
BEGIN
    SELECT NVL(MAX(DECODE(shown.set_by_user, 'YES', 'YES') || '/' || shown.value), '/') INTO shown_now
    FROM dba_capture_parameters shown
    WHERE shown.capture_name = :process_name AND shown.parameter = :parameter_name;
    IF shown_now <> expected THEN
        RAISE_APPLICATION_ERROR(-20004, 'another value stands there now');
    END IF;
    DBMS_CAPTURE_ADM.SET_PARAMETER(capture_name => :process_name, parameter => :parameter_name, value => :value);
END;
