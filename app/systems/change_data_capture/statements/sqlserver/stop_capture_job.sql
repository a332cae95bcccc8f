/*
name: stop_capture_job
purpose: stop the capture job where it runs, and wait for up to two minutes until it has ended
access: change
runs at: any
database: captured
permission: db_owner in the database; SELECT on msdb.dbo.cdc_jobs, msdb.dbo.sysjobactivity
versions: SQL Server 2012 and later
form: batch
limit: 300 s
parameters: none
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sys-sp-cdc-stop-job-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @waited_s int;
SET @waited_s = 0;
IF EXISTS (SELECT 1
    FROM msdb.dbo.cdc_jobs AS captures
    JOIN msdb.dbo.sysjobactivity AS activity ON activity.job_id = captures.job_id
    WHERE captures.database_id = DB_ID() AND captures.job_type = N'capture'
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL)
    EXEC sys.sp_cdc_stop_job @job_type = N'capture';
WHILE @waited_s < 120 AND EXISTS (SELECT 1
    FROM msdb.dbo.cdc_jobs AS captures
    JOIN msdb.dbo.sysjobactivity AS activity ON activity.job_id = captures.job_id
    WHERE captures.database_id = DB_ID() AND captures.job_type = N'capture'
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL)
BEGIN
    WAITFOR DELAY '00:00:01';
    SET @waited_s = @waited_s + 1;
END;
