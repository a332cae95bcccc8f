/*
name: start_restore_job
purpose: restore a database and its log in a job of their own and join it to its group
access: change
runs at: secondary
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_name sysname -- name of the job, begins with 'Replitune'; any other is left alone
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database; nothing is done where one of this name exists
  @file_stem nvarchar <folder> -- folder and first part of the files' names
  @stripes int [count] -- files the backup is split over, 1 to 64
  @buffer_count int [count] -- BUFFERCOUNT, 0 for the server's choice
  @transfer_bytes int [bytes] -- MAXTRANSFERSIZE, 0 for the server's choice
  @moves nvarchar <folder> -- files that go to another path: name and path of each, each ended by a line feed
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/restore-statements-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-database-transact-sql-set-hadr.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-add-job-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-add-jobstep-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @devices nvarchar(max), @options nvarchar(max), @text nvarchar(max), @log_text nvarchar(max), @join_text nvarchar(max), @name nvarchar(max), @path nvarchar(max), @file int, @end int;
SET @devices = N'';
SET @file = 1;
WHILE @file <= @stripes
BEGIN
    SET @devices = @devices + CASE WHEN @file > 1 THEN N', ' ELSE N'' END
                 + N'DISK = N''' + REPLACE(@file_stem, N'''', N'''''') + N'_' + CAST(@file AS nvarchar(10)) + N'.bak''';
    SET @file = @file + 1;
END;
SET @options = N' WITH CHECKSUM, NORECOVERY'
             + CASE WHEN @buffer_count > 0 THEN N', BUFFERCOUNT = ' + CAST(@buffer_count AS nvarchar(10)) ELSE N'' END
             + CASE WHEN @transfer_bytes > 0 THEN N', MAXTRANSFERSIZE = ' + CAST(@transfer_bytes AS nvarchar(10)) ELSE N'' END;
SET @text = N'RESTORE DATABASE ' + QUOTENAME(@database_name) + N' FROM ' + @devices + @options;
SET @end = CHARINDEX(NCHAR(10), @moves);
WHILE @end > 0
BEGIN
    SET @name = LEFT(@moves, @end - 1);
    SET @moves = SUBSTRING(@moves, @end + 1, LEN(@moves));
    SET @end = CHARINDEX(NCHAR(10), @moves);
    SET @path = LEFT(@moves, @end - 1);
    SET @moves = SUBSTRING(@moves, @end + 1, LEN(@moves));
    SET @text = @text + N', MOVE N''' + REPLACE(@name, N'''', N'''''') + N''' TO N''' + REPLACE(@path, N'''', N'''''') + N'''';
    SET @end = CHARINDEX(NCHAR(10), @moves);
END;
SET @text = @text + N';';
SET @log_text = N'RESTORE LOG ' + QUOTENAME(@database_name) + N' FROM DISK = N''' + REPLACE(@file_stem, N'''', N'''''') + N'.trn''' + @options + N';';
SET @join_text = N'ALTER DATABASE ' + QUOTENAME(@database_name) + N' SET HADR AVAILABILITY GROUP = ' + QUOTENAME(@group_name) + N';';
IF @job_name LIKE N'Replitune%' AND DB_ID(@database_name) IS NULL
BEGIN
    EXEC msdb.dbo.sp_add_job @job_name = @job_name, @enabled = 1, @description = N'Made by Replitune, which removes it';
    EXEC msdb.dbo.sp_add_jobstep @job_name = @job_name, @step_id = 1, @step_name = N'restore', @subsystem = N'TSQL', @command = @text,
         @database_name = N'master', @on_success_action = 3, @on_fail_action = 2;
    EXEC msdb.dbo.sp_add_jobstep @job_name = @job_name, @step_id = 2, @step_name = N'log restore', @subsystem = N'TSQL', @command = @log_text,
         @database_name = N'master', @on_success_action = 3, @on_fail_action = 2;
    EXEC msdb.dbo.sp_add_jobstep @job_name = @job_name, @step_id = 3, @step_name = N'join', @subsystem = N'TSQL', @command = @join_text,
         @database_name = N'master', @on_success_action = 1, @on_fail_action = 2;
    EXEC msdb.dbo.sp_add_jobserver @job_name = @job_name;
    EXEC msdb.dbo.sp_start_job @job_name = @job_name;
END;
