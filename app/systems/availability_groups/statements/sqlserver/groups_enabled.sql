/*
name: groups_enabled
purpose: whether a server may hold availability groups at all; anybody may ask that
access: read
runs at: replica
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  is_enabled int? -- 1 where the feature is switched on
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/serverproperty-transact-sql.md
*/
SELECT CAST(SERVERPROPERTY(N'IsHadrEnabled') AS int) AS is_enabled;
