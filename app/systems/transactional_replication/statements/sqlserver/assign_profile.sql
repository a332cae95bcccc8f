/*
name: assign_profile
purpose: assign a profile to one agent; it counts from the agent's next start
access: change
runs at: distributor
database: distribution
permission: sysadmin at the Distributor
versions: SQL Server 2012 and later
form: batch
parameters:
  @agent_type int -- 2 Log Reader Agent, 3 Distribution Agent
  @agent_id int -- id in MSlogreader_agents or MSdistribution_agents
  @profile_id int -- profile to use
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-update-agent-profile-transact-sql.md
*/
EXEC dbo.sp_update_agent_profile @agent_type = @agent_type, @agent_id = @agent_id, @profile_id = @profile_id;
