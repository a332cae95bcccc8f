/*
name: capture_job_step
purpose: whether the capture job runs the standard step and nothing else that scans; its text stays on the server
access: read
runs at: any
database: msdb
permission: SELECT on msdb.dbo.sysjobsteps
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_id uniqueidentifier <word> -- of the Agent job
columns:
  step_id int? -- of the standard step, NULL where there is none
  occurrences int [count] -- 1 where that step is all there is beside the one that reports the start
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobsteps-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sys-sp-cdc-scan-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @step_id int, @others int;
SELECT @step_id = MIN(CASE WHEN REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(UPPER(step.command), N'EXEC ', N''), N' ', N''), N';', N''), NCHAR(13), N''), NCHAR(10), N'')
                                IN (N'SYS.SP_MSCDC_CAPTURE_JOB', N'[SYS].[SP_MSCDC_CAPTURE_JOB]') THEN step.step_id END),
       @others = SUM(CASE WHEN step.command LIKE N'RAISERROR%' THEN 0 ELSE 1 END)
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id;
SELECT @step_id AS step_id, ISNULL(@others, 0) AS occurrences;
