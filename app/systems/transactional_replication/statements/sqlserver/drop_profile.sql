/*
name: drop_profile
purpose: drop a dedicated profile that no agent uses any more
access: change
runs at: distributor
database: distribution
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @profile_name sysname -- dedicated profile, its name begins with 'Replitune '
columns:
  agents_using int [count] -- agents that still use it, which is why it was kept
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-drop-agent-profile-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @profile_id int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
DECLARE @agents_using int;
SELECT @agents_using = (SELECT COUNT(*) FROM dbo.MSlogreader_agents AS reader WHERE reader.profile_id = @profile_id)
                     + (SELECT COUNT(*) FROM dbo.MSdistribution_agents AS agent WHERE agent.profile_id = @profile_id);
IF @profile_id IS NOT NULL AND @agents_using = 0
    EXEC sys.sp_drop_agent_profile @profile_id = @profile_id;
SELECT @agents_using AS agents_using;
