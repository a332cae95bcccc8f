/*
name: own_profiles
purpose: profiles with names this program gives, and how many agents use each
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSdistribution_agents, dbo.MSlogreader_agents, msdb.dbo.MSagent_profiles
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  profile_name sysname -- begins with 'Replitune '
  agents_using int [count] -- agents assigned to it in this distribution database
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msagent-profiles-transact-sql.md
*/
SELECT profile.profile_name AS profile_name,
       (SELECT COUNT(*) FROM dbo.MSlogreader_agents AS reader WHERE reader.profile_id = profile.profile_id)
     + (SELECT COUNT(*) FROM dbo.MSdistribution_agents AS agent WHERE agent.profile_id = profile.profile_id) AS agents_using
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.type = 1
  AND profile.profile_name LIKE N'Replitune %'
ORDER BY profile.profile_name;
