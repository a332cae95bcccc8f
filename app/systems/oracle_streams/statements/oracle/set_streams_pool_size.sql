/*
name: set_streams_pool_size
purpose: set STREAMS_POOL_SIZE of the running instance, never below what is in use, only where it is as expected
access: change
runs at: both
connection: control
permission: ALTER SYSTEM, and SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :size_bytes NUMBER [bytes] -- new value; 0 leaves it to SGA_TARGET
  :instance_name VARCHAR2? <server> -- of a cluster the instance it is for; NULL where there is one instance only
  :outlasts_restart INTEGER -- 1 sets the parameter file as well; 0 lets a restart put back what that says
  :expected NUMBER? [bytes] -- what it must be now; NULL for any
columns: none
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/STREAMS_POOL_SIZE.html; https://docs.oracle.com/cd/B19306_01/server.102/b14237/initparams212.htm; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-INSTANCE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SYSTEM.html
*/
-- Without SID a cluster that has a server parameter file would set every instance.
DECLARE
    used_bytes NUMBER;
    expected NUMBER := :expected;
    bytes_now NUMBER;
    scope_wanted VARCHAR2(6) := 'MEMORY';
    instance_found v$instance.instance_name%TYPE;
    is_modifiable v$parameter.issys_modifiable%TYPE;
BEGIN
    SELECT choice.issys_modifiable, TO_NUMBER(choice.value) INTO is_modifiable, bytes_now
    FROM v$parameter choice
    WHERE choice.name = 'streams_pool_size';
    SELECT NVL(SUM(area.bytes), 0) INTO used_bytes
    FROM v$sgastat area
    WHERE area.pool = 'streams pool' AND area.name <> 'free memory';
    SELECT host.instance_name INTO instance_found FROM v$instance host;
    IF instance_found <> :instance_name THEN
        RAISE_APPLICATION_ERROR(-20003, 'this is another instance of the cluster');
    END IF;
    IF bytes_now <> expected THEN
        RAISE_APPLICATION_ERROR(-20004, 'another value stands there now');
    END IF;
    IF :outlasts_restart = 1 THEN
        scope_wanted := 'BOTH';
    END IF;
    IF is_modifiable <> 'IMMEDIATE' THEN
        RAISE_APPLICATION_ERROR(-20001, 'STREAMS_POOL_SIZE cannot be changed while this instance runs');
    END IF;
    IF :size_bytes > 0 AND :size_bytes < used_bytes THEN
        RAISE_APPLICATION_ERROR(-20002, 'more of the Streams pool is in use than that');
    END IF;
    IF :instance_name IS NULL THEN
        EXECUTE IMMEDIATE 'ALTER SYSTEM SET streams_pool_size = ' || TO_CHAR(:size_bytes, 'FM9999999999999990') || ' SCOPE = ' || scope_wanted;
    ELSE
        EXECUTE IMMEDIATE 'ALTER SYSTEM SET streams_pool_size = ' || TO_CHAR(:size_bytes, 'FM9999999999999990') || ' SCOPE = ' || scope_wanted || ' SID = ''' || instance_found || '''';
    END IF;
END;
