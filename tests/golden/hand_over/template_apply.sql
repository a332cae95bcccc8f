-- ------------------------------------------------------------------------------------------
-- apply-1.sql: Sets the recommended values
-- Session S20261121-080000-a1b2c3, Replitune 0.1.0
-- Run it with sqlcmd -S <server> -E -b -f 65001 -i apply-1.sql -o apply-1.sql.log, or in
--   Management Studio: Query, SQLCMD Mode, then F5. As it is it checks only and changes nothing;
--   to apply it, write yes instead of no in the line ":setvar Apply no". The first error stops
--   it, and the exit code is 0 only where every batch came to its end.
-- Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.
-- Every batch may be run twice. It stops where the agent is not found; it checks neither its
--   server nor the value in use.
-- * Decision 1: ReadBatchSize 5000 instead of 500 (Log Reader Agent: how much to read at once,
--   under a load that the file does not state; log_reader.small_transactions)
-- ------------------------------------------------------------------------------------------

:on error exit
:setvar Apply no
:setvar SqlcmdMode on
GO
SET NOEXEC OFF;
GO
IF N'$(SqlcmdMode)' <> N'on'
BEGIN
    RAISERROR(N'SQLCMD mode is off: nothing was changed. Turn it on (Query, SQLCMD Mode) and run the script again.', 16, 127);
    SET NOEXEC ON;
END;
GO
IF N'$(Apply)' NOT IN (N'no', N'yes')
    THROW 50000, N'Apply is neither no nor yes: nothing was changed', 127;
GO
IF ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) <> 1
BEGIN
    PRINT CONCAT(N'ALTER SERVER ROLE sysadmin ADD MEMBER ', QUOTENAME(SUSER_SNAME()), N';');
    THROW 50000, N'this login is not sysadmin: nothing was changed. An administrator can run the line above', 127;
END;
GO
IF OBJECT_ID(N'tempdb..#replitune_ended') IS NOT NULL
    DROP TABLE #replitune_ended;
CREATE TABLE #replitune_ended (batch int);
GO

-- TEMPLATE: these measurements were made elsewhere, so the agents are not known. Fill in the
--   variables below, read the script, and run it in SQLCMD mode.
:setvar DistributionDatabase distribution
-- Agent of batch 1
:setvar LogReaderAgent "name of the agent"

-- 1. LogReaderAgent: ReadBatchSize 500 → 5000
IF OBJECT_ID(N'tempdb..#replitune_agent') IS NOT NULL
    DROP TABLE #replitune_agent;
CREATE TABLE #replitune_agent (
    agent_name nvarchar(256), agent_id int, profile_id int, job_id uniqueidentifier, done int
);
GO
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'$(LogReaderAgent)';
DECLARE @own_profile sysname = N'Replitune advice $(LogReaderAgent)';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM [$(DistributionDatabase)].dbo.MSlogreader_agents AS agent
WHERE agent.name = @agent_name;
IF @agent_id IS NULL
BEGIN
    SET @message = REPLACE(N'agent {agent} was not found in this distribution database', N'{agent}', @agent_name);
    THROW 50000, @message, 127;
