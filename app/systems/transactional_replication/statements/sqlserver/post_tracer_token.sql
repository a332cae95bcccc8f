/*
name: post_tracer_token
purpose: post a tracer token into the log of the publication database, unless its moment has passed
access: change
runs at: publisher
database: publication
permission: db_owner in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @publication sysname <publication> -- publication name
  @from_local nvarchar <word> -- the Publisher's time of day from which on it may be posted
  @until_local nvarchar <word> -- and up to which, so that a later look knows when it can have been
columns:
  tracer_id int? -- id of the token, NULL where none was posted
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-posttracertoken-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @token int;
IF GETDATE() >= CONVERT(datetime, @from_local, 121) AND GETDATE() < CONVERT(datetime, @until_local, 121)
    EXEC sys.sp_posttracertoken @publication = @publication, @tracer_token_id = @token OUTPUT;
SELECT @token AS tracer_id;
