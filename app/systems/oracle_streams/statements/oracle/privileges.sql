/*
name: privileges
purpose: privileges and roles of this login that the program can need
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  kind VARCHAR2 <word> -- system, role or execute
  name VARCHAR2 -- privilege, role, or package that may be executed
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/SESSION_PRIVS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/SESSION_ROLES.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TAB_PRIVS.html
*/
SELECT 'system' AS kind, held.privilege AS name FROM session_privs held
UNION ALL
SELECT 'role' AS kind, enabled.role AS name FROM session_roles enabled
UNION ALL
SELECT 'execute' AS kind, granted.table_name AS name
FROM all_tab_privs granted
WHERE granted.privilege = 'EXECUTE'
  AND granted.table_name IN ('DBMS_APPLY_ADM', 'DBMS_AQADM', 'DBMS_CAPTURE_ADM', 'DBMS_MONITOR', 'DBMS_PROPAGATION_ADM',
                             'DBMS_STREAMS')
