/*
name: spilled_transactions
purpose: transactions the apply reader has staged on disk
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  apply_name VARCHAR2 -- name of the apply
  transaction_id VARCHAR2 -- undo segment, slot and sequence
  messages INTEGER [messages] -- staged
  age_s NUMBER? [s] -- since it was staged
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_SPILL_TXN.html
*/
SELECT staged.apply_name AS apply_name,
       staged.xidusn || '.' || staged.xidslt || '.' || staged.xidsqn AS transaction_id,
       staged.message_count AS messages,
       (SYSDATE - staged.spill_creation_time) * 86400 AS age_s
FROM dba_apply_spill_txn staged
ORDER BY staged.message_count DESC
