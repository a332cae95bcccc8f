/*
name: local_time
purpose: time of day where a server stands, and the same moment in UTC
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  now_local nvarchar <word> -- year-month-day hours:minutes:seconds.milliseconds
  now_utc nvarchar <word> -- as above
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/getdate-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/getutcdate-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/cast-and-convert-transact-sql.md
*/
SELECT CONVERT(nvarchar(23), GETDATE(), 121) AS now_local,
       CONVERT(nvarchar(23), GETUTCDATE(), 121) AS now_utc;
