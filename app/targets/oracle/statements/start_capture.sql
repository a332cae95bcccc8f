/*
name: start_capture
purpose: start one capture
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
BEGIN
    DBMS_CAPTURE_ADM.START_CAPTURE(capture_name => :process_name);
END;
