/*
name: start_propagation
purpose: start one propagation
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_PROPAGATION_ADM
versions: 10.2 and later
form: plsql
binds:
  :process_name VARCHAR2 -- name of the propagation
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_PROPAGATION_ADM.html
*/
BEGIN
    DBMS_PROPAGATION_ADM.START_PROPAGATION(propagation_name => :process_name);
END;
