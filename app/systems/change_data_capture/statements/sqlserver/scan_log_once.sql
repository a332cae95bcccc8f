/*
name: scan_log_once
purpose: capture the next transactions of the log in one scan and time it, while the capture job stands
access: change
runs at: any
database: captured
permission: db_owner in the database
versions: SQL Server 2012 and later
form: batch
limit: 3600 s
parameters:
  @maxtrans int [transactions] -- most transactions of the scan
columns:
  elapsed_ms float [ms] -- of the scan, by the server's clock
  transactions bigint? [transactions] -- captured by it; NULL where the instance counts none
  commands bigint? [commands] -- captured by it
  log_records bigint? [count] -- read by it
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sys-sp-cdc-scan-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/change-data-capture-sys-dm-cdc-log-scan-sessions.md
*/
SET NOCOUNT ON;
DECLARE @begun datetime, @ended datetime, @transactions bigint, @commands bigint, @log_records bigint;
SELECT @transactions = SUM(total.tran_count), @commands = SUM(total.command_count), @log_records = SUM(total.log_record_count)
FROM sys.dm_cdc_log_scan_sessions AS total
WHERE total.session_id = 0;
SET @begun = GETUTCDATE();
EXEC sys.sp_cdc_scan @maxtrans = @maxtrans, @maxscans = 1, @continuous = 0, @pollinginterval = 0;
SET @ended = GETUTCDATE();
SELECT CAST(DATEDIFF(MILLISECOND, @begun, @ended) AS float) AS elapsed_ms,
       SUM(total.tran_count) - ISNULL(@transactions, 0) AS transactions,
       SUM(total.command_count) - ISNULL(@commands, 0) AS commands,
       SUM(total.log_record_count) - ISNULL(@log_records, 0) AS log_records
FROM sys.dm_cdc_log_scan_sessions AS total
WHERE total.session_id = 0;
