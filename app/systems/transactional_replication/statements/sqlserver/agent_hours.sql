/*
name: agent_hours
purpose: what every agent delivered in each hour of its kept history (at most its 50,000 newest rows), as differences of session totals
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSdistribution_history, dbo.MSlogreader_agents, dbo.MSlogreader_history
versions: SQL Server 2012 and later
form: select
shared locks: none
parameters:
  @hours int -- how far back to look
columns:
  agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  agent_id int -- id within its type
  hour_utc datetime -- start of the hour
  transactions bigint [transactions] -- delivered in the hour
  commands bigint [commands] -- delivered in the hour
  busy_s bigint [s] -- time between rows that delivered something
  latency_ms float? [ms] -- mean of the rows that delivered something
  worst_latency_ms bigint? [ms] -- largest of them
  problems int [count] -- rows with a retry or a failure
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-history-transact-sql.md
*/
-- delivered_commands is a total of the session (rows of one start_time): only its growth from row to row counts.
-- Of a session that began before its oldest kept row, clean-up has taken the beginning: what that row tells is no growth.
-- Of an agent with more rows than are read, the oldest one read has no row before it to be compared with: it is left out.
SELECT steps.agent_type AS agent_type,
       steps.agent_id AS agent_id,
       DATEADD(HOUR, DATEDIFF(HOUR, 0, steps.time_utc), 0) AS hour_utc,
       SUM(CAST(CASE WHEN steps.transactions > 0 THEN steps.transactions ELSE 0 END AS bigint)) AS transactions,
       SUM(CAST(CASE WHEN steps.commands > 0 THEN steps.commands ELSE 0 END AS bigint)) AS commands,
       SUM(CAST(CASE WHEN steps.commands > 0 THEN steps.step_s ELSE 0 END AS bigint)) AS busy_s,
       AVG(CASE WHEN steps.commands > 0 THEN CAST(steps.latency_ms AS float) END) AS latency_ms,
       MAX(CASE WHEN steps.commands > 0 THEN CAST(steps.latency_ms AS bigint) END) AS worst_latency_ms,
       SUM(CASE WHEN steps.runstatus IN (5, 6) THEN 1 ELSE 0 END) AS problems
FROM (SELECT rows_of_agents.agent_type AS agent_type,
             rows_of_agents.agent_id AS agent_id,
             rows_of_agents.runstatus AS runstatus,
             rows_of_agents.latency_ms AS latency_ms,
             ROW_NUMBER() OVER (PARTITION BY rows_of_agents.agent_type, rows_of_agents.agent_id
                                ORDER BY rows_of_agents.written DESC) AS place,
             DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), rows_of_agents.time) AS time_utc,
             rows_of_agents.delivered_transactions
                 - LAG(rows_of_agents.delivered_transactions, 1, CASE WHEN rows_of_agents.start_time >= rows_of_agents.kept_from
                                                                      THEN 0 ELSE rows_of_agents.delivered_transactions END) OVER
                 (PARTITION BY rows_of_agents.agent_type, rows_of_agents.agent_id, rows_of_agents.start_time
                  ORDER BY rows_of_agents.time, rows_of_agents.written) AS transactions,
             rows_of_agents.delivered_commands
                 - LAG(rows_of_agents.delivered_commands, 1, CASE WHEN rows_of_agents.start_time >= rows_of_agents.kept_from
                                                                  THEN 0 ELSE rows_of_agents.delivered_commands END) OVER
                 (PARTITION BY rows_of_agents.agent_type, rows_of_agents.agent_id, rows_of_agents.start_time
                  ORDER BY rows_of_agents.time, rows_of_agents.written) AS commands,
             DATEDIFF(SECOND, LAG(rows_of_agents.time, 1, CASE WHEN rows_of_agents.start_time >= rows_of_agents.kept_from
                                                               THEN rows_of_agents.start_time ELSE rows_of_agents.time END) OVER
                 (PARTITION BY rows_of_agents.agent_type, rows_of_agents.agent_id, rows_of_agents.start_time
                  ORDER BY rows_of_agents.time, rows_of_agents.written), rows_of_agents.time) AS step_s
      FROM (SELECT kept.agent_type AS agent_type, kept.agent_id AS agent_id, kept.runstatus AS runstatus,
                   kept.start_time AS start_time, kept.time AS time, kept.written AS written,
                   kept.delivered_transactions AS delivered_transactions, kept.delivered_commands AS delivered_commands,
                   kept.latency_ms AS latency_ms,
                   MIN(kept.time) OVER (PARTITION BY kept.agent_type, kept.agent_id) AS kept_from
            FROM (SELECT 2 AS agent_type, reader.id AS agent_id, newest.runstatus AS runstatus,
                   newest.start_time AS start_time, newest.time AS time, newest.written AS written,
                   newest.delivered_transactions AS delivered_transactions, newest.delivered_commands AS delivered_commands,
                   newest.latency_ms AS latency_ms
            FROM dbo.MSlogreader_agents AS reader
            CROSS APPLY (SELECT TOP (50000) history.runstatus AS runstatus, history.start_time AS start_time,
                                history.time AS time, history.timestamp AS written,
                                history.delivered_transactions AS delivered_transactions,
                                history.delivered_commands AS delivered_commands, history.delivery_latency AS latency_ms
                         FROM dbo.MSlogreader_history AS history
                         WHERE history.agent_id = reader.id AND history.comments NOT LIKE N'<stats%'
                         ORDER BY history.timestamp DESC) AS newest
            UNION ALL
            SELECT 3, agent.id, newest.runstatus, newest.start_time, newest.time, newest.written,
                   newest.delivered_transactions, newest.delivered_commands, newest.latency_ms
            FROM dbo.MSdistribution_agents AS agent
            CROSS APPLY (SELECT TOP (50000) history.runstatus AS runstatus, history.start_time AS start_time,
                                history.time AS time, history.timestamp AS written,
                                history.delivered_transactions AS delivered_transactions,
                                history.delivered_commands AS delivered_commands, history.current_delivery_latency AS latency_ms
                         FROM dbo.MSdistribution_history AS history
                         WHERE history.agent_id = agent.id AND history.comments NOT LIKE N'<stats%'
                         ORDER BY history.timestamp DESC) AS newest) AS kept) AS rows_of_agents) AS steps
WHERE steps.time_utc >= DATEADD(HOUR, -@hours, GETUTCDATE()) AND steps.place < 50000
GROUP BY steps.agent_type, steps.agent_id, DATEADD(HOUR, DATEDIFF(HOUR, 0, steps.time_utc), 0)
ORDER BY agent_type, agent_id, hour_utc;
