/*
name: tracer_token
purpose: how far a tracer token has come, in milliseconds (the documented procedure rounds to whole seconds)
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MStracer_history, dbo.MStracer_tokens
versions: SQL Server 2012 and later
form: select
shared locks: none
parameters:
  @tracer_id int -- id of the token
  @agent_id int -- Distribution Agent
columns:
  to_distributor_ms int? [ms] -- Publisher to Distributor, NULL while on its way
  to_subscriber_ms int? [ms] -- Distributor to Subscriber, NULL while on its way
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mstracer-tokens-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/mstracer-history-transact-sql.md
*/
SELECT DATEDIFF(MILLISECOND, token.publisher_commit, token.distributor_commit) AS to_distributor_ms,
       DATEDIFF(MILLISECOND, token.distributor_commit, arrival.subscriber_commit) AS to_subscriber_ms
FROM dbo.MStracer_tokens AS token
LEFT JOIN dbo.MStracer_history AS arrival
       ON arrival.parent_tracer_id = token.tracer_id
      AND arrival.agent_id = @agent_id
WHERE token.tracer_id = @tracer_id;
