/*
name: copy_profile_parameters
purpose: make the parameters of a dedicated profile equal to those of the agent's own profile
access: change
runs at: distributor
database: msdb
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @profile_name sysname -- dedicated profile, its name begins with 'Replitune '
  @source_profile_id int -- profile to copy from
columns:
  profile_id int? -- id of the profile
  parameters int [count] -- parameters it has now
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-change-agent-parameter-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-add-agent-parameter-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-drop-agent-parameter-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @profile_id int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
DECLARE @name sysname, @value nvarchar(255), @present int;
DECLARE @todo table (parameter_name sysname, value nvarchar(255), is_present int);
-- A new profile is born with parameters of its own: change those it shares, add those it lacks, drop the rest by name.
INSERT INTO @todo (parameter_name, value, is_present)
SELECT wanted.parameter_name, wanted.value,
       (SELECT COUNT(*) FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id AND own.parameter_name = wanted.parameter_name)
FROM msdb.dbo.MSagent_parameters AS wanted
WHERE wanted.profile_id = @source_profile_id AND @profile_id IS NOT NULL;
WHILE EXISTS (SELECT 1 FROM @todo AS todo)
BEGIN
    SELECT TOP (1) @name = todo.parameter_name, @value = todo.value, @present = todo.is_present FROM @todo AS todo;
    IF @present > 0
        EXEC sys.sp_change_agent_parameter @profile_id = @profile_id, @parameter_name = @name, @parameter_value = @value;
    ELSE
        EXEC sys.sp_add_agent_parameter @profile_id = @profile_id, @parameter_name = @name, @parameter_value = @value;
    DELETE FROM @todo WHERE parameter_name = @name;
END;
INSERT INTO @todo (parameter_name, value, is_present)
SELECT own.parameter_name, own.value, 1
FROM msdb.dbo.MSagent_parameters AS own
WHERE own.profile_id = @profile_id
  AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS wanted
                  WHERE wanted.profile_id = @source_profile_id AND wanted.parameter_name = own.parameter_name);
WHILE EXISTS (SELECT 1 FROM @todo AS todo)
BEGIN
    SELECT TOP (1) @name = todo.parameter_name FROM @todo AS todo;
    EXEC sys.sp_drop_agent_parameter @profile_id = @profile_id, @parameter_name = @name;
    DELETE FROM @todo WHERE parameter_name = @name;
END;
SELECT @profile_id AS profile_id,
       (SELECT COUNT(*) FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id) AS parameters;
