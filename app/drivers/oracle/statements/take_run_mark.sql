/*
name: take_run_mark
purpose: mark a database as changed by an experiment now, for as long as this connection lives; changes nothing
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 and later
form: plsql
binds:
  :owner VARCHAR2 <word> -- whose experiment it is: a digest of the undo journal's place
columns:
  others INTEGER -- connections that mark it for somebody else; 0 where this one marks it now
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_APPLICATION_INFO.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SESSION.html
*/
DECLARE
    mark VARCHAR2(64);
    marked_by_others NUMBER;
BEGIN
    mark := 'Replitune experiment of ' || :owner;
    SELECT COUNT(*) INTO marked_by_others
    FROM gv$session other
    WHERE other.client_info LIKE 'Replitune experiment of %' AND other.client_info <> mark;
    -- Two that come at one moment each see the other here, after both were marked.
    IF marked_by_others = 0 THEN
        DBMS_APPLICATION_INFO.SET_CLIENT_INFO(client_info => mark);
        SELECT COUNT(*) INTO marked_by_others
        FROM gv$session other
        WHERE other.client_info LIKE 'Replitune experiment of %' AND other.client_info <> mark;
        IF marked_by_others > 0 THEN
            DBMS_APPLICATION_INFO.SET_CLIENT_INFO(client_info => NULL);
        END IF;
    END IF;
    :others := marked_by_others;
END;
