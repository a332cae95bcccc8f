/*
name: set_propagation_latency
purpose: set the longest wait before a propagation sends a message, only where it is as expected
access: change
runs at: source
connection: control
permission: EXECUTE on DBMS_AQADM, and SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :propagation_name VARCHAR2 <process> -- name of the propagation
  :latency_s NUMBER [s] -- new value
  :expected NUMBER? [s] -- what it must be now; NULL for any
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_AQADM.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_PROPAGATION.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_QUEUE_SCHEDULES.html
*/
-- What is left out falls to its default, so duration and next time are written as they stand at this moment.
DECLARE
    expected NUMBER := :expected;
    latency_now NUMBER;
    source_queue VARCHAR2(300);
    database_link VARCHAR2(300);
    own_queue VARCHAR2(300);
    window_s NUMBER;
    next_window VARCHAR2(4000);
BEGIN
    SELECT propagation.source_queue_owner || '.' || propagation.source_queue_name,
           propagation.destination_dblink,
           DECODE(UPPER(propagation.queue_to_queue),
                  'TRUE', propagation.destination_queue_owner || '.' || propagation.destination_queue_name),
           schedule.latency,
           schedule.propagation_window,
           schedule.next_time
    INTO source_queue, database_link, own_queue, latency_now, window_s, next_window
    FROM dba_propagation propagation
    LEFT JOIN dba_queue_schedules schedule
           ON schedule.schema = propagation.source_queue_owner
          AND schedule.qname = propagation.source_queue_name
          AND schedule.message_delivery_mode = 'BUFFERED'
          AND schedule.destination IN (propagation.destination_dblink,
                                       '"' || propagation.destination_queue_owner || '"."'
                                           || propagation.destination_queue_name || '"@'
                                           || propagation.destination_dblink)
    WHERE propagation.propagation_name = :propagation_name;
    IF latency_now <> expected THEN
        RAISE_APPLICATION_ERROR(-20004, 'another value stands there now');
    END IF;
    DBMS_AQADM.ALTER_PROPAGATION_SCHEDULE(queue_name => source_queue,
                                          destination => database_link,
                                          duration => window_s,
                                          next_time => next_window,
                                          latency => :latency_s,
                                          destination_queue => own_queue);
END;
