/*
name: set_server_option
purpose: set one of two server options, put it into effect, and leave hidden what was, only where it is as expected and no other one waits for RECONFIGURE
access: change
runs at: replica
database: master
permission: sysadmin
versions: SQL Server 2025 and later
form: batch
parameters:
  @option_name nvarchar <word> -- show advanced options or availability group commit time (ms); any other is left alone
  @value int -- its new value
  @expected int? -- what must stand there now, NULL for any
columns:
  is_expected int -- 0 where another value stood there, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-configure-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/language-elements/reconfigure-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-configurations-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_expected int, @is_hidden int, @problem nvarchar(400);
SELECT @is_expected = COUNT(*)
FROM sys.configurations AS options
WHERE options.name = @option_name
  AND options.name IN (N'show advanced options', N'availability group commit time (ms)')
  AND (@expected IS NULL OR CAST(options.value AS int) = @expected);
SELECT @problem = N'The option ''' + MIN(options.name) + N''' was set by somebody else and waits for RECONFIGURE, which would put it into effect as well'
FROM sys.configurations AS options
WHERE options.is_dynamic = 1 AND options.value <> options.value_in_use
  AND options.name NOT IN (N'min server memory (MB)', N'max server memory (MB)', @option_name);
IF @is_expected = 1 AND @problem IS NOT NULL
    THROW 50000, @problem, 1;
IF @is_expected = 1
BEGIN
    SELECT @is_hidden = COUNT(*)
    FROM sys.configurations AS options
    WHERE options.name = N'show advanced options' AND options.value_in_use = 0 AND @option_name <> N'show advanced options';
    IF @is_hidden = 1
    BEGIN
        EXEC sys.sp_configure @configname = N'show advanced options', @configvalue = 1;
        RECONFIGURE;
    END;
    EXEC sys.sp_configure @configname = @option_name, @configvalue = @value;
    RECONFIGURE;
    IF @is_hidden = 1
    BEGIN
        EXEC sys.sp_configure @configname = N'show advanced options', @configvalue = 0;
        RECONFIGURE;
    END;
END;
SELECT @is_expected AS is_expected;
