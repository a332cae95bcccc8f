/*
name: set_job_step_token
purpose: add, replace or remove one numeric parameter of the agent's job step where it has the expected value, on the server
access: change
runs at: distributor
database: msdb
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
  @parameter nvarchar <word> -- name with its leading dash
  @value nvarchar <word> -- digits; empty removes the parameter
  @expected nvarchar? <word> -- value it must have, '' for none, NULL for any
columns:
  step_id int -- step that was edited
  masked_hash nvarchar <word> -- SHA2_256 of the step text without this parameter, hexadecimal
  is_expected int -- 0 where another value stood there, which was left; no row where the step is gone
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-update-jobstep-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/replication/agents/view-and-modify-replication-agent-command-prompt-parameters.md
*/
SET NOCOUNT ON;
DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @masked nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int, @is_expected int;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id
  AND step.subsystem IN (N'LogReader', N'Distribution')
ORDER BY step.step_id;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N' ' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' ';
SET @at = CHARINDEX(N' ' + @parameter + N' ', @flat COLLATE Latin1_General_CI_AS);
SET @masked = @command;
SET @is_expected = CASE WHEN @step_id IS NULL THEN NULL
                        WHEN @expected IS NULL OR (@at = 0 AND @expected = N'') THEN 1 ELSE 0 END;
IF @at > 0
BEGIN
    SET @value_at = @at + LEN(@parameter) + 2;
    SET @value_at = @value_at + ISNULL(NULLIF(PATINDEX(N'%[^ ]%', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N' ', @flat + N' ', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    IF SUBSTRING(@flat, @value_at, @value_end - @value_at) = @expected
        SET @is_expected = 1;
    SET @masked = STUFF(@command, @cut, @value_end - 1 - @cut, N'');
END;
IF @is_expected = 1 AND @step_id IS NOT NULL AND @value NOT LIKE N'%[^0-9]%' AND @parameter LIKE N'-[A-Z]%'
BEGIN
    DECLARE @edited nvarchar(max);
    SET @edited = CASE WHEN @value = N'' THEN @masked
                       WHEN @at = 0 THEN @command + N' ' + @parameter + N' ' + @value
                       ELSE STUFF(@command, @value_at - 1, @value_end - @value_at, @value) END;
    IF @edited <> @command
        EXEC msdb.dbo.sp_update_jobstep @job_id = @job_id, @step_id = @step_id, @command = @edited;
END;
SELECT @step_id AS step_id,
       CONVERT(nvarchar(64), HASHBYTES('SHA2_256', @masked), 2) AS masked_hash,
       @is_expected AS is_expected
WHERE @step_id IS NOT NULL;
