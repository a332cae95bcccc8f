/*
name: set_trace_flag
purpose: set or clear one trace flag globally (scope -1), only where it is as expected
access: change
runs at: replica
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @flag int -- 1462, 9567, 9591 or 9592; any other is left alone
  @turn_on int -- 1 sets it, 0 clears it
  @expected int? -- 1 where it must be set now, 0 where it must not, NULL for any
columns:
  is_expected int -- 0 where another value stood there, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/database-console-commands/dbcc-traceon-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/database-console-commands/dbcc-traceoff-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(200), @is_on int, @is_expected int;
DECLARE @flags TABLE (flag int, status int, is_global int, is_session int);
SET @text = N'DBCC TRACESTATUS (' + CAST(@flag AS nvarchar(10)) + N') WITH NO_INFOMSGS';
INSERT INTO @flags (flag, status, is_global, is_session)
EXEC sys.sp_executesql @stmt = @text;
SELECT @is_on = COUNT(*) FROM @flags AS flags WHERE flags.flag = @flag AND flags.status = 1 AND flags.is_global = 1;
SET @is_expected = CASE WHEN @expected IS NULL OR @expected = @is_on THEN 1 ELSE 0 END;
SET @text = N'DBCC ' + CASE WHEN @turn_on = 1 THEN N'TRACEON' ELSE N'TRACEOFF' END + N' (' + CAST(@flag AS nvarchar(10)) + N', -1) WITH NO_INFOMSGS';
IF @is_expected = 1 AND @flag IN (1462, 9567, 9591, 9592) AND @turn_on <> @is_on
    EXEC sys.sp_executesql @stmt = @text;
SELECT @is_expected AS is_expected;
