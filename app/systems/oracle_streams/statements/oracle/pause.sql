/*
name: pause
purpose: let seconds pass in a script that waits for a process
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 18c and later
form: plsql
binds:
  :seconds NUMBER [s] -- to pass
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SESSION.html
*/
BEGIN
    DBMS_SESSION.SLEEP(seconds => :seconds);
END;
