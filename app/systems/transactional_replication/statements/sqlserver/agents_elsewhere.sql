/*
name: agents_elsewhere
purpose: agents that write their history now, and whose job here does not run and did not when the newest row was written
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSdistribution_history, dbo.MSlogreader_agents, dbo.MSlogreader_history, msdb.dbo.sysjobactivity
versions: SQL Server 2012 and later
form: select
shared locks: none
parameters: none
columns:
  agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  agent_id int -- id within its type
  age_s int [s] -- of the newest row
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mslogreader-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-history-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobactivity-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/replication/agents/replication-distribution-agent.md (MessageInterval, 60 s unless set)
*/
-- 2 succeeded and 6 failed end a session. The agent of a pull subscription runs at its Subscriber by design.
SELECT newest.agent_type AS agent_type,
       newest.agent_id AS agent_id,
       DATEDIFF(SECOND, newest.time, GETDATE()) AS age_s
FROM (SELECT 2 AS agent_type, reader.id AS agent_id, CONVERT(uniqueidentifier, reader.job_id) AS job_id,
             newest_row.runstatus AS runstatus, newest_row.time AS time
      FROM dbo.MSlogreader_agents AS reader
      CROSS APPLY (SELECT TOP (1) history.runstatus, history.time
                   FROM dbo.MSlogreader_history AS history
                   WHERE history.agent_id = reader.id
                   ORDER BY history.timestamp DESC) AS newest_row
      UNION ALL
      SELECT 3, agent.id, CONVERT(uniqueidentifier, agent.job_id), newest_row.runstatus, newest_row.time
      FROM dbo.MSdistribution_agents AS agent
      CROSS APPLY (SELECT TOP (1) history.runstatus, history.time
                   FROM dbo.MSdistribution_history AS history
                   WHERE history.agent_id = agent.id
                   ORDER BY history.timestamp DESC) AS newest_row
      WHERE agent.subscription_type = 0) AS newest
WHERE newest.runstatus IN (1, 3, 4, 5)
  AND newest.time > DATEADD(MINUTE, -10, GETDATE())
  -- A run of the job that SQL Server Agent did not see end, ended where the next session of SQL Server Agent began at the latest.
  AND NOT EXISTS (SELECT 1
                  FROM msdb.dbo.sysjobactivity AS activity
                  WHERE activity.job_id = newest.job_id
                    AND activity.start_execution_date <= newest.time
                    AND ISNULL(ISNULL(activity.stop_execution_date,
                                      (SELECT MIN(later.start_execution_date)
                                       FROM msdb.dbo.sysjobactivity AS later
                                       WHERE later.session_id > activity.session_id)), GETDATE()) >= newest.time)
ORDER BY agent_type, agent_id;
