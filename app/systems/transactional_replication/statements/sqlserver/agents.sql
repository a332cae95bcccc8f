/*
name: agents
purpose: Log Reader and Distribution Agents of a distribution database, with their jobs and profiles
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSlogreader_agents, dbo.MSreplservers
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  agent_id int -- id within its type
  agent_name nvarchar <agent> -- name of the agent and of its job
  job_id nvarchar? <word> -- GUID of the job, NULL where the job runs elsewhere
  profile_id int -- assigned profile
  publisher sysname <server> -- server name, empty where the distribution database has none for its number
  publisher_db sysname <database> -- publication database
  publication sysname? <publication> -- ALL for a shared agent, NULL for a Log Reader Agent
  subscriber sysname? <server> -- server name, empty where the distribution database has none for its number
  subscriber_db sysname? <database> -- subscription database
  subscription_type int? -- 0 push, 1 pull, 2 anonymous
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-agents-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-agents-transact-sql.md; ReplTalk/ReplScripts:ReplDiag/ReplPerfStats.sql
*/
SET NOCOUNT ON;
DECLARE @servers TABLE (srvid int, srvname sysname);
-- Since 2016 SP2 CU3 and 2017 CU6 the distribution database numbers the servers itself; older ones have no such table.
-- OBJECT_ID is NULL for a login that may not see the table, too: only one that sees every definition is believed.
IF OBJECT_ID(N'dbo.MSreplservers') IS NULL AND HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1
    INSERT INTO @servers SELECT servers.server_id, servers.name FROM sys.servers AS servers;
ELSE
    INSERT INTO @servers SELECT own.srvid, own.srvname FROM dbo.MSreplservers AS own;
-- binary(16) job ids convert to the GUID of msdb.dbo.sysjobs; password columns are never read.
SELECT 2 AS agent_type,
       reader.id AS agent_id,
       reader.name AS agent_name,
       CONVERT(nvarchar(36), CONVERT(uniqueidentifier, reader.job_id)) AS job_id,
       reader.profile_id AS profile_id,
       ISNULL(publisher.srvname, N'') AS publisher,
       reader.publisher_db AS publisher_db,
       CAST(NULL AS sysname) AS publication,
       CAST(NULL AS sysname) AS subscriber,
       CAST(NULL AS sysname) AS subscriber_db,
       CAST(NULL AS int) AS subscription_type
FROM dbo.MSlogreader_agents AS reader
LEFT JOIN @servers AS publisher ON publisher.srvid = reader.publisher_id
UNION ALL SELECT 3,
       agent.id,
       agent.name,
       CONVERT(nvarchar(36), CONVERT(uniqueidentifier, agent.job_id)),
       agent.profile_id,
       ISNULL(publisher.srvname, N''),
       agent.publisher_db,
       agent.publication,
       ISNULL(ISNULL(subscriber.srvname, CASE WHEN agent.anonymous_subid IS NOT NULL THEN agent.subscriber_name END), N''),
       agent.subscriber_db,
       agent.subscription_type
FROM dbo.MSdistribution_agents AS agent
LEFT JOIN @servers AS publisher ON publisher.srvid = agent.publisher_id
LEFT JOIN @servers AS subscriber ON subscriber.srvid = agent.subscriber_id AND agent.anonymous_subid IS NULL
-- Virtual ones keep a snapshot ready for Subscribers that nobody named: no agent runs for them.
WHERE agent.anonymous_subid IS NOT NULL OR ISNULL(agent.subscriber_id, 0) >= 0
ORDER BY agent_type, agent_id;
