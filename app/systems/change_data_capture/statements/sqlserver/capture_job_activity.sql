/*
name: capture_job_activity
purpose: whether a capture job runs, since when, and how its last run ended
access: read
runs at: any
database: msdb
permission: SELECT on msdb.dbo.sysjobactivity, msdb.dbo.sysjobhistory, msdb.dbo.sysjobs
versions: SQL Server 2012 and later
form: select
parameters:
  @job_id uniqueidentifier <word> -- of the Agent job
columns:
  started_local nvarchar? <word> -- when the run began that goes on now, NULL while it stands
  last_ending int? -- run_status of its newest run in the history, NULL where that holds none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobhistory-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobs-transact-sql.md
*/
SELECT CONVERT(nvarchar(23), activity.start_execution_date, 121) AS started_local,
       (SELECT TOP (1) past.run_status
        FROM msdb.dbo.sysjobhistory AS past
        WHERE past.job_id = jobs.job_id AND past.step_id = 0
        ORDER BY past.instance_id DESC) AS last_ending
FROM msdb.dbo.sysjobs AS jobs
LEFT JOIN msdb.dbo.sysjobactivity AS activity
       ON activity.job_id = jobs.job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL
WHERE jobs.job_id = @job_id;
