/*
name: job_step_tokens
purpose: switches that the agent's job step names, with values that are numbers; the step text itself stays on the server
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.MSagent_profiles, msdb.dbo.sysjobsteps
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
columns:
  parameter_name nvarchar <word> -- with its leading dash; empty for switches not known, or begun with another sign
  value nvarchar -- digits, the numbers of -SkipErrors, of -ProfileName a profile there is; else empty
  occurrences int [count] -- how often it is named
  is_quoted int -- 1 where quotes or brackets stand around the value
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobsteps-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/replication/agents/replication-distribution-agent.md; MicrosoftDocs/sql-docs:docs/relational-databases/replication/agents/replication-log-reader-agent.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msagent-profiles-transact-sql.md
*/
SET NOCOUNT ON;
-- A step can hold passwords: only names of this list, values made of digits alone and names of profiles ever leave the server.
DECLARE @known TABLE (parameter_name nvarchar(60));
INSERT INTO @known (parameter_name)
VALUES (N'-BcpBatchSize'), (N'-CommitBatchSize'), (N'-CommitBatchThreshold'), (N'-HistoryVerboseLevel'),
       (N'-KeepAliveMessageInterval'), (N'-LoginTimeOut'), (N'-LogScanThreshold'), (N'-MaxBcpThreads'),
       (N'-MaxCmdsInTran'), (N'-MaxDeliveredTransactions'), (N'-MessageInterval'),
       (N'-OledbStreamThreshold'), (N'-OutputVerboseLevel'), (N'-PacketSize'), (N'-PollingInterval'),
       (N'-QueryTimeOut'), (N'-ReadBatchSize'), (N'-ReadBatchThreshold'), (N'-SubscriptionStreams'),
       (N'-TransactionsPerHistory');
-- And what is not a number, or none of its own: where it stands, and nothing of what it holds.
DECLARE @others TABLE (parameter_name nvarchar(60));
INSERT INTO @others (parameter_name)
VALUES (N'-AltSnapshotFolder'), (N'-Continuous'), (N'-DefinitionFile'), (N'-Distributor'), (N'-DistributorLogin'),
       (N'-DistributorPassword'), (N'-DistributorSecurityMode'), (N'-EncryptionLevel'), (N'-ErrorFile'),
       (N'-ExtendedEventConfigFile'), (N'-FileTransferType'), (N'-FtpAddress'), (N'-FtpPassword'), (N'-FtpPort'),
       (N'-FtpUserName'), (N'-Hostname'), (N'-MultiSubnetFailover'), (N'-Output'), (N'-ProfileName'), (N'-Publication'),
       (N'-Publisher'), (N'-PublisherDB'), (N'-PublisherFailoverPartner'), (N'-PublisherLogin'),
       (N'-PublisherPassword'), (N'-PublisherSecurityMode'), (N'-QuotedIdentifier'), (N'-RecoverFromDataErrors'),
       (N'-SkipErrors'), (N'-Subscriber'), (N'-SubscriberDatabasePath'), (N'-SubscriberDB'), (N'-SubscriberLogin'),
       (N'-SubscriberPassword'), (N'-SubscriberSecurityMode'), (N'-SubscriberType'), (N'-SubscriptionTableName'),
       (N'-SubscriptionType'), (N'-UseDTS'), (N'-UseInprocLoader'), (N'-UseOledbStreaming');
