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
  is_owner int -- 1 where the login is db_owner
  is_monitor int -- 1 where it is a member of replmonitor
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/is-rolemember-transact-sql.md
*/
SELECT ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) AS is_owner,
       ISNULL(IS_ROLEMEMBER(N'replmonitor'), 0) AS is_monitor;
