/*
name: start_job
purpose: start the agent's job; returns at once
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
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-start-job-transact-sql.md
*/
EXEC msdb.dbo.sp_start_job @job_id = @job_id;
