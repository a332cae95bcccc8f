/*
name: drop_load_table
purpose: drop the test table, only where its comment says this program made it
access: change
runs at: both
connection: control
permission: DROP ANY TABLE, EXECUTE on DBMS_STREAMS, SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
  :remark VARCHAR2 <word> -- comment the table must have
columns: none
client-owned:
  REPLITUNE_LOAD (ID NUMBER, AMOUNT NUMBER, PAYLOAD VARCHAR2) -- test table of this program
source: own test workload; https://docs.oracle.com/cd/E18283_01/server.112/e10705/rep_tags.htm
*/
DECLARE
    schema_found all_users.username%TYPE;
    found_tables NUMBER;
BEGIN
    SELECT person.username INTO schema_found FROM all_users person WHERE person.username = :schema_name;
    SELECT COUNT(*) INTO found_tables
    FROM dba_tab_comments note
    WHERE note.owner = schema_found AND note.table_name = 'REPLITUNE_LOAD' AND note.comments = :remark;
    IF found_tables = 1 THEN
        DBMS_STREAMS.SET_TAG(tag => HEXTORAW('1D'));
        EXECUTE IMMEDIATE 'DROP TABLE "' || schema_found || '"."REPLITUNE_LOAD" PURGE';
        DBMS_STREAMS.SET_TAG(tag => NULL);
    END IF;
EXCEPTION
    WHEN OTHERS THEN
        DBMS_STREAMS.SET_TAG(tag => NULL);
        RAISE;
END;
