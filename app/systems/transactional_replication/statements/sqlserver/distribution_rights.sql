/*
name: distribution_rights
purpose: what this login may do in the distribution database
access: read
runs at: distributor
database: distribution
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  user_name sysname <login> -- as whom the database knows this login; guest where it has no user of its own
  right_name nvarchar <word> -- as headers of statements write it
  is_held int? -- 1 where the login has it, NULL where this version has no such object
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/has-perms-by-name-transact-sql.md
*/
SELECT USER_NAME() AS user_name,
       asked.right_name AS right_name,
       asked.is_held AS is_held
FROM (VALUES (N'SELECT on dbo.MSarticles', HAS_PERMS_BY_NAME(N'dbo.MSarticles', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSdistribution_agents', HAS_PERMS_BY_NAME(N'dbo.MSdistribution_agents', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSdistribution_history', HAS_PERMS_BY_NAME(N'dbo.MSdistribution_history', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSlogreader_agents', HAS_PERMS_BY_NAME(N'dbo.MSlogreader_agents', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSlogreader_history', HAS_PERMS_BY_NAME(N'dbo.MSlogreader_history', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSpublications', HAS_PERMS_BY_NAME(N'dbo.MSpublications', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSpublisher_databases', HAS_PERMS_BY_NAME(N'dbo.MSpublisher_databases', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSredirected_publishers', HAS_PERMS_BY_NAME(N'dbo.MSredirected_publishers', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSrepl_commands', HAS_PERMS_BY_NAME(N'dbo.MSrepl_commands', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSsubscriber_info', HAS_PERMS_BY_NAME(N'dbo.MSsubscriber_info', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSsubscriptions', HAS_PERMS_BY_NAME(N'dbo.MSsubscriptions', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MStracer_history', HAS_PERMS_BY_NAME(N'dbo.MStracer_history', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MStracer_tokens', HAS_PERMS_BY_NAME(N'dbo.MStracer_tokens', N'OBJECT', N'SELECT')),
             (N'SELECT on dbo.MSreplservers', CASE WHEN OBJECT_ID(N'dbo.MSreplservers') IS NULL
                                             THEN HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION')
                                             ELSE HAS_PERMS_BY_NAME(N'dbo.MSreplservers', N'OBJECT', N'SELECT') END)
     ) AS asked (right_name, is_held);