END;
DECLARE @starts table (job_id nvarchar(4000), is_owner_known int, proxy_name sysname NULL, is_proxy_usable int, schedule_name sysname NULL, starts_every_s int NULL);
INSERT INTO @starts (job_id, is_owner_known, proxy_name, is_proxy_usable, schedule_name, starts_every_s)
EXEC sys.sp_executesql @stmt = N'SET NOCOUNT ON;
SELECT CONVERT(nvarchar(36), job.job_id) AS job_id,
       CASE WHEN SUSER_SNAME(job.owner_sid) IS NULL THEN 0 ELSE 1 END AS is_owner_known,
       CASE WHEN step.proxy_id IS NOT NULL THEN ISNULL(proxy.name, N'''') END AS proxy_name,
       CASE WHEN step.proxy_id IS NULL OR (proxy.enabled = 1 AND credential.credential_id IS NOT NULL
                                              AND EXISTS (SELECT 1
                                                          FROM msdb.dbo.sysproxysubsystem AS allowed
                                                          JOIN msdb.dbo.syssubsystems AS kind ON kind.subsystem_id = allowed.subsystem_id
                                                          WHERE allowed.proxy_id = step.proxy_id
                                                            AND kind.subsystem = step.subsystem)) THEN 1 ELSE 0 END AS is_proxy_usable,
       planned.schedule_name AS schedule_name,
       planned.starts_every_s AS starts_every_s
FROM msdb.dbo.sysjobs AS job
JOIN msdb.dbo.sysjobsteps AS step ON step.job_id = job.job_id AND step.subsystem IN (N''LogReader'', N''Distribution'')
LEFT JOIN msdb.dbo.sysproxies AS proxy ON proxy.proxy_id = step.proxy_id
LEFT JOIN sys.credentials AS credential ON credential.credential_id = proxy.credential_id
-- 1 once, 4 daily, 8 weekly, 16 and 32 monthly, 128 idle; within the day 2 seconds, 4 minutes, 8 hours, else once.
OUTER APPLY (SELECT TOP (1) schedule.name AS schedule_name,
                    CASE WHEN schedule.freq_type IN (1, 128) THEN NULL ELSE
                    CASE schedule.freq_subday_type WHEN 2 THEN schedule.freq_subday_interval
                                                   WHEN 4 THEN schedule.freq_subday_interval * 60
                                                   WHEN 8 THEN schedule.freq_subday_interval * 3600
                                                   ELSE 86400 END END AS starts_every_s
             FROM msdb.dbo.sysjobschedules AS attached
             JOIN msdb.dbo.sysschedules AS schedule ON schedule.schedule_id = attached.schedule_id
             WHERE attached.job_id = job.job_id
               AND job.enabled = 1
               AND schedule.enabled = 1
               AND schedule.freq_type IN (1, 4, 8, 16, 32, 128)
               AND ISNULL(schedule.active_end_date, 99991231) >= CONVERT(int, CONVERT(char(8), GETDATE(), 112))
               AND (schedule.freq_type <> 1 OR schedule.active_start_date >= CONVERT(int, CONVERT(char(8), GETDATE(), 112)))
             ORDER BY CASE WHEN schedule.freq_type IN (1, 128) THEN 1 ELSE 0 END, starts_every_s, schedule.name) AS planned
ORDER BY job.job_id;';
IF EXISTS (SELECT 1 FROM @starts AS start
           WHERE start.job_id = CONVERT(nvarchar(36), @job_id) AND start.is_owner_known = 0)
    THROW 50000, N'the login that owns the job of the agent is gone, so that it could not be started again: nothing was changed; give the job another owner first (sp_update_job)', 127;
IF EXISTS (SELECT 1 FROM @starts AS start
           WHERE start.job_id = CONVERT(nvarchar(36), @job_id) AND start.is_proxy_usable = 0)
    THROW 50000, N'the proxy of the job of the agent is gone, disabled or without its credential, so that it could not be started again: nothing was changed; mend the proxy first (sp_update_proxy)', 127;
IF NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
               WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    PRINT CONCAT(N'LogReaderAgentOldProfileId for undo-1.sql: ', @agent_profile_id);
SELECT N'before' AS moment, @agent_name AS agent, N'ReadBatchSize' AS parameter,
       (SELECT own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-ReadBatchSize') AS value;
IF NOT (N'$(Apply)' = N'yes')
BEGIN
    PRINT N'Checked only: agent and values are as this script expects them; nothing was changed.';
    INSERT INTO #replitune_ended (batch) VALUES (1);
    RETURN;
END;
INSERT INTO #replitune_agent (agent_name, agent_id, profile_id, job_id, done)
VALUES (@agent_name, @agent_id, @agent_profile_id, @job_id, 0);
GO

-- Create profile "Replitune advice LogReaderAgent" unless it is there
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'$(LogReaderAgent)' AND checked.done = 0)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 2;
DECLARE @profile_name sysname = N'Replitune advice $(LogReaderAgent)';
DECLARE @description nvarchar(4000) = N'Recommended by Replitune';
SET NOCOUNT ON;
DECLARE @profile_id int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
IF @profile_id IS NULL AND @profile_name LIKE N'Replitune %'
    EXEC sys.sp_add_agent_profile @profile_id = @profile_id OUTPUT, @profile_name = @profile_name, @agent_type = @agent_type,
         @profile_type = 1, @description = @description, @default = 0;
SELECT @profile_id AS profile_id;
UPDATE #replitune_agent SET done = 1;
GO

-- Give it the parameters the agent has now
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'$(LogReaderAgent)' AND checked.done = 1)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 2;
DECLARE @profile_name sysname = N'Replitune advice $(LogReaderAgent)';
DECLARE @source_profile_id int = (SELECT checked.profile_id FROM #replitune_agent AS checked);
SET NOCOUNT ON;
DECLARE @profile_id int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
DECLARE @name sysname, @value nvarchar(255), @present int;
DECLARE @todo table (parameter_name sysname, value nvarchar(255), is_present int);
-- A new profile is born with parameters of its own: change those it shares, add those it lacks, drop the rest by name.
INSERT INTO @todo (parameter_name, value, is_present)
SELECT wanted.parameter_name, wanted.value,
       (SELECT COUNT(*) FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id AND own.parameter_name = wanted.parameter_name)
FROM msdb.dbo.MSagent_parameters AS wanted
WHERE wanted.profile_id = @source_profile_id AND @profile_id IS NOT NULL;
WHILE EXISTS (SELECT 1 FROM @todo AS todo)
BEGIN
    SELECT TOP (1) @name = todo.parameter_name, @value = todo.value, @present = todo.is_present FROM @todo AS todo;
    IF @present > 0
        EXEC sys.sp_change_agent_parameter @profile_id = @profile_id, @parameter_name = @name, @parameter_value = @value;
    ELSE
        EXEC sys.sp_add_agent_parameter @profile_id = @profile_id, @parameter_name = @name, @parameter_value = @value;
    DELETE FROM @todo WHERE parameter_name = @name;
END;
INSERT INTO @todo (parameter_name, value, is_present)
SELECT own.parameter_name, own.value, 1
FROM msdb.dbo.MSagent_parameters AS own
WHERE own.profile_id = @profile_id
  AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS wanted
                  WHERE wanted.profile_id = @source_profile_id AND wanted.parameter_name = own.parameter_name);
WHILE EXISTS (SELECT 1 FROM @todo AS todo)
BEGIN
    SELECT TOP (1) @name = todo.parameter_name FROM @todo AS todo;
    EXEC sys.sp_drop_agent_parameter @profile_id = @profile_id, @parameter_name = @name;
    DELETE FROM @todo WHERE parameter_name = @name;
END;
SELECT @profile_id AS profile_id,
       (SELECT COUNT(*) FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id) AS parameters;
UPDATE #replitune_agent SET done = 2;
GO

-- Set -ReadBatchSize in profile "Replitune advice LogReaderAgent" to 5000
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'$(LogReaderAgent)' AND checked.done = 2)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 2;
DECLARE @profile_name sysname = N'Replitune advice $(LogReaderAgent)';
DECLARE @parameter_name sysname = N'-ReadBatchSize';
DECLARE @parameter_value nvarchar(4000) = N'5000';
DECLARE @expected nvarchar(4000) = NULL;
SET NOCOUNT ON;
DECLARE @profile_id int, @is_expected int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
SELECT @is_expected = COUNT(*)
WHERE @expected IS NULL
   OR @expected = ISNULL((SELECT own.value FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter_name), N'');
IF @is_expected = 1 AND EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter_name)
    EXEC sys.sp_change_agent_parameter @profile_id = @profile_id, @parameter_name = @parameter_name, @parameter_value = @parameter_value;
ELSE IF @is_expected = 1 AND @profile_id IS NOT NULL
    EXEC sys.sp_add_agent_parameter @profile_id = @profile_id, @parameter_name = @parameter_name, @parameter_value = @parameter_value;
SELECT @profile_id AS profile_id, @is_expected AS is_expected;
UPDATE #replitune_agent SET done = 3;
GO

-- Give LogReaderAgent profile "Replitune advice LogReaderAgent"
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'$(LogReaderAgent)' AND checked.done = 3)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [$(DistributionDatabase)];
DECLARE @agent_type int = 2;
DECLARE @agent_id int = (SELECT checked.agent_id FROM #replitune_agent AS checked);
DECLARE @profile_id int = (SELECT profile.profile_id FROM msdb.dbo.MSagent_profiles AS profile WHERE profile.agent_type = 2 AND profile.profile_name = N'Replitune advice $(LogReaderAgent)');
DECLARE @expected int = NULL;
SET NOCOUNT ON;
DECLARE @is_expected int;
SELECT @is_expected = COUNT(*)
WHERE @expected IS NULL
   OR EXISTS (SELECT 1 FROM dbo.MSlogreader_agents AS reader WHERE @agent_type = 2 AND reader.id = @agent_id AND reader.profile_id = @expected)
   OR EXISTS (SELECT 1 FROM dbo.MSdistribution_agents AS agent WHERE @agent_type = 3 AND agent.id = @agent_id AND agent.profile_id = @expected);
IF @is_expected = 1
    EXEC dbo.sp_update_agent_profile @agent_type = @agent_type, @agent_id = @agent_id, @profile_id = @profile_id;
SELECT @is_expected AS is_expected;
UPDATE #replitune_agent SET done = 4;
GO

IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'$(LogReaderAgent)' AND checked.done = 4)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
-- Values count from the agent's next start. Stopping only signals: wait until it has stopped.
DECLARE @job_id uniqueidentifier = (SELECT checked.job_id FROM #replitune_agent AS checked);
DECLARE @waited_s int = 0, @was_running bit = 0;
IF EXISTS (SELECT 1
    FROM msdb.dbo.sysjobactivity AS activity
    WHERE activity.job_id = @job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL)
BEGIN
    SET @was_running = 1;
    EXEC msdb.dbo.sp_stop_job @job_id = @job_id;
END;
WHILE @waited_s < 120 AND EXISTS (SELECT 1
    FROM msdb.dbo.sysjobactivity AS activity
    WHERE activity.job_id = @job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL)
BEGIN
    WAITFOR DELAY '00:00:01';
    SET @waited_s += 1;
END;
IF @waited_s >= 120
    THROW 50000, N'the agent has not stopped in 120 s: start its job once it has', 127;
IF @was_running = 1
BEGIN
    EXEC msdb.dbo.sp_start_job @job_id = @job_id;
END;
ELSE
    PRINT N'The agent did not run and was not started: what was set counts from its next start.';
UPDATE #replitune_agent SET done = 5;
GO
-- Verify: what the agent has from now on
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'$(LogReaderAgent)' AND checked.done = 5)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
DECLARE @agent_name nvarchar(256) = N'$(LogReaderAgent)';
DECLARE @job_id uniqueidentifier = (SELECT checked.job_id FROM #replitune_agent AS checked);
DECLARE @agent_profile_id int = (SELECT agent.profile_id
    FROM [$(DistributionDatabase)].dbo.MSlogreader_agents AS agent WHERE agent.id = (SELECT checked.agent_id FROM #replitune_agent AS checked));
DECLARE @value_1 nvarchar(255) = ISNULL((SELECT own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-ReadBatchSize'), N'');
SELECT N'after' AS moment, @agent_name AS agent, N'ReadBatchSize' AS parameter,
       @value_1 AS value, N'5000' AS expected;
IF @value_1 <> N'5000'
    THROW 50000, N'ReadBatchSize reads differently than it was set', 127;
INSERT INTO #replitune_ended (batch) VALUES (1);
GO

IF (SELECT COUNT(DISTINCT ABS(ended.batch)) FROM #replitune_ended AS ended) <> 1
    THROW 50000, N'not every batch came to its end: see above', 127;
IF N'$(Apply)' = N'yes'
    PRINT N'Done. What each batch did is shown above.';
ELSE
    PRINT N'Checked only: nothing was changed. What was found is shown above.';
GO