DECLARE @tokens TABLE (place int, token nvarchar(400), is_quoted int);
DECLARE @flat nvarchar(max), @at int, @until int, @place int, @opens nvarchar(1), @closes nvarchar(1);
SELECT TOP (1) @flat = REPLACE(REPLACE(REPLACE(step.command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' '
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id
  AND step.subsystem IN (N'LogReader', N'Distribution')
ORDER BY step.step_id;
SELECT @at = 1, @place = 0;
WHILE @at > 0 AND @at < DATALENGTH(@flat) / 2
BEGIN
    SET @opens = SUBSTRING(@flat, @at, 1);
    SET @closes = CASE @opens WHEN N'[' THEN N']' WHEN N'"' THEN N'"' WHEN N'''' THEN N'''' ELSE N'' END;
    SET @until = CHARINDEX(@closes + N' ', @flat, @at + CASE WHEN @closes = N'' THEN 0 ELSE 1 END);
    IF @until = 0
        SET @until = DATALENGTH(@flat) / 2;
    IF @opens <> N' '
    BEGIN
        SET @place = @place + 1;
        INSERT INTO @tokens (place, token, is_quoted)
        SELECT @place,
               CASE WHEN @closes = N'' THEN SUBSTRING(@flat, @at, @until - @at) ELSE SUBSTRING(@flat, @at + 1, @until - @at - 1) END,
               CASE WHEN @closes = N'' THEN 0 ELSE 1 END;
    END;
    SET @at = CASE WHEN @opens = N' ' THEN @at + 1 ELSE @until + 1 END;
END;
-- What somebody copied from a page may begin with another dash, what somebody typed with a slash, as other tools have it.
DECLARE @dashes nvarchar(20);
SET @dashes = NCHAR(8208) + NCHAR(8209) + NCHAR(8210) + NCHAR(8211) + NCHAR(8212) + NCHAR(8213) + NCHAR(8722)
            + NCHAR(65123) + NCHAR(65293);
DECLARE @switches TABLE (place int);
INSERT INTO @switches (place)
SELECT each.place
FROM @tokens AS each
WHERE each.is_quoted = 0
  AND (each.token LIKE N'-[A-Za-z]%'
       OR each.token LIKE N'[' + @dashes + N'][A-Za-z]%'
       OR EXISTS (SELECT 1 FROM @known AS known WHERE N'/' + SUBSTRING(known.parameter_name, 2, 60) = each.token COLLATE Latin1_General_CI_AS)
       OR EXISTS (SELECT 1 FROM @others AS others WHERE N'/' + SUBSTRING(others.parameter_name, 2, 60) = each.token COLLATE Latin1_General_CI_AS));
DECLARE @named TABLE (parameter_name nvarchar(60), is_number int, place int, value nvarchar(400), is_quoted int);
INSERT INTO @named (parameter_name, is_number, place, value, is_quoted)
SELECT ISNULL(ISNULL(known.parameter_name, others.parameter_name), N''),
       CASE WHEN known.parameter_name IS NULL THEN 0 ELSE 1 END,
       name.place,
       ISNULL(behind.token, N''),
       ISNULL(behind.is_quoted, 0)
FROM @switches AS switch
JOIN @tokens AS name ON name.place = switch.place
LEFT JOIN @tokens AS behind ON behind.place = name.place + 1
                              AND NOT EXISTS (SELECT 1 FROM @switches AS next WHERE next.place = behind.place)
LEFT JOIN @known AS known ON known.parameter_name = name.token COLLATE Latin1_General_CI_AS
LEFT JOIN @others AS others ON others.parameter_name = name.token COLLATE Latin1_General_CI_AS;
SELECT named.parameter_name AS parameter_name,
       CASE WHEN named.is_number = 1 AND named.value NOT LIKE N'%[^0-9]%' THEN named.value
            WHEN named.parameter_name = N'-SkipErrors' AND named.value NOT LIKE N'%[^0-9:;, ]%' THEN named.value
            WHEN named.parameter_name = N'-ProfileName'
            THEN ISNULL((SELECT MIN(profile.profile_name)
                         FROM msdb.dbo.MSagent_profiles AS profile
                         WHERE profile.profile_name = named.value COLLATE DATABASE_DEFAULT), N'')
            ELSE N'' END AS value,
       counted.occurrences AS occurrences,
       named.is_quoted AS is_quoted
FROM @named AS named
JOIN (SELECT each.parameter_name AS parameter_name, COUNT(*) AS occurrences, MIN(each.place) AS place
      FROM @named AS each
      GROUP BY each.parameter_name) AS counted ON counted.place = named.place
ORDER BY parameter_name;
