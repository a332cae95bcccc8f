/*
name: job_failure
purpose: why an agent's job failed since a moment of its history, asked while its start is waited for
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.sysjobhistory
versions: SQL Server 2012 and later
form: select
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
  @since_instance int -- newest row of its history at that moment
columns:
  newest_instance int -- newest row of its history now, 0 for none
  message nvarchar? <sentence> -- what the step that failed says, else what the job says; NULL where nothing failed since
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobhistory-transact-sql.md
*/
-- 0 failed, 2 tried again; step 0 is the outcome of the whole job, and the only row where no step could begin.
SELECT ISNULL(MAX(history.instance_id), 0) AS newest_instance,
       (SELECT TOP (1) failed.message
        FROM msdb.dbo.sysjobhistory AS failed
        WHERE failed.job_id = @job_id
          AND failed.instance_id > @since_instance
          AND failed.run_status IN (0, 2)
        ORDER BY CASE WHEN failed.step_id = 0 THEN 1 ELSE 0 END, failed.instance_id) AS message
FROM msdb.dbo.sysjobhistory AS history
WHERE history.job_id = @job_id;
