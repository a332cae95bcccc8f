/*
name: own_tracer_tokens
purpose: one tracer token by its id, or those of a publication that were posted in a short span of time
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSpublications, dbo.MSreplservers, dbo.MStracer_tokens
versions: SQL Server 2012 and later
form: batch
parameters:
  @publisher sysname <server> -- server name
  @publisher_db sysname <database> -- publication database
  @publication sysname <publication> -- publication name
  @is_known int -- 1 where the id is known, else 0
  @tracer_id int -- the id
  @from_local nvarchar <word> -- begin of the span, the Publisher's time of day
  @until_local nvarchar <word> -- its end
  @from_utc nvarchar <word> -- the same begin in UTC: which of both a token carries is not documented
  @until_utc nvarchar <word> -- the same end
columns:
  tracer_id int -- id of a token
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mstracer-tokens-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mspublications-transact-sql.md; ReplTalk/ReplScripts:ReplDiag/ReplPerfStats.sql
*/
SET NOCOUNT ON;
DECLARE @servers TABLE (srvid int, srvname sysname);
-- Since 2016 SP2 CU3 and 2017 CU6 the distribution database numbers the servers itself; older ones have no such table.
-- OBJECT_ID is NULL for a login that may not see the table, too: only one that sees every definition is believed.
IF OBJECT_ID(N'dbo.MSreplservers') IS NULL AND HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1
    INSERT INTO @servers SELECT servers.server_id, servers.name FROM sys.servers AS servers;
ELSE
    INSERT INTO @servers SELECT own.srvid, own.srvname FROM dbo.MSreplservers AS own;
SELECT token.tracer_id AS tracer_id
FROM dbo.MStracer_tokens AS token
JOIN dbo.MSpublications AS publication ON publication.publication_id = token.publication_id
JOIN @servers AS publisher ON publisher.srvid = publication.publisher_id
WHERE publisher.srvname = @publisher
  AND publication.publisher_db = @publisher_db
  AND publication.publication = @publication
  AND ((@is_known = 1 AND token.tracer_id = @tracer_id)
       OR (@is_known = 0
           AND ((token.publisher_commit >= CONVERT(datetime, @from_local, 121)
                 AND token.publisher_commit < CONVERT(datetime, @until_local, 121))
                OR (token.publisher_commit >= CONVERT(datetime, @from_utc, 121)
                    AND token.publisher_commit < CONVERT(datetime, @until_utc, 121)))))
ORDER BY token.tracer_id;
