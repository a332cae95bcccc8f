/*
name: subscribers
purpose: readers of buffered queues and how far behind they are
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  queue_owner VARCHAR2 -- owner of the queue
  queue_name VARCHAR2 -- name of the queue
  subscriber_name VARCHAR2? -- apply or propagation that dequeues
  subscriber_type VARCHAR2? -- kind of subscriber
  messages INTEGER? [messages] -- waiting for it
  total_messages INTEGER? [messages] -- enqueued for it since its start
  total_spilled_messages INTEGER? [messages] -- of them spilled
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-BUFFERED_SUBSCRIBERS.html
*/
SELECT subscriber.queue_schema AS queue_owner,
       subscriber.queue_name AS queue_name,
       subscriber.subscriber_name AS subscriber_name,
       subscriber.subscriber_type AS subscriber_type,
       subscriber.num_msgs AS messages,
       subscriber.cnum_msgs AS total_messages,
       subscriber.total_spilled_msg AS total_spilled_messages
FROM v$buffered_subscribers subscriber
ORDER BY subscriber.queue_schema, subscriber.queue_name, subscriber.subscriber_name
