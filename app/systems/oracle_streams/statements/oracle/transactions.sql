/*
name: transactions
purpose: open transactions in the pipeline, largest first
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 18c
form: select
binds: none
columns:
  component VARCHAR2 <word> -- CAPTURE, PROPAGATION_SENDER or APPLY
  process_name VARCHAR2 <process> -- name of the process
  transaction_id VARCHAR2 <word> -- undo segment, slot and sequence
  messages INTEGER [messages] -- processed of it so far
  age_s NUMBER? [s] -- since its first message
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/18/refrn/V-STREAMS_TRANSACTION.html
*/
SELECT flow.streams_type AS component,
       flow.streams_name AS process_name,
       flow.xidusn || '.' || flow.xidslt || '.' || flow.xidsqn AS transaction_id,
       flow.cumulative_message_count AS messages,
       (SYSDATE - flow.first_message_time) * 86400 AS age_s
FROM v$streams_transaction flow
ORDER BY flow.cumulative_message_count DESC
