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
  right_name nvarchar <word> -- as headers of statements write it
  is_held int? -- 1 where the login has it, NULL where the server does not know it
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/has-perms-by-name-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/is-srvrolemember-transact-sql.md
*/
SELECT SUSER_SNAME() AS login_name,
       asked.right_name AS right_name,
       asked.is_held AS is_held
FROM (VALUES (N'sysadmin', IS_SRVROLEMEMBER(N'sysadmin')),
             (N'VIEW SERVER STATE', HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE')),
             (N'VIEW ANY DEFINITION', HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW ANY DEFINITION'))
     ) AS asked (right_name, is_held);
