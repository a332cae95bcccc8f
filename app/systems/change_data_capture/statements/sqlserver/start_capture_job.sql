/*
name: start_capture_job
purpose: start the capture job where it stands; it reads its four values then
access: change
runs at: any
database: captured
permission: db_owner in the database; SELECT on msdb.dbo.cdc_jobs, msdb.dbo.sysjobactivity
versions: SQL Server 2012 and later
form: batch
parameters: none
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sys-sp-cdc-start-job-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md
*/
SET NOCOUNT ON;
IF NOT EXISTS (SELECT 1
    FROM msdb.dbo.cdc_jobs AS captures
    JOIN msdb.dbo.sysjobactivity AS activity ON activity.job_id = captures.job_id
    WHERE captures.database_id = DB_ID() AND captures.job_type = N'capture'
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL)
    EXEC sys.sp_cdc_start_job @job_type = N'capture';
