/*
name: capture_jobs
purpose: the capture job of each database in this server's msdb, its four values, and whether it runs
access: read
runs at: any
database: msdb
permission: SELECT on msdb.dbo.cdc_jobs, msdb.dbo.sysjobactivity, msdb.dbo.sysjobs
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  database_name sysname <database> -- database it is of
  job_id uniqueidentifier <word> -- of the Agent job
  job_name nvarchar? -- of the Agent job, NULL where that is gone
  is_enabled int? -- 1 where the Agent may start it by its schedule
  maxtrans int? [transactions] -- most transactions of one scan
  maxscans int? [count] -- most scans before the wait
  is_continuous int? -- 1 where it goes on by itself, else it ends after one round
  pollinginterval_s bigint? [s] -- wait after a round
  is_running int -- 1 while it runs
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-cdc-jobs-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobs-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md
*/
SELECT found.name AS database_name,
       captures.job_id AS job_id,
       jobs.name AS job_name,
       CAST(jobs.enabled AS int) AS is_enabled,
       captures.maxtrans AS maxtrans,
       captures.maxscans AS maxscans,
       CAST(captures.continuous AS int) AS is_continuous,
       captures.pollinginterval AS pollinginterval_s,
       CASE WHEN activity.job_id IS NULL THEN 0 ELSE 1 END AS is_running
FROM msdb.dbo.cdc_jobs AS captures
JOIN sys.databases AS found ON found.database_id = captures.database_id
LEFT JOIN msdb.dbo.sysjobs AS jobs ON jobs.job_id = captures.job_id
LEFT JOIN msdb.dbo.sysjobactivity AS activity
       ON activity.job_id = captures.job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL
WHERE captures.job_type = N'capture'
ORDER BY found.name;
