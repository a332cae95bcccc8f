/*
name: round_trip
purpose: the smallest statement there is, timed to know the network
access: read
runs at: subscriber
database: subscription
permission: CONNECT in the database
versions: SQL Server 2012 and later
form: select
duration: measured
parameters: none
columns:
  one int -- 1
client-owned: none
source: own probe
*/
SELECT 1 AS one;
