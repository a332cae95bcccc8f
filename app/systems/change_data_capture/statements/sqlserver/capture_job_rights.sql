/*
name: capture_job_rights
purpose: what this login may see of capture jobs
access: read
runs at: any
database: msdb
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  user_name sysname <login> -- as whom the database knows this login; guest where it has no user of its own
  right_name nvarchar <word> -- as headers of statements write it
  is_held int? -- 1 where the login has it, NULL where there is no such table
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/has-perms-by-name-transact-sql.md
*/
SELECT USER_NAME() AS user_name,
       asked.right_name AS right_name,
       asked.is_held AS is_held
FROM (VALUES (N'SELECT on dbo.cdc_jobs', HAS_PERMS_BY_NAME(N'dbo.cdc_jobs', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.sysjobactivity', HAS_PERMS_BY_NAME(N'dbo.sysjobactivity', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.sysjobhistory', HAS_PERMS_BY_NAME(N'dbo.sysjobhistory', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.sysjobs', HAS_PERMS_BY_NAME(N'dbo.sysjobs', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.sysjobsteps', HAS_PERMS_BY_NAME(N'dbo.sysjobsteps', N'OBJECT', N'SELECT'))
     ) AS asked (right_name, is_held);
