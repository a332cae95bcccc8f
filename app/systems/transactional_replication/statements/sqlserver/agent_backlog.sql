/*
name: agent_backlog
purpose: undelivered commands of one Distribution Agent, counted up to a bound
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_history, dbo.MSpublisher_databases, dbo.MSrepl_commands, dbo.MSreplservers, dbo.MSsubscriptions
versions: SQL Server 2012 and later
form: batch
shared locks: none
duration: by rows
parameters:
  @publisher sysname <server> -- server name
  @publisher_db sysname <database> -- publication database
  @agent_id int -- Distribution Agent
  @at_most bigint [commands] -- where counting ends
columns:
  commands int? [commands] -- waiting, at least; NULL where its history does not say what it delivered last
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msrepl-commands-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mspublisher-databases-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mssubscriptions-transact-sql.md; ReplTalk/ReplScripts:ReplDiag/ReplPerfStats.sql
*/
SET NOCOUNT ON;
DECLARE @servers TABLE (srvid int, srvname sysname);
DECLARE @published_id int, @delivered varbinary(16);
-- Since 2016 SP2 CU3 and 2017 CU6 the distribution database numbers the servers itself; older ones have no such table.
-- OBJECT_ID is NULL for a login that may not see the table, too: only one that sees every definition is believed.
IF OBJECT_ID(N'dbo.MSreplservers') IS NULL AND HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1
    INSERT INTO @servers SELECT servers.server_id, servers.name FROM sys.servers AS servers;
ELSE
    INSERT INTO @servers SELECT own.srvid, own.srvname FROM dbo.MSreplservers AS own;
SELECT @published_id = published.id
FROM dbo.MSpublisher_databases AS published
JOIN @servers AS publisher ON publisher.srvid = published.publisher_id
WHERE publisher.srvname = @publisher
  AND published.publisher_db = @publisher_db;
SELECT TOP (1) @delivered = history.xact_seqno
FROM dbo.MSdistribution_history AS history
WHERE history.agent_id = @agent_id
ORDER BY history.xact_seqno DESC;
-- The id alone leads to a seek in the index of the commands. A long one takes several rows, all but its last one partial.
SELECT CASE WHEN @delivered IS NULL THEN NULL ELSE COUNT(*) END AS commands
FROM (SELECT TOP (@at_most) stored.command_id
      FROM dbo.MSrepl_commands AS stored
      WHERE stored.publisher_database_id = @published_id
        AND stored.xact_seqno > @delivered
        AND stored.partial_command = 0
        AND stored.article_id IN (SELECT subscription.article_id
                                  FROM dbo.MSsubscriptions AS subscription
                                  WHERE subscription.agent_id = @agent_id
                                    AND subscription.publisher_database_id = @published_id)) AS waiting;
