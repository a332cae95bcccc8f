/*
name: redirected_publishers
purpose: publication databases in an availability group, and the listener that stands for their Publisher
access: read
runs at: distributor
database: distribution
permission: SELECT on dbo.MSredirected_publishers
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  publisher sysname <server> -- Publisher as replication calls it
  publisher_db sysname <database> -- publication database
  redirected nvarchar <server> -- where that database is now: the listener of its group
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-redirect-publisher-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-get-redirected-publisher-transact-sql.md
*/
SELECT redirected.original_publisher AS publisher,
       redirected.publisher_db AS publisher_db,
       CAST(redirected.redirected_publisher AS nvarchar(255)) AS redirected
FROM dbo.MSredirected_publishers AS redirected
ORDER BY redirected.original_publisher, redirected.publisher_db;
