/*
name: changing_sessions
purpose: this session, and every other one that is marked as changing something for an experiment
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: select
binds: none
columns:
  instance_number INTEGER -- of the instance it is connected to
  session_number INTEGER -- SID
  serial_number INTEGER -- SERIAL#: tells it from an earlier one with the same SID
  logon_text VARCHAR2 <word> -- when it logged on, to the second
  is_own INTEGER -- 1 for this session
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SESSION.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SYS_CONTEXT.html
*/
SELECT changing.inst_id AS instance_number,
       changing.sid AS session_number,
       changing.serial# AS serial_number,
       TO_CHAR(changing.logon_time, 'YYYYMMDDHH24MISS') AS logon_text,
       CASE WHEN changing.sid = SYS_CONTEXT('USERENV', 'SID') AND changing.inst_id = SYS_CONTEXT('USERENV', 'INSTANCE') THEN 1 ELSE 0 END AS is_own
FROM gv$session changing
WHERE changing.client_info LIKE 'Replitune experiment of %'
   OR (changing.sid = SYS_CONTEXT('USERENV', 'SID') AND changing.inst_id = SYS_CONTEXT('USERENV', 'INSTANCE'))
