/*
name: left_load_tables
purpose: test tables that carry this program's comment, in whatever schema
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  schema_name VARCHAR2 <login> -- schema of the test table
  comments VARCHAR2 <word> -- says for which session this program made it
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_TAB_COMMENTS.html
*/
SELECT note.owner AS schema_name, note.comments AS comments
FROM dba_tab_comments note
WHERE note.table_name = 'REPLITUNE_LOAD'
  AND note.comments LIKE 'Replitune test table of %'
ORDER BY note.owner
