/*
name: agent_profile
purpose: profile assigned to one agent, and the streams its subscription asks for
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSlogreader_agents, msdb.dbo.MSagent_profiles
versions: SQL Server 2012 and later
form: select
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @agent_id int -- id in MSlogreader_agents or MSdistribution_agents
columns:
  agent_name nvarchar <agent> -- name of the agent
  profile_id int -- assigned profile
  profile_name sysname? -- its name, NULL where the profile is gone
  profile_type int? -- 0 system, 1 custom
  job_id nvarchar? <word> -- GUID of the agent's job, NULL where the job runs elsewhere
  subscription_streams int? [connections] -- property of the subscription, NULL where unset
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msagent-profiles-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-agents-transact-sql.md
*/
SELECT agent.name AS agent_name,
       agent.profile_id AS profile_id,
       profile.profile_name AS profile_name,
       profile.type AS profile_type,
       CONVERT(nvarchar(36), CONVERT(uniqueidentifier, agent.job_id)) AS job_id,
       agent.subscription_streams AS subscription_streams
FROM (SELECT 2 AS agent_type, reader.id AS id, reader.name AS name, reader.profile_id AS profile_id,
             reader.job_id AS job_id, CAST(NULL AS int) AS subscription_streams
      FROM dbo.MSlogreader_agents AS reader
      UNION ALL
      SELECT 3, distributor.id, distributor.name, distributor.profile_id, distributor.job_id,
             CAST(distributor.subscriptionstreams AS int)
      FROM dbo.MSdistribution_agents AS distributor) AS agent
LEFT JOIN msdb.dbo.MSagent_profiles AS profile ON profile.profile_id = agent.profile_id
WHERE agent.agent_type = @agent_type
  AND agent.id = @agent_id;
