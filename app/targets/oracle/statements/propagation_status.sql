/*
name: propagation_status
purpose: whether one propagation is enabled
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :propagation_name VARCHAR2 -- name of the propagation
columns:
  status VARCHAR2 -- ENABLED, DISABLED or ABORTED
  error_message VARCHAR2? -- newest error
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_PROPAGATION.html
*/
SELECT propagation.status AS status, propagation.error_message AS error_message
FROM dba_propagation propagation
WHERE propagation.propagation_name = :propagation_name
