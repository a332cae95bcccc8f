/*
name: job_activity
purpose: whether the agent's job runs now, and since when
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.sysjobactivity, msdb.dbo.sysjobs
versions: SQL Server 2012 and later
form: select
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
columns:
  job_name sysname -- name of the job
  is_enabled int -- 1 enabled
  is_running int -- 1 while it runs, also while it is stopping
  started_local nvarchar? <word> -- when it was started, the Distributor's time of day; NULL while it stands
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobs-transact-sql.md
*/
-- Rows of earlier SQL Server Agent sessions stay in the table: only those of the newest session count.
SELECT job.name AS job_name,
       CAST(job.enabled AS int) AS is_enabled,
       CASE WHEN running.started IS NULL THEN 0 ELSE 1 END AS is_running,
       CONVERT(nvarchar(23), running.started, 121) AS started_local
FROM msdb.dbo.sysjobs AS job
OUTER APPLY (SELECT MAX(activity.start_execution_date) AS started
             FROM msdb.dbo.sysjobactivity AS activity
             WHERE activity.job_id = job.job_id
               AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
               AND activity.start_execution_date IS NOT NULL
               AND activity.stop_execution_date IS NULL) AS running
WHERE job.job_id = @job_id;
