/*
name: prepare_load_table
purpose: make the capture ready for the test table, with its key in the redo
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_CAPTURE_ADM as Streams administrator, or the DBA role
versions: 10.2 and later
form: plsql
binds:
  :table_name VARCHAR2 <table> -- schema and table in quotes
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CAPTURE_ADM.html
*/
BEGIN
    DBMS_CAPTURE_ADM.PREPARE_TABLE_INSTANTIATION(table_name => :table_name);
END;
