/*
name: set_propagation_latency
purpose: set the longest wait before a propagation sends a message
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_AQADM
versions: 10.2 and later
form: plsql
binds:
  :queue_name VARCHAR2 <queue> -- owner and name of the source queue
  :destination VARCHAR2? <database> -- database link, NULL for a queue of the same database
  :duration_s NUMBER? [s] -- as it is, NULL for ever
  :next_time VARCHAR2? -- as it is
  :latency_s NUMBER [s] -- new value
  :destination_queue VARCHAR2? <queue> -- owner and name, for a queue-to-queue propagation only
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_AQADM.html
*/
-- What is left out falls to its default, so duration and next time are written as they were read.
BEGIN
    DBMS_AQADM.ALTER_PROPAGATION_SCHEDULE(queue_name => :queue_name,
                                          destination => :destination,
                                          duration => :duration_s,
                                          next_time => :next_time,
                                          latency => :latency_s,
                                          destination_queue => :destination_queue);
END;
