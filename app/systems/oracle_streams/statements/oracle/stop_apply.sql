/*
name: stop_apply
purpose: ask one apply to stop, never by force, which may leave gaps; a large open transaction is rolled back first
access: change
runs at: destination
connection: control
permission: EXECUTE on DBMS_APPLY_ADM as Streams administrator, or the DBA role
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 <process> -- name of the apply
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_APPLY_ADM.html
*/
BEGIN
    DBMS_APPLY_ADM.STOP_APPLY(apply_name => :process_name, force => FALSE);
END;
