/*
name: release_run_mark
purpose: take back this connection's mark of an experiment
access: read
runs at: both
connection: control
permission: PUBLIC
versions: 10.2 and later
form: plsql
binds: none
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_APPLICATION_INFO.html
*/
BEGIN
    DBMS_APPLICATION_INFO.SET_CLIENT_INFO(client_info => NULL);
END;
