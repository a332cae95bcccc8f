/*
name: post_tracer_token
purpose: post a tracer token into the log of the publication database
access: change
runs at: publisher
database: publication
permission: sysadmin or db_owner in the publication database
versions: SQL Server 2012 and later
form: batch
parameters:
  @publication sysname -- publication name
columns:
  tracer_id int -- id of the token
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-posttracertoken-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @token int;
EXEC sys.sp_posttracertoken @publication = @publication, @tracer_token_id = @token OUTPUT;
SELECT @token AS tracer_id;
