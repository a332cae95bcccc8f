/*
name: dictionary_columns
purpose: which views and columns this database has and this login can see
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  view_name VARCHAR2 <word> -- name of the view
  column_name VARCHAR2 <word> -- name of the column
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DICT_COLUMNS.html
*/
SELECT entry.table_name AS view_name, entry.column_name AS column_name
FROM dict_columns entry
WHERE entry.table_name IN ('DBA_APPLY', 'DBA_CAPTURE', 'DBA_QUEUE_SCHEDULES',
                            'V$GG_APPLY_COORDINATOR', 'V$GG_APPLY_READER', 'V$GG_APPLY_SERVER',
                            'V$GOLDENGATE_CAPTURE', 'V$STREAMS_APPLY_COORDINATOR',
                            'V$STREAMS_APPLY_READER', 'V$STREAMS_APPLY_SERVER', 'V$STREAMS_CAPTURE',
                            'V$STREAMS_POOL_STATISTICS', 'V$STREAMS_TRANSACTION', 'V$XSTREAM_APPLY_COORDINATOR',
                            'V$XSTREAM_APPLY_READER', 'V$XSTREAM_APPLY_SERVER', 'V$XSTREAM_CAPTURE')
ORDER BY entry.table_name, entry.column_name
