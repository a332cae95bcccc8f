/*
name: publications
purpose: transactional publications with their articles and destination tables
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSarticles, dbo.MSpublications, dbo.MSreplservers
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  publisher sysname <server> -- server name
  publisher_db sysname <database> -- publication database
  publication sysname <publication> -- publication name
  article sysname? <table> -- NULL for a publication without articles
  destination_owner sysname? <login> -- schema at the Subscriber
  destination_object sysname? <table> -- table at the Subscriber
  source_owner sysname? <login> -- schema at the Publisher
  source_object sysname? <table> -- table at the Publisher
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mspublications-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msarticles-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-servers-transact-sql.md; ReplTalk/ReplScripts:ReplDiag/ReplPerfStats.sql
*/
SET NOCOUNT ON;
DECLARE @servers TABLE (srvid int, srvname sysname);
-- Since 2016 SP2 CU3 and 2017 CU6 the distribution database numbers the servers itself; older ones have no such table.
-- OBJECT_ID is NULL for a login that may not see the table, too: only one that sees every definition is believed.
IF OBJECT_ID(N'dbo.MSreplservers') IS NULL AND HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1
    INSERT INTO @servers SELECT servers.server_id, servers.name FROM sys.servers AS servers;
ELSE
    INSERT INTO @servers SELECT own.srvid, own.srvname FROM dbo.MSreplservers AS own;
SELECT publisher.srvname AS publisher,
       publication.publisher_db AS publisher_db,
       publication.publication AS publication,
       article.article AS article,
       ISNULL(article.destination_owner, N'dbo') AS destination_owner,
       article.destination_object AS destination_object,
       ISNULL(article.source_owner, N'dbo') AS source_owner,
       article.source_object AS source_object
FROM dbo.MSpublications AS publication
JOIN @servers AS publisher ON publisher.srvid = publication.publisher_id
LEFT JOIN dbo.MSarticles AS article
       ON article.publisher_id = publication.publisher_id
      AND article.publisher_db = publication.publisher_db
      AND article.publication_id = publication.publication_id
WHERE publication.publication_type = 0
ORDER BY publisher.srvname, publication.publisher_db, publication.publication, article.article;
