/*
name: set_capture_parameter
purpose: give a parameter of one capture a value, or its default back
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_CAPTURE_ADM as Streams administrator, or the DBA role
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 <process> -- name of the capture
  :parameter_name VARCHAR2 <word> -- in capitals
  :value VARCHAR2? <word> -- value as text, NULL puts the default back
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CAPTURE_ADM.html
*/
BEGIN
    DBMS_CAPTURE_ADM.SET_PARAMETER(capture_name => :process_name, parameter => :parameter_name, value => :value);
END;
