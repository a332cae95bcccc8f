/*
name: names_alike
purpose: whether a server takes two spellings for one name, by its own collation
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters:
  @one nvarchar -- a name
  @spelling nvarchar -- what may be another spelling of it
columns:
  are_alike int -- 1 where they are equal to this server
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/collations/collation-and-unicode-support.md; MicrosoftDocs/sql-docs:docs/t-sql/statements/collations.md; MicrosoftDocs/sql-docs:docs/t-sql/language-elements/string-comparison-assignment.md (blanks at the end)
*/
-- Variables have the collation of the database they are in: that of master is the server's, by which databases are named.
SELECT CASE WHEN @one = @spelling THEN 1 ELSE 0 END AS are_alike;
