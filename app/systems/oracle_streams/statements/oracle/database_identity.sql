/*
name: database_identity
purpose: which database answers, and in which role: a service or an alias may lead to another one since
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  dbid VARCHAR2 <word> -- number the database has for life, digits; a standby has its primary's
  global_name VARCHAR2 <database> -- global name of the database
  database_role VARCHAR2 <word> -- PRIMARY, or which kind of standby
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-DATABASE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/GLOBAL_NAME.html
*/
SELECT TO_CHAR(base.dbid) AS dbid,
       (SELECT naming.global_name FROM global_name naming) AS global_name,
       base.database_role AS database_role
FROM v$database base
