/*
name: lab_wait
purpose: let time pass at a lab, whose clock is its own; sent to no other database
access: read
runs at: source
connection: control
permission: EXECUTE on DBMS_LOCK
versions: 10.2 and later
form: plsql
binds:
  :seconds NUMBER [s] -- to pass
columns:
  now_s NUMBER [s] -- on the lab's own clock, after it
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_LOCK.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SYSDATE.html
*/
BEGIN
    DBMS_LOCK.SLEEP(seconds => :seconds);
    SELECT (SYSDATE - DATE '2000-01-01') * 86400 INTO :now_s FROM dual;
END;
