/*
name: propagation_schedule
purpose: latency, window and next time of one propagation's schedule
access: read
runs at: source
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :propagation_name VARCHAR2 <process> -- name of the propagation
columns:
  propagation_name VARCHAR2 <process> -- name of the propagation
  source_queue_owner VARCHAR2 <login> -- owner of the queue it reads
  source_queue_name VARCHAR2 <queue> -- queue it reads
  destination_queue_owner VARCHAR2 <login> -- owner of the queue it fills
  destination_queue_name VARCHAR2 <queue> -- queue it fills
  destination_dblink VARCHAR2? <database> -- database link
  queue_to_queue VARCHAR2? <word> -- TRUE where its schedule is its own
  latency NUMBER? [s] -- longest wait before a message is sent
  propagation_window NUMBER? [s] -- duration of a window, NULL for ever
  next_time VARCHAR2? -- expression for the next window
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_PROPAGATION.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_QUEUE_SCHEDULES.html
*/
SELECT propagation.propagation_name AS propagation_name,
       propagation.source_queue_owner AS source_queue_owner,
       propagation.source_queue_name AS source_queue_name,
       propagation.destination_queue_owner AS destination_queue_owner,
       propagation.destination_queue_name AS destination_queue_name,
       propagation.destination_dblink AS destination_dblink,
       propagation.queue_to_queue AS queue_to_queue,
       schedule.latency AS latency,
       schedule.propagation_window AS propagation_window,
       schedule.next_time AS next_time
FROM dba_propagation propagation
LEFT JOIN dba_queue_schedules schedule
       ON schedule.schema = propagation.source_queue_owner
      AND schedule.qname = propagation.source_queue_name
      AND schedule.message_delivery_mode = 'BUFFERED'
      AND schedule.destination IN (propagation.destination_dblink,
                                   '"' || propagation.destination_queue_owner || '"."'
                                       || propagation.destination_queue_name || '"@'
                                       || propagation.destination_dblink)
WHERE propagation.propagation_name = :propagation_name
