/*
name: source_scn
purpose: current SCN and global name of the source
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  current_scn INTEGER -- system change number now
  global_name VARCHAR2 <database> -- global name of the database
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-DATABASE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/GLOBAL_NAME.html
*/
SELECT moment.current_scn AS current_scn, naming.global_name AS global_name
FROM v$database moment
CROSS JOIN global_name naming
