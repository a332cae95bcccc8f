/*
name: server_options
purpose: the server options on grouping commits, and those that somebody set and that wait for RECONFIGURE
access: read
runs at: replica
database: master
permission: public
versions: SQL Server 2025 and later
form: batch
parameters: none
columns:
  option_name nvarchar <word> -- as sys.configurations calls it
  value int -- as it was set
  value_in_use int -- in effect now
  lowest int -- least value the server takes
  highest int -- largest value the server takes
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-configurations-transact-sql.md; MicrosoftDocs/sql-docs:docs/database-engine/configure-windows/availability-group-commit-time-server-configuration-options.md
*/
SET NOCOUNT ON;
SELECT options.name AS option_name,
       CAST(options.value AS int) AS value,
       CAST(options.value_in_use AS int) AS value_in_use,
       CAST(options.minimum AS int) AS lowest,
       CAST(options.maximum AS int) AS highest
FROM sys.configurations AS options
WHERE options.name IN (N'show advanced options', N'availability group commit time (ms)')
   OR (options.is_dynamic = 1 AND options.value <> options.value_in_use
       AND options.name NOT IN (N'min server memory (MB)', N'max server memory (MB)'))
ORDER BY options.name;
