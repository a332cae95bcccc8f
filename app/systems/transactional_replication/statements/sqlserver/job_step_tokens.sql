/*
name: job_step_tokens
purpose: numeric parameters that the agent's job step names; the step text itself stays on the server
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.sysjobsteps
versions: SQL Server 2012 and later
form: select
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
columns:
  parameter_name nvarchar <word> -- with its leading dash
  value nvarchar <word> -- digits
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobsteps-transact-sql.md
*/
-- A step can hold passwords: only names of this list and values made of digits alone ever leave the server.
SELECT wanted.parameter_name AS parameter_name,
       found.value AS value
FROM msdb.dbo.sysjobsteps AS step
CROSS JOIN (VALUES (N'-BcpBatchSize'), (N'-CommitBatchSize'), (N'-CommitBatchThreshold'), (N'-HistoryVerboseLevel'),
                   (N'-KeepAliveMessageInterval'), (N'-LoginTimeOut'), (N'-LogScanThreshold'), (N'-MaxBcpThreads'),
                   (N'-MaxCmdsInTran'), (N'-MaxDeliveredTransactions'), (N'-MessageInterval'),
                   (N'-OledbStreamThreshold'), (N'-OutputVerboseLevel'), (N'-PacketSize'), (N'-PollingInterval'),
                   (N'-QueryTimeOut'), (N'-ReadBatchSize'), (N'-ReadBatchThreshold'), (N'-SubscriptionStreams'),
                   (N'-TransactionsPerHistory')) AS wanted(parameter_name)
CROSS APPLY (SELECT N' ' + REPLACE(REPLACE(REPLACE(step.command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' ' AS line) AS flat
CROSS APPLY (SELECT CHARINDEX(N' ' + wanted.parameter_name + N' ', flat.line COLLATE Latin1_General_CI_AS) AS at) AS place
CROSS APPLY (SELECT LTRIM(SUBSTRING(flat.line, place.at + LEN(wanted.parameter_name) + 2, 4000)) AS line) AS rest
CROSS APPLY (SELECT LEFT(rest.line, CHARINDEX(N' ', rest.line + N' ') - 1) AS value) AS found
WHERE step.job_id = @job_id
  AND step.subsystem IN (N'LogReader', N'Distribution')
  AND place.at > 0
  AND found.value <> N''
  AND found.value NOT LIKE N'%[^0-9]%'
ORDER BY wanted.parameter_name;
