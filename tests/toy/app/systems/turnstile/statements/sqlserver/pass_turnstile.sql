/*
name: pass_turnstile
purpose: let people through the turnstile and measure the time
access: change
runs at: any
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @people int [count] -- how many
columns:
  elapsed_ms float [ms] -- until the last one has passed
client-owned: none
source: own, made up for tests of the program
*/
SET NOCOUNT ON;
EXEC dbo.turnstile_pass @people = @people;
