/*
name: job_step_token
purpose: one parameter of the agent's job step, with a hash of the text around it
access: read
runs at: distributor
database: msdb
permission: SELECT on msdb.dbo.sysjobsteps
versions: SQL Server 2012 and later
form: batch
parameters:
  @job_id uniqueidentifier <word> -- the agent's job in msdb
  @parameter nvarchar <word> -- name with its leading dash
columns:
  step_id int -- step that runs the agent
  value nvarchar? <word> -- digits, NULL where the step does not name the parameter
  occurrences int [count] -- 0, 1, or 2 for more than one
  masked_hash nvarchar <word> -- SHA2_256 of the step text without this parameter, hexadecimal
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobsteps-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/hashbytes-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @masked nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id
  AND step.subsystem IN (N'LogReader', N'Distribution')
ORDER BY step.step_id;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N' ' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' ';
SET @at = CHARINDEX(N' ' + @parameter + N' ', @flat COLLATE Latin1_General_CI_AS);
SET @masked = @command;
IF @at > 0
BEGIN
    SET @value_at = @at + LEN(@parameter) + 2;
    SET @value_at = @value_at + ISNULL(NULLIF(PATINDEX(N'%[^ ]%', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N' ', @flat + N' ', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    SET @masked = STUFF(@command, @cut, @value_end - 1 - @cut, N'');
END;
SELECT @step_id AS step_id,
       CASE WHEN @at > 0 AND SUBSTRING(@flat, @value_at, @value_end - @value_at) NOT LIKE N'%[^0-9]%'
            THEN SUBSTRING(@flat, @value_at, @value_end - @value_at) END AS value,
       CASE WHEN @at = 0 THEN 0
            WHEN CHARINDEX(N' ' + @parameter + N' ', @flat COLLATE Latin1_General_CI_AS, @value_end) = 0 THEN 1
            ELSE 2 END AS occurrences,
       CONVERT(nvarchar(64), HASHBYTES('SHA2_256', @masked), 2) AS masked_hash
WHERE @step_id IS NOT NULL;
