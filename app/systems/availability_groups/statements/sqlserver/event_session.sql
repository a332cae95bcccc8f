/*
name: event_session
purpose: whether the extended events session on seeding exists and runs
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @session_name sysname -- name of the event session
columns:
  is_running int -- 1 where it runs; no row where it does not exist
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-server-event-sessions-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-xe-sessions-transact-sql.md
*/
SELECT CASE WHEN running.name IS NULL THEN 0 ELSE 1 END AS is_running
FROM sys.server_event_sessions AS sessions
LEFT JOIN sys.dm_xe_sessions AS running ON running.name = sessions.name
WHERE sessions.name = @session_name;
