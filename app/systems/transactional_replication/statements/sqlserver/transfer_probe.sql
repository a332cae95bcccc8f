/*
name: transfer_probe
purpose: a known number of bytes over the link, timed to know its bandwidth
access: read
runs at: subscriber
database: subscription
permission: CONNECT in the database
versions: SQL Server 2012 and later
form: select
duration: measured
parameters:
  @bytes int [bytes] -- how many to send
columns:
  payload varchar <word> -- that many letters x
client-owned: none
source: own probe; MicrosoftDocs/sql-docs:docs/t-sql/functions/replicate-transact-sql.md
*/
SELECT REPLICATE(CAST('x' AS varchar(max)), @bytes) AS payload;
