/*
name: assign_profile
purpose: assign a profile to one agent where it has the expected one; it counts from the agent's next start
access: change
runs at: distributor
database: distribution
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @agent_id int -- id in MSlogreader_agents or MSdistribution_agents
  @profile_id int -- profile to use
  @expected int? -- profile it must have, NULL for any
columns:
  is_expected int -- 0 where another value stood there, which was left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-update-agent-profile-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_expected int;
SELECT @is_expected = COUNT(*)
WHERE @expected IS NULL
   OR EXISTS (SELECT 1 FROM dbo.MSlogreader_agents AS reader WHERE @agent_type = 2 AND reader.id = @agent_id AND reader.profile_id = @expected)
   OR EXISTS (SELECT 1 FROM dbo.MSdistribution_agents AS agent WHERE @agent_type = 3 AND agent.id = @agent_id AND agent.profile_id = @expected);
IF @is_expected = 1
    EXEC dbo.sp_update_agent_profile @agent_type = @agent_type, @agent_id = @agent_id, @profile_id = @profile_id;
SELECT @is_expected AS is_expected;
