/*
name: schemas
purpose: whether a schema exists
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: 10.2 to 12.1 and later
form: select
binds:
  :schema_name VARCHAR2 <login> -- as the dictionary spells it
columns:
  username VARCHAR2 <login> -- the schema
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_USERS.html
*/
SELECT person.username AS username FROM all_users person WHERE person.username = :schema_name
