/*
name: set_load_instantiation
purpose: set from which SCN on the destination applies changes of the test table, or forget it
access: change
runs at: destination
connection: control
permission: EXECUTE on DBMS_APPLY_ADM as Streams administrator, or the DBA role
versions: 10.2 and later
form: plsql
binds:
  :table_name VARCHAR2 <table> -- schema and table in quotes
  :source_database VARCHAR2 <database> -- global name of the source
  :scn NUMBER? -- changes committed after it are applied, NULL forgets it
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_APPLY_ADM.html
*/
BEGIN
    DBMS_APPLY_ADM.SET_TABLE_INSTANTIATION_SCN(source_object_name => :table_name,
                                               source_database_name => :source_database,
                                               instantiation_scn => :scn);
END;
