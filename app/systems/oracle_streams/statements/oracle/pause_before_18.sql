/*
name: pause_before_18
purpose: let seconds pass in a script that waits for a process
access: read
runs at: both
connection: control
permission: EXECUTE on DBMS_LOCK, or the DBA role
versions: 10.2 to 12.2
form: plsql
binds:
  :seconds NUMBER [s] -- to pass
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_LOCK.html
*/
BEGIN
    DBMS_LOCK.SLEEP(seconds => :seconds);
END;
