-- ------------------------------------------------------------------------------------------
-- apply-1-contodist07.sql: Sets the recommended values
-- Session S20261121-080000-a1b2c3, Replitune 0.1.0
-- Run it with sqlcmd -S contodist07 -E -b -f 65001 -i apply-1-contodist07.sql -o
--   apply-1-contodist07.sql.log, or in Management Studio: Query, SQLCMD Mode, then F5. As it is
--   it checks only and changes nothing; to apply it, write yes instead of no in the line ":setvar
--   Apply no". The first error stops it, and the exit code is 0 only where every batch came to
--   its end.
-- Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.
-- Every batch may be run twice. It stops on any server but its own. It stops where agent, profile
--   or value are not the ones it was written for.
-- * Decision 1: SubscriptionStreams 8 instead of 1 (E2, a backlog of 1,000,000 commands, 2.5
--   commands per transaction; distribution_agent.streams)
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

-- 1. CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4: SubscriptionStreams 1 → 8
-- By hand, at the Subscriber, before this batch: with two or more streams the agent's account
--   needs VIEW SERVER STATE there. Write its login for <login>, remove the two dashes before each
--   line below and run the lines there: if no line is printed, the right is there.
-- EXECUTE AS LOGIN = N'<login>';
-- IF HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') = 0
--     PRINT N'GRANT VIEW SERVER STATE TO [<login>];';
-- REVERT;
IF OBJECT_ID(N'tempdb..#replitune_agent') IS NOT NULL
    DROP TABLE #replitune_agent;
CREATE TABLE #replitune_agent (
    agent_name nvarchar(256), agent_id int, profile_id int, job_id uniqueidentifier, done int
);
GO
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> N'contodist07'
    THROW 50000, N'this is not Distributor contodist07: nothing was changed', 127;
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @own_profile sysname = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM [distribution].dbo.MSdistribution_agents AS agent
WHERE agent.name = @agent_name AND agent.publisher_db = N'SalesLedger';
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
DECLARE @step_1 table (step_id int, value nvarchar(4000) NULL, occurrences int, masked_hash nvarchar(4000));
INSERT INTO @step_1 (step_id, value, occurrences, masked_hash)
EXEC sys.sp_executesql @stmt = N'SET NOCOUNT ON;
DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @masked nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id
  AND step.subsystem IN (N''LogReader'', N''Distribution'')
