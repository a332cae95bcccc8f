/*
name: left_event_sessions
purpose: the extended events sessions on seeding this program made
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  session_name sysname <word> -- name of the event session, which ends with its session of this program
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-server-event-sessions-transact-sql.md
*/
SELECT sessions.name AS session_name
FROM sys.server_event_sessions AS sessions
WHERE sessions.name LIKE N'Replitune seeding %'
ORDER BY sessions.name;
