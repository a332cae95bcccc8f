/*
name: profile_parameters
purpose: parameters of a profile
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.MSagent_parameters
versions: SQL Server 2012 and later
form: select
parameters:
  @profile_id int -- profile
columns:
  parameter_name sysname <word> -- with its leading dash
  value nvarchar? -- value as text
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msagent-parameters-transact-sql.md
*/
SELECT parameter.parameter_name AS parameter_name,
       parameter.value AS value
FROM msdb.dbo.MSagent_parameters AS parameter
WHERE parameter.profile_id = @profile_id
ORDER BY parameter.parameter_name;
