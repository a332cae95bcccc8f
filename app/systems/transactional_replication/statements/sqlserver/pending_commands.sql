/*
name: pending_commands
purpose: commands of one subscription stored at the Distributor and not delivered, as Replication Monitor counts them
access: read
runs at: distributor
database: distribution
permission: db_owner in the database
versions: SQL Server 2012 and later
form: batch
shared locks: none
duration: by rows
parameters:
  @publisher sysname <server> -- server name
  @publisher_db sysname <database> -- publication database
  @publication sysname <publication> -- publication name
  @subscriber sysname <server> -- server name
  @subscriber_db sysname <database> -- subscription database
  @subscription_type int -- 0 push, 1 pull
columns:
  pendingcmdcount int [commands] -- commands waiting
  estimatedprocesstime int [s] -- the server's own rough estimate
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-replmonitorsubscriptionpendingcmds-transact-sql.md
*/
EXEC dbo.sp_replmonitorsubscriptionpendingcmds @publisher = @publisher, @publisher_db = @publisher_db,
     @publication = @publication, @subscriber = @subscriber, @subscriber_db = @subscriber_db,
     @subscription_type = @subscription_type;
