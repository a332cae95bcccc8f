/*
name: drop_profile_parameter
purpose: remove one parameter of a dedicated profile, by name, where it has the expected value
access: change
runs at: distributor
database: msdb
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @profile_name sysname -- dedicated profile, its name begins with 'Replitune '
  @parameter_name sysname <word> -- with its leading dash
  @expected nvarchar? <word> -- value it must have, NULL for any
columns:
  profile_id int? -- id of the profile, NULL where it does not exist
  is_expected int -- 0 where another value stood there, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-drop-agent-parameter-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @profile_id int, @is_expected int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
SELECT @is_expected = COUNT(*)
WHERE @expected IS NULL
   OR @expected = ISNULL((SELECT own.value FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter_name), N'');
-- Without a name the procedure would empty the profile.
IF @is_expected = 1 AND EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter_name)
    EXEC sys.sp_drop_agent_parameter @profile_id = @profile_id, @parameter_name = @parameter_name;
SELECT @profile_id AS profile_id, @is_expected AS is_expected;
