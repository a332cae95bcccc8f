/*
name: lab_wait
purpose: let time pass at a lab server, whose clock is its own; sent to no other server
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: batch
parameters:
  @delay nvarchar <word> -- hours:minutes:seconds.milliseconds, less than a day
columns:
  now_utc datetime -- time of day after it
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/language-elements/waitfor-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/sysutcdatetime-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @time_to_pass nvarchar(12);
SET @time_to_pass = @delay;
WAITFOR DELAY @time_to_pass;
SELECT SYSUTCDATETIME() AS now_utc;
