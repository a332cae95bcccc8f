/*
name: own_cost
purpose: what this connection has cost the server since it was opened; asked in whatever database the connection is in
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  cpu_ms bigint [ms] -- processor time
  logical_reads bigint [pages] -- pages read, from memory or disk
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-sessions-transact-sql.md (a login sees its own sessions without any right)
*/
SELECT CAST(own.cpu_time AS bigint) AS cpu_ms,
       own.logical_reads AS logical_reads
FROM sys.dm_exec_sessions AS own
WHERE own.session_id = @@SPID;
