/*
name: publication_rights
purpose: what this login may do in a publication database
access: read
runs at: publisher
database: publication
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  user_name sysname <login> -- as whom the database knows this login; guest where it has no user of its own
  right_name nvarchar <word> -- as headers of statements write it
  is_held int? -- 1 where the login has it, NULL where this version has no such object
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/is-rolemember-transact-sql.md, has-perms-by-name-transact-sql.md
*/
SELECT USER_NAME() AS user_name,
       asked.right_name AS right_name,
       asked.is_held AS is_held
FROM (VALUES (N'db_owner', IS_ROLEMEMBER(N'db_owner')),
             (N'SELECT on dbo.syspublications', HAS_PERMS_BY_NAME(N'dbo.syspublications', N'OBJECT', N'SELECT'))
     ) AS asked (right_name, is_held);
