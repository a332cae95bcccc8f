/*
name: set_turnstile
purpose: give the turnstile one setting
access: change
runs at: any
database: master
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters:
  @parameter sysname <word> -- Gates or QueueLength
  @value nvarchar <word> -- a whole number
columns: none
client-owned: none
source: own, made up for tests of the program
*/
SET NOCOUNT ON;
EXEC sys.sp_updateextendedproperty @name = @parameter, @value = @value;
