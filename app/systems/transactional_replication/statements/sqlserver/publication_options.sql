/*
name: publication_options
purpose: whether publications are those of a peer-to-peer topology
access: read
runs at: publisher
database: publication
permission: SELECT on dbo.syspublications
versions: SQL Server 2012 and later
form: select
parameters:
  @publication sysname <publication> -- its name, empty for all of the database
columns:
  publications int [count] -- how many there are of that name
  peers int [count] -- of these, how many are enabled for peer-to-peer replication
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/syspublications-transact-sql.md (options, 0x1 and 0x8)
*/
SELECT COUNT(*) AS publications,
       COUNT(CASE WHEN publication.options & 9 <> 0 THEN 1 END) AS peers
FROM dbo.syspublications AS publication
WHERE @publication = N'' OR publication.name = @publication;
