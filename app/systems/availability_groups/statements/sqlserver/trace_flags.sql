/*
name: trace_flags
purpose: which trace flags on log stream compression, redo and seeding are set globally
access: read
runs at: replica
database: master
permission: public
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  flag int -- 1448, 1462, 3459, 9567, 9591 or 9592
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/database-console-commands/dbcc-tracestatus-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/database-console-commands/dbcc-traceon-trace-flags-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @flags TABLE (flag int, status int, is_global int, is_session int);
INSERT INTO @flags (flag, status, is_global, is_session)
EXEC sys.sp_executesql @stmt = N'DBCC TRACESTATUS (1448, 1462, 3459, 9567, 9591, 9592) WITH NO_INFOMSGS';
SELECT flags.flag AS flag
FROM @flags AS flags
WHERE flags.status = 1 AND flags.is_global = 1
ORDER BY flags.flag;
