/*
name: load_table
purpose: the test table, who made it, and room for concurrent transactions in its blocks
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
columns:
  table_initrans INTEGER [count] -- INITRANS of the table
  key_initrans INTEGER? [count] -- INITRANS of its primary key
  comments VARCHAR2? -- says whether and for whom this program made it
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_TABLES.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_INDEXES.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_TAB_COMMENTS.html
*/
SELECT owned.ini_trans AS table_initrans,
       key_index.ini_trans AS key_initrans,
       note.comments AS comments
FROM dba_tables owned
LEFT JOIN dba_indexes key_index
       ON key_index.table_owner = owned.owner
      AND key_index.table_name = owned.table_name
      AND key_index.index_name = 'REPLITUNE_LOAD_KEY'
LEFT JOIN dba_tab_comments note
       ON note.owner = owned.owner
      AND note.table_name = owned.table_name
WHERE owned.owner = :schema_name
  AND owned.table_name = 'REPLITUNE_LOAD'
