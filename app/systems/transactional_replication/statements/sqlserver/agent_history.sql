/*
name: agent_history
purpose: history rows of the newest session of an agent, oldest first, at most the 10,000 newest; statistics rows left out
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
  runstatus int -- 1 start, 2 succeed, 3 in progress, 4 idle, 5 retry, 6 fail
  session_start_utc datetime -- start of the session
  time_utc datetime -- time of the row
  delivered_transactions int [transactions] -- total of the session
  delivered_commands int [commands] -- total of the session
  latency_ms int [ms] -- over the agent's own leg
  comments nvarchar <sentence> -- text of the row
  position nvarchar? <word> -- newest transaction it had processed, its log sequence number, hexadecimal
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-history-transact-sql.md
*/
SELECT history.runstatus AS runstatus,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), history.start_time) AS session_start_utc,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), history.time) AS time_utc,
       history.delivered_transactions AS delivered_transactions,
       history.delivered_commands AS delivered_commands,
       history.latency_ms AS latency_ms,
       history.comments AS comments,
       CONVERT(nvarchar(32), history.xact_seqno, 2) AS position
FROM (SELECT readers.runstatus AS runstatus, readers.start_time AS start_time, readers.time AS time,
             readers.delivered_transactions AS delivered_transactions, readers.delivered_commands AS delivered_commands,
             readers.latency_ms AS latency_ms, readers.comments AS comments, readers.xact_seqno AS xact_seqno,
             readers.written AS written
      FROM (SELECT TOP (10000) reader.runstatus AS runstatus, reader.start_time AS start_time, reader.time AS time,
                   reader.delivered_transactions AS delivered_transactions, reader.delivered_commands AS delivered_commands,
                   reader.delivery_latency AS latency_ms, CAST(reader.comments AS nvarchar(4000)) AS comments,
                   reader.xact_seqno AS xact_seqno, reader.timestamp AS written
            FROM dbo.MSlogreader_history AS reader
            WHERE @agent_type = 2
              AND reader.agent_id = @agent_id
              AND reader.start_time = (SELECT TOP (1) newest.start_time FROM dbo.MSlogreader_history AS newest
                                       WHERE newest.agent_id = @agent_id ORDER BY newest.timestamp DESC)
            ORDER BY reader.timestamp DESC) AS readers
      UNION ALL
      SELECT agents.runstatus, agents.start_time, agents.time, agents.delivered_transactions, agents.delivered_commands,
             agents.latency_ms, agents.comments, agents.xact_seqno, agents.written
      FROM (SELECT TOP (10000) agent.runstatus AS runstatus, agent.start_time AS start_time, agent.time AS time,
                   agent.delivered_transactions AS delivered_transactions, agent.delivered_commands AS delivered_commands,
                   agent.current_delivery_latency AS latency_ms, CAST(agent.comments AS nvarchar(4000)) AS comments,
                   agent.xact_seqno AS xact_seqno, agent.timestamp AS written
            FROM dbo.MSdistribution_history AS agent
            WHERE @agent_type = 3
              AND agent.agent_id = @agent_id
              AND agent.start_time = (SELECT TOP (1) newest.start_time FROM dbo.MSdistribution_history AS newest
                                      WHERE newest.agent_id = @agent_id ORDER BY newest.timestamp DESC)
            ORDER BY agent.timestamp DESC) AS agents) AS history
WHERE history.comments NOT LIKE N'<stats%'
ORDER BY history.time, history.written;
