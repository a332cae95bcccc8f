-- ------------------------------------------------------------------------------------------
-- apply.sql: Sets the recommended values
-- Session S20261121-080000-a1b2c3, Replitune 0.1.0
-- Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.
-- Every batch may be run twice. It stops on another server than its own. It stops where agent,
--   profile or value are not the ones it was written for.
-- * Batch 1: Eight streams deliver the backlog three times as fast (E2, 2.5 commands per
--   transaction; distribution_agent.streams)
-- * Batch 1: Raise CommitBatchThreshold with CommitBatchSize (E2, 2.5 commands per transaction;
--   distribution_agent.threshold)
-- * Batch 2: A larger ReadBatchSize shortens the run by 18 % (E1, 2.5 commands per transaction;
--   log_reader.small_transactions)
-- ------------------------------------------------------------------------------------------

-- 1. CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4: SubscriptionStreams 1 → 8,
--   CommitBatchThreshold 1000 → 2000
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> N'contodist07'
    THROW 50000, N'this is not Distributor contodist07: nothing was changed', 1;
USE [distribution];
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @own_profile sysname = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM dbo.MSdistribution_agents AS agent
WHERE agent.name = @agent_name AND agent.publisher_db = N'SalesLedger';
IF @agent_id IS NULL
BEGIN
    SET @message = N'agent ' + @agent_name + N' was not found in this distribution database';
    THROW 50000, @message, 1;
END;

-- Somebody may have changed this agent since it was measured: then nothing is touched.
IF @agent_profile_id <> 4
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    THROW 50000, N'this agent was given another profile since it was measured', 1;
IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-CommitBatchThreshold'
             AND own.value NOT IN (N'1000', N'2000'))
    THROW 50000, N'the profile has another value of CommitBatchThreshold than when it was measured', 1;
-- A profile of its own with the present parameters: profiles are shared, so none is edited.
DECLARE @profile_id int, @parameter sysname, @value nvarchar(255);
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = 3 AND profile.profile_name = @own_profile;
IF @profile_id IS NULL
BEGIN
    EXEC sp_add_agent_profile @profile_id = @profile_id OUTPUT, @profile_name = @own_profile,
         @agent_type = 3, @profile_type = 1, @default = 0,
         @description = N'Recommended by Replitune';
END;
IF @agent_profile_id <> @profile_id
BEGIN
    DECLARE present CURSOR LOCAL STATIC FOR
        SELECT own.parameter_name, own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id;
    OPEN present;
    FETCH NEXT FROM present INTO @parameter, @value;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
                   WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter)
            EXEC sp_change_agent_parameter @profile_id, @parameter, @value;
        ELSE
            EXEC sp_add_agent_parameter @profile_id, @parameter, @value;
        FETCH NEXT FROM present INTO @parameter, @value;
    END;
    CLOSE present;
    DEALLOCATE present;
    DECLARE surplus CURSOR LOCAL STATIC FOR
        SELECT own.parameter_name FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @profile_id
          AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS wanted
                          WHERE wanted.profile_id = @agent_profile_id AND wanted.parameter_name = own.parameter_name);
    OPEN surplus;
    FETCH NEXT FROM surplus INTO @parameter;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        EXEC sp_drop_agent_parameter @profile_id, @parameter;
        FETCH NEXT FROM surplus INTO @parameter;
    END;
    CLOSE surplus;
    DEALLOCATE surplus;
END;
IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @profile_id AND own.parameter_name = N'-CommitBatchThreshold')
    EXEC sp_change_agent_parameter @profile_id, N'-CommitBatchThreshold', N'2000';
ELSE
    EXEC sp_add_agent_parameter @profile_id, N'-CommitBatchThreshold', N'2000';
EXEC dbo.sp_update_agent_profile @agent_type = 3, @agent_id = @agent_id,
     @profile_id = @profile_id;
DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @edited nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int, @found nvarchar(255), @wanted nvarchar(255);
-- SubscriptionStreams in the job step: 8
SET @wanted = N'8';
IF @wanted LIKE N'%[^0-9]%'
    THROW 50000, N'the value for the job step must be a number, or empty where it was not named', 1;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id AND step.subsystem = N'Distribution'
ORDER BY step.step_id;
IF @step_id IS NULL
    THROW 50000, N'the job step is not on this server (of a pull subscription: at the Subscriber)', 1;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N' ' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' ';
