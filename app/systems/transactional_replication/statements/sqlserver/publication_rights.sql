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
  is_owner int -- 1 where the login is db_owner
  is_writer int -- 1 where it is a member of db_datawriter
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/is-rolemember-transact-sql.md
*/
SELECT ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) AS is_owner,
       ISNULL(IS_ROLEMEMBER(N'db_datawriter'), 0) AS is_writer;
