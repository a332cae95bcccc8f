/*
name: server_time
purpose: time of day at a server, which is the clock of a lab server
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  now_utc datetime -- time of day
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/sysutcdatetime-transact-sql.md
*/
SELECT SYSUTCDATETIME() AS now_utc;
