/*
name: delete_tracer_token
purpose: remove one tracer token that this program posted
access: change
runs at: publisher
database: publication
permission: db_owner in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @publication sysname <publication> -- publication name
  @tracer_id int -- id of the token
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-deletetracertokenhistory-transact-sql.md
*/
EXEC sys.sp_deletetracertokenhistory @publication = @publication, @tracer_id = @tracer_id;
