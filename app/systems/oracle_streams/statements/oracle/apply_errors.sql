/*
name: apply_errors
purpose: the newest transactions in the error queue
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  apply_name VARCHAR2 <process> -- name of the apply
  transaction_id VARCHAR2 <word> -- local transaction
  messages INTEGER? [messages] -- in the transaction
  error_number INTEGER? -- Oracle error
  error_message VARCHAR2? <sentence> -- its text
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_APPLY_ERROR.html
*/
SELECT fault.apply_name AS apply_name,
       fault.local_transaction_id AS transaction_id,
       fault.message_count AS messages,
       fault.error_number AS error_number,
       fault.error_message AS error_message
FROM (SELECT every_fault.apply_name, every_fault.local_transaction_id, every_fault.message_count,
             every_fault.error_number, every_fault.error_message
      FROM dba_apply_error every_fault
      ORDER BY every_fault.error_creation_time DESC) fault
WHERE ROWNUM <= 50
