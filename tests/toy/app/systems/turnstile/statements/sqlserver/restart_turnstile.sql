/*
name: restart_turnstile
purpose: restart the turnstile, so that what is set counts
access: change
runs at: any
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters: none
columns: none
client-owned: none
source: own, made up for tests of the program
*/
SET NOCOUNT ON;
EXEC dbo.turnstile_restart;
