/*
name: set_capture_job
purpose: give the capture job its four values in one call, where the expected ones stand; they count from its next start
access: change
runs at: any
database: captured
permission: db_owner in the database; SELECT on msdb.dbo.cdc_jobs
versions: SQL Server 2012 and later
form: batch
parameters:
  @maxtrans int [transactions] -- most transactions of one scan
  @maxscans int [count] -- most scans before the wait
  @is_continuous int -- 1 where it goes on, as it was found
  @pollinginterval_s int [s] -- wait after a round
  @expected nvarchar? <word> -- the four values that must stand there, NULL for any
columns:
  is_expected int -- 0 where others stood there, which were left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sys-sp-cdc-change-job-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-cdc-jobs-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_expected int, @continuous bit;
SELECT @is_expected = COUNT(*), @continuous = @is_continuous
FROM msdb.dbo.cdc_jobs AS captures
WHERE captures.database_id = DB_ID() AND captures.job_type = N'capture'
  AND (@expected IS NULL
       OR @expected = CAST(captures.maxtrans AS nvarchar(20)) + N',' + CAST(captures.maxscans AS nvarchar(20)) + N','
                    + CAST(captures.continuous AS nvarchar(20)) + N',' + CAST(captures.pollinginterval AS nvarchar(20)));
IF @is_expected > 0
    EXEC sys.sp_cdc_change_job @job_type = N'capture', @maxtrans = @maxtrans, @maxscans = @maxscans,
         @continuous = @continuous, @pollinginterval = @pollinginterval_s;
SELECT @is_expected AS is_expected;
