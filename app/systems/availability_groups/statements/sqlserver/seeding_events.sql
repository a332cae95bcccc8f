/*
name: seeding_events
purpose: what the extended events session on seeding has seen
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE
versions: SQL Server 2016 and later
form: batch
parameters:
  @session_name sysname -- name of the event session
columns:
  at_utc datetime -- time of day
  event_name nvarchar <word> -- name of the event
  detail nvarchar? <sentence> -- its new state or its failure, in the server's words
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-xe-session-targets-transact-sql.md; MicrosoftDocs/sql-docs:docs/database-engine/availability-groups/windows/always-on-extended-events.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
DECLARE @events TABLE (at_utc datetime, event_name nvarchar(128), detail nvarchar(256));
SET @text = N'SELECT found.event.value(N''@timestamp'', N''datetime''), found.event.value(N''@name'', N''nvarchar(128)''),
       ISNULL(found.event.value(N''(data[@name="current_state"]/text)[1]'', N''nvarchar(256)''),
              found.event.value(N''(data[@name="failure_message"]/value)[1]'', N''nvarchar(256)''))
FROM (SELECT CAST(targets.target_data AS xml) AS content
      FROM sys.dm_xe_sessions AS running
      JOIN sys.dm_xe_session_targets AS targets ON targets.event_session_address = running.address
      WHERE running.name = @session_name AND targets.target_name = N''ring_buffer'') AS buffered
CROSS APPLY buffered.content.nodes(N''/RingBufferTarget/event'') AS found (event);';
INSERT INTO @events (at_utc, event_name, detail)
EXEC sys.sp_executesql @stmt = @text, @params = N'@session_name sysname', @session_name = @session_name;
SELECT events.at_utc AS at_utc, events.event_name AS event_name, events.detail AS detail
FROM @events AS events
ORDER BY events.at_utc;
