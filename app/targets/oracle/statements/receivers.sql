/*
name: receivers
purpose: what receives propagated messages at the destination
access: read
runs at: destination
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: where V$PROPAGATION_RECEIVER has STATE (11.2 and later)
form: select
binds: none
columns:
  source_database VARCHAR2? -- global name of the sending database
  source_queue_owner VARCHAR2? -- owner of the queue sent from
  source_queue_name VARCHAR2? -- queue sent from
  queue_owner VARCHAR2? -- owner of the queue filled
  queue_name VARCHAR2? -- queue filled
  total_messages INTEGER? [messages] -- received since its start
  state VARCHAR2? -- what it does now
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-PROPAGATION_RECEIVER.html
*/
SELECT receiver.src_dbname AS source_database,
       receiver.src_queue_schema AS source_queue_owner,
       receiver.src_queue_name AS source_queue_name,
       receiver.dst_queue_schema AS queue_owner,
       receiver.dst_queue_name AS queue_name,
       receiver.total_msgs AS total_messages,
       receiver.state AS state
FROM v$propagation_receiver receiver
