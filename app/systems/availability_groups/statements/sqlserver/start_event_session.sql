/*
name: start_event_session
purpose: make and start the extended events session on seeding, in memory only, unless it is there
access: change
runs at: replica
database: master
permission: ALTER ANY EVENT SESSION
versions: SQL Server 2016 and later
form: batch
parameters:
  @session_name sysname -- name of the event session, begins with 'Replitune'; any other is left alone
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/create-event-session-transact-sql.md; MicrosoftDocs/sql-docs:docs/database-engine/availability-groups/windows/automatic-seeding-secondary-replicas.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
-- A file target would leave its files behind; a ring buffer goes with the session.
SET @text = N'CREATE EVENT SESSION ' + QUOTENAME(@session_name) + N' ON SERVER
ADD EVENT sqlserver.hadr_automatic_seeding_start,
ADD EVENT sqlserver.hadr_automatic_seeding_state_transition,
ADD EVENT sqlserver.hadr_automatic_seeding_success,
ADD EVENT sqlserver.hadr_automatic_seeding_failure,
ADD EVENT sqlserver.hadr_automatic_seeding_timeout,
ADD EVENT sqlserver.hadr_physical_seeding_progress
ADD TARGET package0.ring_buffer (SET max_memory = (4096), max_events_limit = (0))
WITH (MAX_MEMORY = 4096 KB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS, MAX_DISPATCH_LATENCY = 5 SECONDS, STARTUP_STATE = OFF);';
IF @session_name LIKE N'Replitune%'
   AND NOT EXISTS (SELECT 1 FROM sys.server_event_sessions AS sessions WHERE sessions.name = @session_name)
    EXEC sys.sp_executesql @stmt = @text;
SET @text = N'ALTER EVENT SESSION ' + QUOTENAME(@session_name) + N' ON SERVER STATE = START;';
IF @session_name LIKE N'Replitune%' AND NOT EXISTS (SELECT 1 FROM sys.dm_xe_sessions AS running WHERE running.name = @session_name)
    EXEC sys.sp_executesql @stmt = @text;
