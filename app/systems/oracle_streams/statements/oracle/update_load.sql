/*
name: update_load
purpose: update a range of rows of the test table without committing
access: change
runs at: source
connection: load
permission: the test table's owner, or SELECT, INSERT and UPDATE ANY TABLE
versions: 10.2 and later
form: plsql
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
  :first_id NUMBER -- lowest key
  :last_id NUMBER -- highest key
columns:
  rows_written INTEGER [rows] -- updated
client-owned:
  REPLITUNE_LOAD (ID NUMBER, AMOUNT NUMBER, PAYLOAD VARCHAR2) -- test table of this program
source: own test workload; https://docs.oracle.com/cd/E18283_01/server.112/e10705/rep_tags.htm
*/
DECLARE
    schema_found all_users.username%TYPE;
BEGIN
    SELECT person.username INTO schema_found FROM all_users person WHERE person.username = :schema_name;
    EXECUTE IMMEDIATE 'UPDATE "' || schema_found || '"."REPLITUNE_LOAD" SET amount = amount + 1 WHERE id BETWEEN :first_id AND :last_id'
        USING :first_id, :last_id;
    :rows_written := SQL%ROWCOUNT;
END;
