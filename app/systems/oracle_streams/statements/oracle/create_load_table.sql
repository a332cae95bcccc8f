/*
name: create_load_table
purpose: make the test table and its key, with room for concurrent transactions in their blocks
access: change
runs at: both
connection: control
permission: CREATE ANY TABLE, CREATE ANY INDEX, COMMENT ANY TABLE, ALTER ANY TABLE, EXECUTE on DBMS_STREAMS
versions: 10.2 and later
form: plsql
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
  :initrans NUMBER [count] -- transactions that fit into a block at once
  :remark VARCHAR2 <word> -- comment that marks the table as this program's
columns: none
client-owned:
  REPLITUNE_LOAD (ID NUMBER, AMOUNT NUMBER, PAYLOAD VARCHAR2) -- test table of this program
source: own test workload; https://docs.oracle.com/cd/E18283_01/server.112/e10705/rep_tags.htm
*/
-- The tag keeps the DDL out of the stream: the table is made at each end by itself. The schema comes from the dictionary.
DECLARE
    schema_found all_users.username%TYPE;
    table_name VARCHAR2(300);
    is_made BOOLEAN := FALSE;
BEGIN
    SELECT person.username INTO schema_found FROM all_users person WHERE person.username = :schema_name;
    table_name := '"' || schema_found || '"."REPLITUNE_LOAD"';
    DBMS_STREAMS.SET_TAG(tag => HEXTORAW('1D'));
    EXECUTE IMMEDIATE 'CREATE TABLE ' || table_name
        || ' (id NUMBER NOT NULL, amount NUMBER NOT NULL, payload VARCHAR2(1000)) INITRANS ' || TO_CHAR(:initrans, 'FM990');
    is_made := TRUE;
    EXECUTE IMMEDIATE 'COMMENT ON TABLE ' || table_name || ' IS ''' || REPLACE(:remark, '''', '''''') || '''';
    EXECUTE IMMEDIATE 'ALTER TABLE ' || table_name || ' ADD CONSTRAINT replitune_load_key PRIMARY KEY (id)'
        || ' USING INDEX INITRANS ' || TO_CHAR(:initrans, 'FM990');
    DBMS_STREAMS.SET_TAG(tag => NULL);
EXCEPTION
    WHEN OTHERS THEN
        IF is_made THEN
            EXECUTE IMMEDIATE 'DROP TABLE ' || table_name || ' PURGE';
        END IF;
        DBMS_STREAMS.SET_TAG(tag => NULL);
        RAISE;
END;
