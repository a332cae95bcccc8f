/*
name: drop_event_session
purpose: stop and drop the extended events session on seeding, where it is
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
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/drop-event-session-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
SET @text = N'DROP EVENT SESSION ' + QUOTENAME(@session_name) + N' ON SERVER;';
IF @session_name LIKE N'Replitune%'
   AND EXISTS (SELECT 1 FROM sys.server_event_sessions AS sessions WHERE sessions.name = @session_name)
    EXEC sys.sp_executesql @stmt = @text;
