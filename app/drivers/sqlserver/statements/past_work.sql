/*
name: past_work
purpose: backups that ended and jobs that began or ended here within the last seconds: what else a server was busy with
access: read
runs at: any
database: msdb
permission: SELECT on msdb.dbo.backupset, msdb.dbo.sysjobactivity, msdb.dbo.sysjobs
versions: SQL Server 2012 and later
form: select
parameters:
  @elapsed_s int [s] -- how far back, by the server's own time of day, in which it stamps both tables
columns:
  work nvarchar <word> -- backup, log_backup, job
  subject nvarchar <name> -- the database or the job
  job_id nvarchar? <word> -- GUID of the job, NULL for a backup
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/backupset-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobs-transact-sql.md
*/
-- Activity keeps the newest run of each job, and of all runs that reached into that time the newest is one.
SELECT TOP (100) recent.work AS work,
       recent.subject AS subject,
       recent.job_id AS job_id
FROM (SELECT DISTINCT CASE WHEN backups.type = N'L' THEN N'log_backup' ELSE N'backup' END AS work,
             backups.database_name AS subject,
             CAST(NULL AS nvarchar(36)) AS job_id
      FROM msdb.dbo.backupset AS backups
      WHERE backups.backup_finish_date >= DATEADD(SECOND, -@elapsed_s, GETDATE())
      UNION ALL
      SELECT N'job', jobs.name, CONVERT(nvarchar(36), jobs.job_id)
      FROM msdb.dbo.sysjobactivity AS activity
      JOIN msdb.dbo.sysjobs AS jobs ON jobs.job_id = activity.job_id
      WHERE activity.session_id = (SELECT MAX(latest.session_id) FROM msdb.dbo.sysjobactivity AS latest)
        AND (activity.start_execution_date >= DATEADD(SECOND, -@elapsed_s, GETDATE())
             OR activity.stop_execution_date >= DATEADD(SECOND, -@elapsed_s, GETDATE()))) AS recent
ORDER BY recent.work, recent.subject;
