/*
name: subscription_natures
purpose: Distribution Agents whose Subscribers send changes back, or are no SQL Servers
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSreplservers, dbo.MSsubscriber_info, dbo.MSsubscriptions
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  agent_id int -- Distribution Agent
  is_updatable int -- 1 where its Subscriber may change rows and send that back
  is_other_engine int -- 1 where its Subscriber is reached through ODBC or OLE DB
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mssubscriptions-transact-sql.md (update_mode); MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mssubscriber-info-transact-sql.md (type); MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-agents-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @servers TABLE (srvid int, srvname sysname);
-- Since 2016 SP2 CU3 and 2017 CU6 the distribution database numbers the servers itself; older ones have no such table.
-- OBJECT_ID is NULL for a login that may not see the table, too: only one that sees every definition is believed.
IF OBJECT_ID(N'dbo.MSreplservers') IS NULL AND HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1
    INSERT INTO @servers SELECT servers.server_id, servers.name FROM sys.servers AS servers;
ELSE
    INSERT INTO @servers SELECT own.srvid, own.srvname FROM dbo.MSreplservers AS own;
SELECT agent.id AS agent_id,
       CASE WHEN EXISTS (SELECT 1
                         FROM dbo.MSsubscriptions AS subscription
                         WHERE subscription.agent_id = agent.id
                           AND subscription.update_mode <> 0) THEN 1 ELSE 0 END AS is_updatable,
       CASE WHEN EXISTS (SELECT 1
                         FROM dbo.MSsubscriber_info AS info
                         WHERE info.publisher = publisher.srvname
                           AND info.subscriber = subscriber.srvname
                           AND info.type <> 0) THEN 1 ELSE 0 END AS is_other_engine
FROM dbo.MSdistribution_agents AS agent
LEFT JOIN @servers AS publisher ON publisher.srvid = agent.publisher_id
LEFT JOIN @servers AS subscriber ON subscriber.srvid = agent.subscriber_id
ORDER BY agent_id;
