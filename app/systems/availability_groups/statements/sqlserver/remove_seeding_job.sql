/*
name: remove_seeding_job
purpose: stop a job of this program where it runs, and drop it with its history
access: change
runs at: replica
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_name sysname -- name of the job, begins with 'Replitune'; any other is left alone
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-stop-job-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-delete-job-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @job_id uniqueidentifier, @waits int;
SELECT @job_id = jobs.job_id
FROM msdb.dbo.sysjobs AS jobs
WHERE jobs.name = @job_name AND jobs.name LIKE N'Replitune%';
IF EXISTS (SELECT 1
           FROM msdb.dbo.sysjobactivity AS activity
           WHERE activity.job_id = @job_id
                 AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
                 AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL)
    EXEC msdb.dbo.sp_stop_job @job_id = @job_id;
-- Stopping only signals: the backup or restore rolls back before its job ends.
SET @waits = 0;
WHILE @waits < 20
      AND EXISTS (SELECT 1
                  FROM msdb.dbo.sysjobactivity AS activity
                  WHERE activity.job_id = @job_id
                        AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
                        AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL)
BEGIN
    WAITFOR DELAY '00:00:01';
    SET @waits = @waits + 1;
END;
IF @job_id IS NOT NULL
    EXEC msdb.dbo.sp_delete_job @job_id = @job_id;
