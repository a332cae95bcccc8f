/*
name: set_capture_mark
purpose: set the mark of a run in a captured database, or take it out, unless it is so already
access: change
runs at: any
database: captured
permission: db_owner in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @mark sysname <word> -- name of the property, which ends with its session; any other is left alone
  @is_wanted int -- 1 sets it, 0 takes it out
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-addextendedproperty-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-dropextendedproperty-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_there int;
SELECT @is_there = COUNT(*) FROM sys.extended_properties AS marks WHERE marks.class = 0 AND marks.name = @mark;
IF @mark LIKE N'Replitune capture %' AND @is_there = 0 AND @is_wanted = 1
    EXEC sys.sp_addextendedproperty @name = @mark, @value = N'set by Replitune, which removes it once everything is undone';
IF @mark LIKE N'Replitune capture %' AND @is_there = 1 AND @is_wanted = 0
    EXEC sys.sp_dropextendedproperty @name = @mark;
