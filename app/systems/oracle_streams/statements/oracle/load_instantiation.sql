/*
name: load_instantiation
purpose: SCN from which the destination applies changes of the test table
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :source_database VARCHAR2 <database> -- global name of the source
  :schema_name VARCHAR2 <login> -- schema of the test table
columns:
  instantiation_scn INTEGER? -- changes committed after it are applied
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_INSTANTIATED_OBJECTS.html
*/
SELECT object.instantiation_scn AS instantiation_scn
FROM dba_apply_instantiated_objects object
WHERE object.source_database = :source_database
  AND object.source_object_owner = :schema_name
  AND object.source_object_name = 'REPLITUNE_LOAD'
