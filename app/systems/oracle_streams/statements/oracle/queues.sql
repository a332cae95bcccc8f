/*
name: queues
purpose: buffered queues with what they hold and have spilled
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  queue_owner VARCHAR2 <login> -- owner of the queue
  queue_name VARCHAR2 <queue> -- name of the queue
  messages INTEGER [messages] -- in the queue now, spilled ones included
  spilled_messages INTEGER [messages] -- of them on disk
  total_messages INTEGER [messages] -- enqueued since its start
  total_spilled_messages INTEGER [messages] -- spilled since its start
  started_utc DATE -- start of its counters
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-BUFFERED_QUEUES.html
*/
SELECT queue.queue_schema AS queue_owner,
       queue.queue_name AS queue_name,
       queue.num_msgs AS messages,
       queue.spill_msgs AS spilled_messages,
       queue.cnum_msgs AS total_messages,
       queue.cspill_msgs AS total_spilled_messages,
       queue.startup_time + ROUND((CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - SYSDATE) * 96) / 96 AS started_utc
FROM v$buffered_queues queue
ORDER BY queue.queue_schema, queue.queue_name
