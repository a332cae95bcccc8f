/*
name: profile_by_name
purpose: find a profile by its name, and how many agents use it
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSlogreader_agents, msdb.dbo.MSagent_profiles
versions: SQL Server 2012 and later
form: select
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @profile_name sysname -- exact name
columns:
  profile_id int -- id
  profile_type int -- 0 system, 1 custom
  agents_using int [count] -- agents assigned to it in this distribution database
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msagent-profiles-transact-sql.md
*/
SELECT profile.profile_id AS profile_id,
       profile.type AS profile_type,
       (SELECT COUNT(*) FROM dbo.MSlogreader_agents AS reader WHERE reader.profile_id = profile.profile_id)
     + (SELECT COUNT(*) FROM dbo.MSdistribution_agents AS agent WHERE agent.profile_id = profile.profile_id) AS agents_using
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name;
