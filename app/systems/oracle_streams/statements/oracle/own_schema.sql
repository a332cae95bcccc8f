/*
name: own_schema
purpose: who this connection is, and the schema it works in
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  login_name VARCHAR2 <login> -- user
  schema_name VARCHAR2 <login> -- schema
  is_dba VARCHAR2? <word> -- TRUE for a SYSDBA connection
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SYS_CONTEXT.html
*/
SELECT SYS_CONTEXT('USERENV', 'SESSION_USER') AS login_name,
       SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AS schema_name,
       SYS_CONTEXT('USERENV', 'ISDBA') AS is_dba
FROM dual
