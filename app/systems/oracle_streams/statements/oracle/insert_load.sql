/*
name: insert_load
purpose: insert rows into the test table, committing after every so many
access: change
runs at: source
connection: load
permission: the test table's owner, or SELECT, INSERT and UPDATE ANY TABLE
versions: 10.2 and later
form: plsql
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
  :first_id NUMBER -- key of the first row
  :rows_wanted NUMBER [rows] -- how many
  :rows_per_commit NUMBER [rows] -- of one transaction
columns:
  rows_written INTEGER [rows] -- inserted and committed
client-owned:
  REPLITUNE_LOAD (ID NUMBER, AMOUNT NUMBER, PAYLOAD VARCHAR2) -- test table of this program
source: own test workload; https://docs.oracle.com/cd/E18283_01/server.112/e10705/rep_tags.htm
*/
DECLARE
    schema_found all_users.username%TYPE;
    written NUMBER := 0;
    portion NUMBER;
BEGIN
    SELECT person.username INTO schema_found FROM all_users person WHERE person.username = :schema_name;
    WHILE written < :rows_wanted LOOP
        portion := LEAST(:rows_per_commit, :rows_wanted - written);
        EXECUTE IMMEDIATE 'INSERT INTO "' || schema_found || '"."REPLITUNE_LOAD" (id, amount, payload)'
            || ' SELECT :first_id + LEVEL - 1, 0, RPAD(''x'', 200, ''x'') FROM dual CONNECT BY LEVEL <= :portion'
            USING :first_id + written, portion;
        written := written + portion;
        COMMIT;
    END LOOP;
    :rows_written := written;
END;
