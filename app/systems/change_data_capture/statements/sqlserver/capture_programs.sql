/*
name: capture_programs
purpose: programs connected to a captured database, and when each was last active: its readers are among them
access: read
runs at: any
database: master
permission: public (VIEW SERVER STATE to see the sessions of other logins)
versions: SQL Server 2012 and later
form: select
parameters:
  @database_name sysname <database> -- name of the database
columns:
  program nvarchar? -- as it calls itself
  connections int [count] -- its sessions in the database
  last_request_utc datetime? -- when it last asked for something
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-sessions-transact-sql.md
*/
SELECT TOP (20) sessions.program_name AS program,
       COUNT(*) AS connections,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), MAX(sessions.last_request_start_time)) AS last_request_utc
FROM sys.dm_exec_sessions AS sessions
WHERE sessions.is_user_process = 1 AND sessions.database_id = DB_ID(@database_name) AND sessions.session_id <> @@SPID
GROUP BY sessions.program_name
ORDER BY COUNT(*) DESC, sessions.program_name;
