/*
name: round_trip
purpose: the smallest statement, to time a round trip
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  one INTEGER -- 1
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Selecting-from-the-DUAL-Table.html
*/
SELECT 1 AS one FROM dual
