/*
name: start_backup_job
purpose: back up a database and its log in a job of their own, COPY_ONLY, so that no backup chain of the site is touched
access: change
runs at: primary
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_name sysname -- name of the job, begins with 'Replitune'; any other is left alone
  @database_name sysname <database> -- name of the database
  @backup_name nvarchar -- name of the backups in the history
  @file_stem nvarchar <folder> -- folder and first part of the files' names
  @stripes int [count] -- files the backup is split over, 1 to 64
  @buffer_count int [count] -- BUFFERCOUNT, 0 for the server's choice
  @transfer_bytes int [bytes] -- MAXTRANSFERSIZE, 0 for the server's choice
  @compression nvarchar <word> -- MS_XPRESS, ZSTD_LOW, ZSTD_MEDIUM or ZSTD_HIGH from SQL Server 2025 on; any other for the server's choice
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/backup-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/backup-restore/backup-compression-sql-server.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-add-job-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-add-jobstep-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @devices nvarchar(max), @options nvarchar(max), @text nvarchar(max), @log_text nvarchar(max), @file int;
SET @devices = N'';
SET @file = 1;
WHILE @file <= @stripes
BEGIN
    SET @devices = @devices + CASE WHEN @file > 1 THEN N', ' ELSE N'' END
                 + N'DISK = N''' + REPLACE(@file_stem, N'''', N'''''') + N'_' + CAST(@file AS nvarchar(10)) + N'.bak''';
    SET @file = @file + 1;
END;
SET @options = N' WITH COPY_ONLY, COMPRESSION'
             + CASE @compression WHEN N'MS_XPRESS' THEN N' (ALGORITHM = MS_XPRESS)'
                                 WHEN N'ZSTD_LOW' THEN N' (ALGORITHM = ZSTD, LEVEL = LOW)'
                                 WHEN N'ZSTD_MEDIUM' THEN N' (ALGORITHM = ZSTD, LEVEL = MEDIUM)'
                                 WHEN N'ZSTD_HIGH' THEN N' (ALGORITHM = ZSTD, LEVEL = HIGH)'
                                 ELSE N'' END
             + N', CHECKSUM, FORMAT, INIT, NAME = N''' + REPLACE(@backup_name, N'''', N'''''') + N''''
             + CASE WHEN @buffer_count > 0 THEN N', BUFFERCOUNT = ' + CAST(@buffer_count AS nvarchar(10)) ELSE N'' END
             + CASE WHEN @transfer_bytes > 0 THEN N', MAXTRANSFERSIZE = ' + CAST(@transfer_bytes AS nvarchar(10)) ELSE N'' END;
SET @text = N'BACKUP DATABASE ' + QUOTENAME(@database_name) + N' TO ' + @devices + @options + N';';
SET @log_text = N'BACKUP LOG ' + QUOTENAME(@database_name) + N' TO DISK = N''' + REPLACE(@file_stem, N'''', N'''''') + N'.trn''' + @options + N';';
IF @job_name LIKE N'Replitune%'
BEGIN
    EXEC msdb.dbo.sp_add_job @job_name = @job_name, @enabled = 1, @description = N'Made by Replitune, which removes it';
    EXEC msdb.dbo.sp_add_jobstep @job_name = @job_name, @step_id = 1, @step_name = N'backup', @subsystem = N'TSQL', @command = @text,
         @database_name = N'master', @on_success_action = 3, @on_fail_action = 2;
    EXEC msdb.dbo.sp_add_jobstep @job_name = @job_name, @step_id = 2, @step_name = N'log backup', @subsystem = N'TSQL', @command = @log_text,
         @database_name = N'master', @on_success_action = 1, @on_fail_action = 2;
    EXEC msdb.dbo.sp_add_jobserver @job_name = @job_name;
    EXEC msdb.dbo.sp_start_job @job_name = @job_name;
END;
