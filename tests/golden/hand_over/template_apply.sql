-- ------------------------------------------------------------------------------------------
-- apply.sql: Sets the recommended values
-- Session S20261121-080000-a1b2c3, Replitune 0.1.0
-- Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.
-- Every batch may be run twice. It stops where the agent is not found; it checks neither its
--   server nor the value in use.
-- * Batch 1: A larger ReadBatchSize shortens the run by 18 % (log_reader.small_transactions)
-- ------------------------------------------------------------------------------------------

-- TEMPLATE: these measurements were made elsewhere, so the agents are not known. Fill in the
--   variables below, read the script, and run it in SQLCMD mode.
:setvar DistributionDatabase distribution
-- Agent of batch 1
:setvar LogReaderAgent "name of the agent"

-- 1. LogReaderAgent: ReadBatchSize 500 → 5000
USE [$(DistributionDatabase)];
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'$(LogReaderAgent)';
DECLARE @own_profile sysname = N'Replitune advice $(LogReaderAgent)';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM dbo.MSlogreader_agents AS agent
WHERE agent.name = @agent_name;
IF @agent_id IS NULL
BEGIN
    SET @message = N'agent ' + @agent_name + N' was not found in this distribution database';
    THROW 50000, @message, 1;
END;

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
IF @agent_profile_id <> @profile_id
    PRINT CONCAT(N'LogReaderAgentOldProfileId for rollback.sql: ', @agent_profile_id);
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
