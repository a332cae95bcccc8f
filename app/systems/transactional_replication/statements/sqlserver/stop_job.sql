/*
name: stop_job
purpose: ask the agent's job to stop; it only signals
access: change
runs at: distributor
database: msdb
permission: SQLAgentOperatorRole in msdb or sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-stop-job-transact-sql.md
*/
EXEC msdb.dbo.sp_stop_job @job_id = @job_id;
