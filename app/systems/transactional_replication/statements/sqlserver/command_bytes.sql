/*
name: command_bytes
purpose: size of the next undelivered commands of a Distribution Agent, at most a thousand rows of them
access: read
runs at: distributor
database: distribution
permission: db_owner or replmonitor in the distribution database
versions: SQL Server 2012 and later
form: select
parameters:
  @publisher sysname <server> -- server name
  @publisher_db sysname <database> -- publication database
  @agent_id int -- Distribution Agent
columns:
  commands int? [commands] -- whole commands seen
  stored_bytes bigint? [bytes] -- their size
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msrepl-commands-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mspublisher-databases-transact-sql.md
*/
-- A long command takes several rows, all but its last one marked partial.
SELECT SUM(CASE WHEN waiting.partial_command = 1 THEN 0 ELSE 1 END) AS commands,
       SUM(CAST(DATALENGTH(waiting.command) AS bigint)) AS stored_bytes
FROM (SELECT TOP (1000) stored.command, stored.partial_command
      FROM dbo.MSrepl_commands AS stored
      JOIN dbo.MSpublisher_databases AS published ON published.id = stored.publisher_database_id
      JOIN sys.servers AS publisher ON publisher.server_id = published.publisher_id
      WHERE publisher.name = @publisher
        AND published.publisher_db = @publisher_db
        AND stored.xact_seqno > (SELECT MAX(history.xact_seqno) FROM dbo.MSdistribution_history AS history WHERE history.agent_id = @agent_id)
      ORDER BY stored.xact_seqno, stored.command_id) AS waiting;
