/*
name: load_extent
purpose: lowest and highest key of the test table
access: read
runs at: source
connection: load
permission: the test table's owner, or SELECT, INSERT and UPDATE ANY TABLE
versions: 10.2 and later
form: plsql
binds:
  :schema_name VARCHAR2 <login> -- schema of the test table
columns:
  first_id INTEGER -- lowest key, 1 where the table is empty
  last_id INTEGER -- highest key, 0 where it is empty
client-owned:
  REPLITUNE_LOAD (ID NUMBER, AMOUNT NUMBER, PAYLOAD VARCHAR2) -- test table of this program
source: own test workload; https://docs.oracle.com/cd/E18283_01/server.112/e10705/rep_tags.htm
*/
DECLARE
    schema_found all_users.username%TYPE;
    first_found NUMBER;
    last_found NUMBER;
BEGIN
    SELECT person.username INTO schema_found FROM all_users person WHERE person.username = :schema_name;
    EXECUTE IMMEDIATE 'SELECT NVL(MIN(id), 1), NVL(MAX(id), 0) FROM "' || schema_found || '"."REPLITUNE_LOAD"'
        INTO first_found, last_found;
    :first_id := first_found;
    :last_id := last_found;
END;
