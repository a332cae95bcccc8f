/*
name: set_job_enabled
purpose: let the schedules of an agent's job start it, or not, where that stands as expected; one that runs goes on
access: change
runs at: distributor
database: msdb
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
  @enabled int -- 1 enabled, 0 disabled
  @expected int? -- how it must stand, NULL for either
columns:
  is_expected int -- 0 where it stood otherwise, and was left; no row where the job is gone
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-update-job-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_expected int;
SELECT @is_expected = MAX(CASE WHEN @expected IS NULL OR CAST(job.enabled AS int) = @expected THEN 1 ELSE 0 END)
FROM msdb.dbo.sysjobs AS job
WHERE job.job_id = @job_id;
IF @is_expected = 1
    EXEC msdb.dbo.sp_update_job @job_id = @job_id, @enabled = @enabled;
SELECT @is_expected AS is_expected
WHERE @is_expected IS NOT NULL;
