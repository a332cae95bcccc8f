/*
name: job_outcome
purpose: how the newest run of an agent's job ended, asked only once it was seen to stand
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.sysjobhistory
versions: SQL Server 2012 and later
form: select
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
columns:
  run_status int -- 0 failed, 1 succeeded, 2 retry, 3 stopped by somebody, 4 in progress
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobhistory-transact-sql.md
*/
-- Step 0 is the outcome of the whole job.
SELECT TOP (1) history.run_status AS run_status
FROM msdb.dbo.sysjobhistory AS history
WHERE history.job_id = @job_id AND history.step_id = 0
ORDER BY history.instance_id DESC;