ORDER BY step.step_id;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N'' '' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N'' ''), NCHAR(10), N'' ''), NCHAR(13), N'' '') + N'' '';
SET @at = CHARINDEX(N'' '' + @parameter + N'' '', @flat COLLATE Latin1_General_CI_AS);
SET @masked = @command;
IF @at > 0
BEGIN
    SET @value_at = @at + LEN(@parameter) + 2;
    SET @value_at = @value_at + ISNULL(NULLIF(PATINDEX(N''%[^ ]%'', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N'' '', @flat + N'' '', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    SET @masked = STUFF(@command, @cut, @value_end - 1 - @cut, N'''');
END;
SELECT @step_id AS step_id,
       CASE WHEN @at > 0 AND SUBSTRING(@flat, @value_at, @value_end - @value_at) NOT LIKE N''%[^0-9]%''
            THEN SUBSTRING(@flat, @value_at, @value_end - @value_at) END AS value,
       CASE WHEN @at = 0 THEN 0
            WHEN CHARINDEX(N'' '' + @parameter + N'' '', @flat COLLATE Latin1_General_CI_AS, @value_end) = 0 THEN 1
            ELSE 2 END AS occurrences,
       CONVERT(nvarchar(64), HASHBYTES(''SHA2_256'', @masked), 2) AS masked_hash
WHERE @step_id IS NOT NULL;',
    @params = N'@job_id uniqueidentifier, @parameter nvarchar(4000)', @job_id = @job_id, @parameter = N'-SubscriptionStreams';
IF NOT EXISTS (SELECT 1 FROM @step_1 AS step)
    THROW 50000, N'the job step is not on this server (of a pull subscription: at the Subscriber)', 127;
IF EXISTS (SELECT 1 FROM @step_1 AS step
           WHERE step.occurrences > 1 OR (step.occurrences = 1 AND step.value IS NULL))
    THROW 50000, N'the job step names SubscriptionStreams twice or without a number', 127;
IF EXISTS (SELECT 1 FROM @step_1 AS step WHERE ISNULL(step.value, N'') NOT IN (N'', N'8'))
    THROW 50000, N'the job step has another value of SubscriptionStreams than when it was measured', 127;
SELECT N'before' AS moment, @agent_name AS agent, N'SubscriptionStreams' AS parameter,
       (SELECT step.value FROM @step_1 AS step) AS value;
IF NOT (N'$(Apply)' = N'yes')
BEGIN
    PRINT N'Checked only: agent and values are as this script expects them; nothing was changed.';
    INSERT INTO #replitune_ended (batch) VALUES (1);
    RETURN;
END;
INSERT INTO #replitune_agent (agent_name, agent_id, profile_id, job_id, done)
VALUES (@agent_name, @agent_id, @agent_profile_id, @job_id, 0);
GO

-- SubscriptionStreams in the job step: 8
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 0)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @job_id uniqueidentifier = (SELECT checked.job_id FROM #replitune_agent AS checked);
DECLARE @parameter nvarchar(4000) = N'-SubscriptionStreams';
DECLARE @value nvarchar(4000) = N'8';
DECLARE @expected nvarchar(4000) = NULL;
SET NOCOUNT ON;
DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @masked nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int, @is_expected int;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id
  AND step.subsystem IN (N'LogReader', N'Distribution')
ORDER BY step.step_id;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N' ' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' ';
SET @at = CHARINDEX(N' ' + @parameter + N' ', @flat COLLATE Latin1_General_CI_AS);
SET @masked = @command;
SET @is_expected = CASE WHEN @step_id IS NULL THEN NULL
                        WHEN @expected IS NULL OR (@at = 0 AND @expected = N'') THEN 1 ELSE 0 END;
IF @at > 0
BEGIN
    SET @value_at = @at + LEN(@parameter) + 2;
    SET @value_at = @value_at + ISNULL(NULLIF(PATINDEX(N'%[^ ]%', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N' ', @flat + N' ', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    IF SUBSTRING(@flat, @value_at, @value_end - @value_at) = @expected
        SET @is_expected = 1;
    SET @masked = STUFF(@command, @cut, @value_end - 1 - @cut, N'');
END;
IF @is_expected = 1 AND @step_id IS NOT NULL AND @value NOT LIKE N'%[^0-9]%' AND @parameter LIKE N'-[A-Z]%'
BEGIN
    DECLARE @edited nvarchar(max);
    SET @edited = CASE WHEN @value = N'' THEN @masked
                       WHEN @at = 0 THEN @command + N' ' + @parameter + N' ' + @value
                       ELSE STUFF(@command, @value_at - 1, @value_end - @value_at, @value) END;
    IF @edited <> @command
        EXEC msdb.dbo.sp_update_jobstep @job_id = @job_id, @step_id = @step_id, @command = @edited;
END;
SELECT @step_id AS step_id,
       CONVERT(nvarchar(64), HASHBYTES('SHA2_256', @masked), 2) AS masked_hash,
       @is_expected AS is_expected
WHERE @step_id IS NOT NULL;
UPDATE #replitune_agent SET done = 1;
GO

IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 1)
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
UPDATE #replitune_agent SET done = 2;
GO
-- Verify: what the agent has from now on
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 2)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @job_id uniqueidentifier = (SELECT checked.job_id FROM #replitune_agent AS checked);
DECLARE @agent_profile_id int = (SELECT agent.profile_id
    FROM [distribution].dbo.MSdistribution_agents AS agent WHERE agent.id = (SELECT checked.agent_id FROM #replitune_agent AS checked));
DECLARE @step_1 table (step_id int, value nvarchar(4000) NULL, occurrences int, masked_hash nvarchar(4000));
INSERT INTO @step_1 (step_id, value, occurrences, masked_hash)
EXEC sys.sp_executesql @stmt = N'SET NOCOUNT ON;
DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @masked nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id
  AND step.subsystem IN (N''LogReader'', N''Distribution'')
ORDER BY step.step_id;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N'' '' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N'' ''), NCHAR(10), N'' ''), NCHAR(13), N'' '') + N'' '';
SET @at = CHARINDEX(N'' '' + @parameter + N'' '', @flat COLLATE Latin1_General_CI_AS);
SET @masked = @command;
IF @at > 0
BEGIN
    SET @value_at = @at + LEN(@parameter) + 2;
    SET @value_at = @value_at + ISNULL(NULLIF(PATINDEX(N''%[^ ]%'', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N'' '', @flat + N'' '', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    SET @masked = STUFF(@command, @cut, @value_end - 1 - @cut, N'''');
END;
SELECT @step_id AS step_id,
       CASE WHEN @at > 0 AND SUBSTRING(@flat, @value_at, @value_end - @value_at) NOT LIKE N''%[^0-9]%''
            THEN SUBSTRING(@flat, @value_at, @value_end - @value_at) END AS value,
       CASE WHEN @at = 0 THEN 0
            WHEN CHARINDEX(N'' '' + @parameter + N'' '', @flat COLLATE Latin1_General_CI_AS, @value_end) = 0 THEN 1
            ELSE 2 END AS occurrences,
       CONVERT(nvarchar(64), HASHBYTES(''SHA2_256'', @masked), 2) AS masked_hash
WHERE @step_id IS NOT NULL;',
    @params = N'@job_id uniqueidentifier, @parameter nvarchar(4000)', @job_id = @job_id, @parameter = N'-SubscriptionStreams';
DECLARE @value_1 nvarchar(255) = ISNULL((SELECT step.value FROM @step_1 AS step), N'');
SELECT N'after' AS moment, @agent_name AS agent, N'SubscriptionStreams' AS parameter,
       @value_1 AS value, N'8' AS expected;
IF @value_1 <> N'8'
    THROW 50000, N'SubscriptionStreams reads differently than it was set', 127;
INSERT INTO #replitune_ended (batch) VALUES (1);
GO

IF (SELECT COUNT(DISTINCT ABS(ended.batch)) FROM #replitune_ended AS ended) <> 1
    THROW 50000, N'not every batch came to its end: see above', 127;
IF N'$(Apply)' = N'yes'
    PRINT N'Done. What each batch did is shown above.';
ELSE
    PRINT N'Checked only: nothing was changed. What was found is shown above.';
GO
-- ------------------------------------------------------------------------------------------
-- apply-2-contodist07.sql: Sets the recommended values
-- Session S20261121-080000-a1b2c3, Replitune 0.1.0
-- Run it with sqlcmd -S contodist07 -E -b -f 65001 -i apply-2-contodist07.sql -o
--   apply-2-contodist07.sql.log, or in Management Studio: Query, SQLCMD Mode, then F5. As it is
--   it checks only and changes nothing; to apply it, write yes instead of no in the line ":setvar
--   Apply no". The first error stops it, and the exit code is 0 only where every batch came to
--   its end.
-- Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.
-- Every batch may be run twice. It stops on any server but its own. It stops where agent, profile
--   or value are not the ones it was written for.
-- * Decision 2: ReadBatchSize 5000 instead of 500 (E1, a backlog of 1,000,000 commands, 2.5
--   commands per transaction; log_reader.small_transactions)
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

-- 1. CONTOPUB03-SalesLedger-1: ReadBatchSize 500 → 5000
IF OBJECT_ID(N'tempdb..#replitune_agent') IS NOT NULL
    DROP TABLE #replitune_agent;
CREATE TABLE #replitune_agent (
    agent_name nvarchar(256), agent_id int, profile_id int, job_id uniqueidentifier, done int
);
GO
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> N'contodist07'
    THROW 50000, N'this is not Distributor contodist07: nothing was changed', 127;
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-1';
DECLARE @own_profile sysname = N'Replitune advice CONTOPUB03-SalesLedger-1';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM [distribution].dbo.MSlogreader_agents AS agent
WHERE agent.name = @agent_name AND agent.publisher_db = N'SalesLedger';
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
               WHERE profile.profile_id = 1 AND profile.agent_type = 2)
    THROW 50000, N'the profile this agent had when it was measured is no longer there: nothing was changed', 127;
-- Somebody may have changed this agent since it was measured: then nothing is touched.
IF @agent_profile_id <> 1
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    THROW 50000, N'this agent was given another profile since it was measured', 127;
IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-ReadBatchSize'
             AND own.value NOT IN (N'500', N'5000'))
    THROW 50000, N'the profile has another value of ReadBatchSize than when it was measured', 127;
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

-- Create profile "Replitune advice CONTOPUB03-SalesLedger-1" unless it is there
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-1' AND checked.done = 0)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 2;
DECLARE @profile_name sysname = N'Replitune advice CONTOPUB03-SalesLedger-1';
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
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-1' AND checked.done = 1)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 2;
DECLARE @profile_name sysname = N'Replitune advice CONTOPUB03-SalesLedger-1';
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

-- Set -ReadBatchSize in profile "Replitune advice CONTOPUB03-SalesLedger-1" to 5000
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-1' AND checked.done = 2)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 2;
DECLARE @profile_name sysname = N'Replitune advice CONTOPUB03-SalesLedger-1';
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

-- Give CONTOPUB03-SalesLedger-1 profile "Replitune advice CONTOPUB03-SalesLedger-1"
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-1' AND checked.done = 3)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [distribution];
DECLARE @agent_type int = 2;
DECLARE @agent_id int = (SELECT checked.agent_id FROM #replitune_agent AS checked);
DECLARE @profile_id int = (SELECT profile.profile_id FROM msdb.dbo.MSagent_profiles AS profile WHERE profile.agent_type = 2 AND profile.profile_name = N'Replitune advice CONTOPUB03-SalesLedger-1');
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
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-1' AND checked.done = 4)
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
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-1' AND checked.done = 5)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-1';
DECLARE @job_id uniqueidentifier = (SELECT checked.job_id FROM #replitune_agent AS checked);
DECLARE @agent_profile_id int = (SELECT agent.profile_id
    FROM [distribution].dbo.MSlogreader_agents AS agent WHERE agent.id = (SELECT checked.agent_id FROM #replitune_agent AS checked));
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
-- ------------------------------------------------------------------------------------------
-- apply-3-contodist07.sql: Sets the recommended values
-- Session S20261121-080000-a1b2c3, Replitune 0.1.0
-- Run it with sqlcmd -S contodist07 -E -b -f 65001 -i apply-3-contodist07.sql -o
--   apply-3-contodist07.sql.log, or in Management Studio: Query, SQLCMD Mode, then F5. As it is
--   it checks only and changes nothing; to apply it, write yes instead of no in the line ":setvar
--   Apply no". The first error stops it, and the exit code is 0 only where every batch came to
--   its end.
-- Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.
-- Every batch may be run twice. It stops on any server but its own. It stops where agent, profile
--   or value are not the ones it was written for.
-- * Decision 3: CommitBatchThreshold 2000 instead of 1000 (E2, a backlog of 1,000,000 commands,
--   2.5 commands per transaction; distribution_agent.threshold)
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

-- 1. CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4: CommitBatchThreshold 1000 → 2000
IF OBJECT_ID(N'tempdb..#replitune_agent') IS NOT NULL
    DROP TABLE #replitune_agent;
CREATE TABLE #replitune_agent (
    agent_name nvarchar(256), agent_id int, profile_id int, job_id uniqueidentifier, done int
);
GO
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> N'contodist07'
    THROW 50000, N'this is not Distributor contodist07: nothing was changed', 127;
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @own_profile sysname = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM [distribution].dbo.MSdistribution_agents AS agent
WHERE agent.name = @agent_name AND agent.publisher_db = N'SalesLedger';
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
               WHERE profile.profile_id = 4 AND profile.agent_type = 3)
    THROW 50000, N'the profile this agent had when it was measured is no longer there: nothing was changed', 127;
-- Somebody may have changed this agent since it was measured: then nothing is touched.
IF @agent_profile_id <> 4
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    THROW 50000, N'this agent was given another profile since it was measured', 127;
IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-CommitBatchThreshold'
             AND own.value NOT IN (N'1000', N'2000'))
    THROW 50000, N'the profile has another value of CommitBatchThreshold than when it was measured', 127;
SELECT N'before' AS moment, @agent_name AS agent, N'CommitBatchThreshold' AS parameter,
       (SELECT own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-CommitBatchThreshold') AS value;
IF NOT (N'$(Apply)' = N'yes')
BEGIN
    PRINT N'Checked only: agent and values are as this script expects them; nothing was changed.';
    INSERT INTO #replitune_ended (batch) VALUES (1);
    RETURN;
END;
INSERT INTO #replitune_agent (agent_name, agent_id, profile_id, job_id, done)
VALUES (@agent_name, @agent_id, @agent_profile_id, @job_id, 0);
GO

-- Create profile "Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4" unless it
--   is there
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 0)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 3;
DECLARE @profile_name sysname = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
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
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 1)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 3;
DECLARE @profile_name sysname = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
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

-- Set -CommitBatchThreshold in profile "Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-
--   CONTOSUB11-4" to 2000
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 2)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [msdb];
DECLARE @agent_type int = 3;
DECLARE @profile_name sysname = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @parameter_name sysname = N'-CommitBatchThreshold';
DECLARE @parameter_value nvarchar(4000) = N'2000';
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

-- Give CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4 profile "Replitune advice
--   CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4"
IF NOT EXISTS (SELECT 1 FROM #replitune_agent AS checked
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 3)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
USE [distribution];
DECLARE @agent_type int = 3;
DECLARE @agent_id int = (SELECT checked.agent_id FROM #replitune_agent AS checked);
DECLARE @profile_id int = (SELECT profile.profile_id FROM msdb.dbo.MSagent_profiles AS profile WHERE profile.agent_type = 3 AND profile.profile_name = N'Replitune advice CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4');
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
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 4)
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
               WHERE checked.agent_name = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4' AND checked.done = 5)
BEGIN
    PRINT N'Skipped: the step before it was not done.';
    RETURN;
END;
DECLARE @agent_name nvarchar(256) = N'CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4';
DECLARE @job_id uniqueidentifier = (SELECT checked.job_id FROM #replitune_agent AS checked);
DECLARE @agent_profile_id int = (SELECT agent.profile_id
    FROM [distribution].dbo.MSdistribution_agents AS agent WHERE agent.id = (SELECT checked.agent_id FROM #replitune_agent AS checked));
DECLARE @value_1 nvarchar(255) = ISNULL((SELECT own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id AND own.parameter_name = N'-CommitBatchThreshold'), N'');
SELECT N'after' AS moment, @agent_name AS agent, N'CommitBatchThreshold' AS parameter,
       @value_1 AS value, N'2000' AS expected;
IF @value_1 <> N'2000'
    THROW 50000, N'CommitBatchThreshold reads differently than it was set', 127;
INSERT INTO #replitune_ended (batch) VALUES (1);
GO

IF (SELECT COUNT(DISTINCT ABS(ended.batch)) FROM #replitune_ended AS ended) <> 1
    THROW 50000, N'not every batch came to its end: see above', 127;
IF N'$(Apply)' = N'yes'
    PRINT N'Done. What each batch did is shown above.';
ELSE
    PRINT N'Checked only: nothing was changed. What was found is shown above.';
GO
