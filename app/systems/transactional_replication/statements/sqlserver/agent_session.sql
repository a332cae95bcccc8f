/*
name: agent_session
purpose: start of the newest session of an agent
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_history, dbo.MSlogreader_history
versions: SQL Server 2012 and later
form: select
shared locks: none
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @agent_id int -- id in MSlogreader_agents or MSdistribution_agents
columns:
  session_start_utc datetime? -- NULL before the first session
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-history-transact-sql.md
*/
-- Rows are written in the order of timestamp: the newest row is of the newest session.
SELECT DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), MAX(history.start_time)) AS session_start_utc
FROM (SELECT newest_reader.start_time AS start_time
      FROM (SELECT TOP (1) reader.start_time AS start_time
            FROM dbo.MSlogreader_history AS reader
            WHERE @agent_type = 2 AND reader.agent_id = @agent_id
            ORDER BY reader.timestamp DESC) AS newest_reader
      UNION ALL
      SELECT newest_agent.start_time
      FROM (SELECT TOP (1) agent.start_time AS start_time
            FROM dbo.MSdistribution_history AS agent
            WHERE @agent_type = 3 AND agent.agent_id = @agent_id
            ORDER BY agent.timestamp DESC) AS newest_agent) AS history;
