/*
name: load_prepared
purpose: whether a capture is ready for the test table
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
columns:
  scn INTEGER? -- lowest SCN the table can be instantiated at
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_CAPTURE_PREPARED_TABLES.html
*/
SELECT prepared.scn AS scn
FROM dba_capture_prepared_tables prepared
WHERE prepared.table_owner = :schema_name
  AND prepared.table_name = 'REPLITUNE_LOAD'
