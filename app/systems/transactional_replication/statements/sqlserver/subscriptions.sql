/*
name: subscriptions
purpose: active subscriptions of transactional publications
access: read
runs at: distributor
database: distribution
permission: db_owner or replmonitor in the distribution database
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  publication sysname <publication> -- publication name
  publisher_db sysname <database> -- publication database
  subscriber sysname <server> -- server name
  subscriber_db sysname <database> -- subscription database
  subscription_type int -- 0 push, 1 pull, 2 anonymous
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mssubscriptions-transact-sql.md
*/
-- MSsubscriptions has one row per article; virtual subscribers have negative ids and no server.
SELECT DISTINCT publication.publication AS publication,
       subscription.publisher_db AS publisher_db,
       subscriber.name AS subscriber,
       subscription.subscriber_db AS subscriber_db,
       subscription.subscription_type AS subscription_type
FROM dbo.MSsubscriptions AS subscription
JOIN dbo.MSpublications AS publication ON publication.publication_id = subscription.publication_id
JOIN sys.servers AS subscriber ON subscriber.server_id = subscription.subscriber_id
WHERE subscription.subscriber_id >= 0
  AND subscription.status = 2
  AND publication.publication_type = 0
ORDER BY subscription.publisher_db, publication.publication, subscriber.name, subscription.subscriber_db;
