/*
name: agent_statistics
purpose: newest statistics row (state 1) of the newest session of an agent
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
  time_utc datetime -- time of the row
  comments nvarchar <word> -- XML: seconds of work, idle, reader and writer
client-owned: none
source: MicrosoftDocs SupportArticles KB2892631
*/
SELECT TOP (1) DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), history.time) AS time_utc,
       history.comments AS comments
FROM (SELECT readers.time AS time, readers.comments AS comments, readers.written AS written
      FROM (SELECT TOP (1) reader.time AS time, CAST(reader.comments AS nvarchar(4000)) AS comments, reader.timestamp AS written
            FROM dbo.MSlogreader_history AS reader
            WHERE @agent_type = 2
              AND reader.agent_id = @agent_id
              AND reader.start_time = (SELECT TOP (1) newest.start_time FROM dbo.MSlogreader_history AS newest
                                       WHERE newest.agent_id = @agent_id ORDER BY newest.timestamp DESC)
              AND reader.comments LIKE N'<stats state="1"%'
            ORDER BY reader.timestamp DESC) AS readers
      UNION ALL
      SELECT agents.time, agents.comments, agents.written
      FROM (SELECT TOP (1) agent.time AS time, CAST(agent.comments AS nvarchar(4000)) AS comments, agent.timestamp AS written
            FROM dbo.MSdistribution_history AS agent
            WHERE @agent_type = 3
              AND agent.agent_id = @agent_id
              AND agent.start_time = (SELECT TOP (1) newest.start_time FROM dbo.MSdistribution_history AS newest
                                      WHERE newest.agent_id = @agent_id ORDER BY newest.timestamp DESC)
              AND agent.comments LIKE N'<stats state="1"%'
            ORDER BY agent.timestamp DESC) AS agents) AS history
ORDER BY history.time DESC, history.written DESC;
