/*
name: server_rights
purpose: what this login may do at a server as a whole
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  login_name nvarchar <login> -- who is connected
  is_sysadmin int -- 1 where the login is a member of sysadmin
  may_view_state int -- 1 where it has VIEW SERVER STATE
  may_view_definitions int -- 1 where it has VIEW ANY DEFINITION
  may_alter_groups int? -- 1 where it has ALTER ANY AVAILABILITY GROUP
  may_see_job_steps int? -- 1 where it may read msdb.dbo.sysjobsteps
  may_see_job_activity int? -- 1 where it may read msdb.dbo.sysjobactivity
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/has-perms-by-name-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/is-srvrolemember-transact-sql.md
*/
SELECT SUSER_SNAME() AS login_name,
       ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) AS is_sysadmin,
       ISNULL(HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE'), 0) AS may_view_state,
       ISNULL(HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW ANY DEFINITION'), 0) AS may_view_definitions,
       HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER ANY AVAILABILITY GROUP') AS may_alter_groups,
       HAS_PERMS_BY_NAME(N'msdb.dbo.sysjobsteps', N'OBJECT', N'SELECT') AS may_see_job_steps,
       HAS_PERMS_BY_NAME(N'msdb.dbo.sysjobactivity', N'OBJECT', N'SELECT') AS may_see_job_activity;
