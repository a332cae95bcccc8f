/*
name: commit_load
purpose: commit the open transaction of the load
access: change
runs at: source
connection: load
permission: none
versions: 10.2 and later
form: plsql
binds: none
columns: none
client-owned: none
source: own test workload
*/
BEGIN
    COMMIT;
END;
