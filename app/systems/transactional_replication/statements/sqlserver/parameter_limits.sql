/*
name: parameter_limits
purpose: legal parameters of an agent type with default and limits, as this build knows them
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.MSagentparameterlist
versions: SQL Server 2012 and later
form: select
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
columns:
  parameter_name sysname <word> -- without a leading dash
  default_value nvarchar? -- default as text
  min_value int? -- lowest value
  max_value int? -- highest value
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msagentparameterlist-transact-sql.md
*/
SELECT known.parameter_name AS parameter_name,
       known.default_value AS default_value,
       known.min_value AS min_value,
       known.max_value AS max_value
FROM msdb.dbo.MSagentparameterlist AS known
WHERE known.agent_type = @agent_type
ORDER BY known.parameter_name;
