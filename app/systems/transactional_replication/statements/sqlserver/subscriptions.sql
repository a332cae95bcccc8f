/*
name: subscriptions
purpose: active subscriptions of transactional publications
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSpublications, dbo.MSreplservers, dbo.MSsubscriptions
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  publication sysname <publication> -- publication name
  publisher_db sysname <database> -- publication database
  subscriber sysname <server> -- server name
  subscriber_db sysname <database> -- subscription database
  subscription_type int -- 0 push, 1 pull, 2 anonymous
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mssubscriptions-transact-sql.md; ReplTalk/ReplScripts:ReplDiag/ReplPerfStats.sql
*/
SET NOCOUNT ON;
DECLARE @servers TABLE (srvid int, srvname sysname);
-- Since 2016 SP2 CU3 and 2017 CU6 the distribution database numbers the servers itself; older ones have no such table.
-- OBJECT_ID is NULL for a login that may not see the table, too: only one that sees every definition is believed.
IF OBJECT_ID(N'dbo.MSreplservers') IS NULL AND HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1
    INSERT INTO @servers SELECT servers.server_id, servers.name FROM sys.servers AS servers;
ELSE
    INSERT INTO @servers SELECT own.srvid, own.srvname FROM dbo.MSreplservers AS own;
-- MSsubscriptions has one row per article; virtual subscribers have negative ids and no server.
SELECT DISTINCT publication.publication AS publication,
       subscription.publisher_db AS publisher_db,
       subscriber.srvname AS subscriber,
       subscription.subscriber_db AS subscriber_db,
       subscription.subscription_type AS subscription_type
FROM dbo.MSsubscriptions AS subscription
JOIN dbo.MSpublications AS publication ON publication.publication_id = subscription.publication_id
JOIN @servers AS subscriber ON subscriber.srvid = subscription.subscriber_id
WHERE subscription.subscriber_id >= 0
  AND subscription.status = 2
  AND publication.publication_type = 0
ORDER BY subscription.publisher_db, publication.publication, subscriber.srvname, subscription.subscriber_db;
