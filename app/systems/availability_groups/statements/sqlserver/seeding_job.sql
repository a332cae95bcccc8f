/*
name: seeding_job
purpose: whether a job of this program runs, and the steps it has ended
access: read
runs at: replica
database: master
permission: SELECT on the job tables of msdb (sysadmin, or SQLAgentReaderRole)
versions: SQL Server 2012 and later
form: select
parameters:
  @job_name sysname -- name of the job
columns:
  is_running int -- 1 while it runs; no row where there is no such job
  step_name sysname? <word> -- name of a step that has ended; NULL where none has
  started_utc datetime? -- its start
  duration_s int? [s] -- how long it took
  succeeded int? -- 1 where it did
  message nvarchar? <sentence> -- what the server said
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobs-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobhistory-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md
*/
-- Dates and times of the history are numbers: 20261121, 83005 for 8:30:05.
SELECT CASE WHEN EXISTS (SELECT 1
                         FROM msdb.dbo.sysjobactivity AS activity
                         WHERE activity.job_id = jobs.job_id
                               AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
                               AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL)
            THEN 1 ELSE 0 END AS is_running,
       history.step_name AS step_name,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()),
               DATEADD(SECOND, history.run_time / 10000 * 3600 + history.run_time / 100 % 100 * 60 + history.run_time % 100,
                       CONVERT(datetime, CONVERT(nvarchar(8), history.run_date), 112))) AS started_utc,
       history.run_duration / 10000 * 3600 + history.run_duration / 100 % 100 * 60 + history.run_duration % 100 AS duration_s,
       CASE WHEN history.run_status = 1 THEN 1 WHEN history.run_status IS NOT NULL THEN 0 END AS succeeded,
       history.message AS message
FROM msdb.dbo.sysjobs AS jobs
LEFT JOIN msdb.dbo.sysjobhistory AS history ON history.job_id = jobs.job_id AND history.step_id > 0
WHERE jobs.name = @job_name
ORDER BY history.instance_id;
