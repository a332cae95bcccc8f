/*
name: add_profile
purpose: make a dedicated profile, unless it is there; never the default of its type
access: change
runs at: distributor
database: msdb
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @profile_name sysname -- dedicated profile, its name begins with 'Replitune '
  @description nvarchar <sentence> -- what it is for
columns:
  profile_id int? -- id of the profile
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-add-agent-profile-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @profile_id int;
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = @agent_type
  AND profile.profile_name = @profile_name
  AND profile.type = 1
  AND profile.profile_name LIKE N'Replitune %';
IF @profile_id IS NULL AND @profile_name LIKE N'Replitune %'
    EXEC sys.sp_add_agent_profile @profile_id = @profile_id OUTPUT, @profile_name = @profile_name, @agent_type = @agent_type,
         @profile_type = 1, @description = @description, @default = 0;
SELECT @profile_id AS profile_id;