SET @at = CHARINDEX(N' ' + N'-SubscriptionStreams' + N' ', @flat COLLATE Latin1_General_CI_AS);
SET @found = N'';
IF @at > 0
BEGIN
    SET @value_at = @at + LEN(N'-SubscriptionStreams') + 2;
    SET @value_at += ISNULL(NULLIF(PATINDEX(N'%[^ ]%', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N' ', @flat + N' ', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    SET @found = SUBSTRING(@flat, @value_at, @value_end - @value_at);
END;
IF @found NOT IN (N'', N'8')
    THROW 50000, N'the job step has another value of SubscriptionStreams than when it was measured', 1;
SET @edited = CASE WHEN @wanted = N'' AND @at > 0 THEN STUFF(@command, @cut, @value_end - 1 - @cut, N'')
                   WHEN @wanted = N'' THEN @command
                   WHEN @at > 0 THEN STUFF(@command, @value_at - 1, @value_end - @value_at, @wanted)
                   ELSE @command + N' ' + N'-SubscriptionStreams' + N' ' + @wanted END;
IF @edited <> @command
    EXEC msdb.dbo.sp_update_jobstep @job_id = @job_id, @step_id = @step_id, @command = @edited;

-- Values count from the agent's next start. Stopping only signals: wait until it has stopped.
DECLARE @waited_s int = 0, @was_running bit = 0;
WHILE @waited_s < 120
  AND EXISTS (SELECT 1 FROM msdb.dbo.sysjobactivity AS activity
              WHERE activity.job_id = @job_id
                AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL
                AND activity.session_id = (SELECT MAX(newest.session_id)
                                           FROM msdb.dbo.sysjobactivity AS newest))
BEGIN
    IF @was_running = 0
        EXEC msdb.dbo.sp_stop_job @job_id = @job_id;
    SET @was_running = 1;
    WAITFOR DELAY '00:00:01';
    SET @waited_s += 1;
END;
IF @waited_s >= 120
    THROW 50000, N'the agent has not stopped in 120 s: start its job once it has', 1;
IF @was_running = 1
    EXEC msdb.dbo.sp_start_job @job_id = @job_id;
GO

-- 2. CONTOPUB03-SalesLedger-1: ReadBatchSize 500 → 5000
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> N'contodist07'
    THROW 50000, N'this is not Distributor contodist07: nothing was changed', 1;
USE [distribution];
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-1';
DECLARE @own_profile sysname = N'Replitune advice CONTOPUB03-SalesLedger-1';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM dbo.MSlogreader_agents AS agent
WHERE agent.name = @agent_name AND agent.publisher_db = N'SalesLedger';
IF @agent_id IS NULL
BEGIN
    SET @message = N'agent ' + @agent_name + N' was not found in this distribution database';
    THROW 50000, @message, 1;
END;

-- Somebody may have changed this agent since it was measured: then nothing is touched.
IF @agent_profile_id <> 1
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    THROW 50000, N'this agent was given another profile since it was measured', 1;
IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-ReadBatchSize'
             AND own.value NOT IN (N'500', N'5000'))
    THROW 50000, N'the profile has another value of ReadBatchSize than when it was measured', 1;
-- A profile of its own with the present parameters: profiles are shared, so none is edited.
DECLARE @profile_id int, @parameter sysname, @value nvarchar(255);
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = 2 AND profile.profile_name = @own_profile;
IF @profile_id IS NULL
BEGIN
    EXEC sp_add_agent_profile @profile_id = @profile_id OUTPUT, @profile_name = @own_profile,
         @agent_type = 2, @profile_type = 1, @default = 0,
         @description = N'Recommended by Replitune';
END;
IF @agent_profile_id <> @profile_id
BEGIN
    DECLARE present CURSOR LOCAL STATIC FOR
        SELECT own.parameter_name, own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id;
    OPEN present;
    FETCH NEXT FROM present INTO @parameter, @value;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
                   WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter)
            EXEC sp_change_agent_parameter @profile_id, @parameter, @value;
        ELSE
            EXEC sp_add_agent_parameter @profile_id, @parameter, @value;
        FETCH NEXT FROM present INTO @parameter, @value;
    END;
    CLOSE present;
    DEALLOCATE present;
    DECLARE surplus CURSOR LOCAL STATIC FOR
        SELECT own.parameter_name FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @profile_id
          AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS wanted
                          WHERE wanted.profile_id = @agent_profile_id AND wanted.parameter_name = own.parameter_name);
    OPEN surplus;
    FETCH NEXT FROM surplus INTO @parameter;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        EXEC sp_drop_agent_parameter @profile_id, @parameter;
        FETCH NEXT FROM surplus INTO @parameter;
    END;
    CLOSE surplus;
    DEALLOCATE surplus;
END;
IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @profile_id AND own.parameter_name = N'-ReadBatchSize')
    EXEC sp_change_agent_parameter @profile_id, N'-ReadBatchSize', N'5000';
ELSE
    EXEC sp_add_agent_parameter @profile_id, N'-ReadBatchSize', N'5000';
EXEC dbo.sp_update_agent_profile @agent_type = 2, @agent_id = @agent_id,
     @profile_id = @profile_id;

-- Values count from the agent's next start. Stopping only signals: wait until it has stopped.
DECLARE @waited_s int = 0, @was_running bit = 0;
WHILE @waited_s < 120
  AND EXISTS (SELECT 1 FROM msdb.dbo.sysjobactivity AS activity
              WHERE activity.job_id = @job_id
                AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL
                AND activity.session_id = (SELECT MAX(newest.session_id)
                                           FROM msdb.dbo.sysjobactivity AS newest))
BEGIN
    IF @was_running = 0
        EXEC msdb.dbo.sp_stop_job @job_id = @job_id;
    SET @was_running = 1;
    WAITFOR DELAY '00:00:01';
    SET @waited_s += 1;
END;
IF @waited_s >= 120
    THROW 50000, N'the agent has not stopped in 120 s: start its job once it has', 1;
IF @was_running = 1
    EXEC msdb.dbo.sp_start_job @job_id = @job_id;
GO
