/*
name: publishers
purpose: senders to buffered queues and why they wait
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
  sender_name VARCHAR2? <process> -- capture or propagation that enqueues
  total_messages INTEGER [messages] -- enqueued since its start
  unbrowsed_messages INTEGER? [messages] -- not yet looked at by any reader
  overspilled_messages INTEGER? [messages] -- spilled and not yet looked at
  publisher_state VARCHAR2? <word> -- PUBLISHING MESSAGES, or IN FLOW CONTROL and why
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-BUFFERED_PUBLISHERS.html
*/
SELECT publisher.queue_schema AS queue_owner,
       publisher.queue_name AS queue_name,
       publisher.sender_name AS sender_name,
       publisher.cnum_msgs AS total_messages,
       publisher.unbrowsed_msgs AS unbrowsed_messages,
       publisher.overspilled_msgs AS overspilled_messages,
       publisher.publisher_state AS publisher_state
FROM v$buffered_publishers publisher
ORDER BY publisher.queue_schema, publisher.queue_name, publisher.sender_name
