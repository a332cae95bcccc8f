/*
name: turnstile_settings
purpose: settings of the turnstile, no rows where there is none
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  name sysname <word> -- Gates or QueueLength
  value nvarchar <word> -- as set
  in_effect nvarchar <word> -- as counts since the last start
client-owned: none
source: own, made up for tests of the program
*/
SELECT settings.name AS name,
       CAST(settings.value AS nvarchar(20)) AS value,
       CAST(counting.value AS nvarchar(20)) AS in_effect
FROM sys.extended_properties AS settings
JOIN sys.extended_properties AS counting ON counting.class = 0 AND counting.name = settings.name + N' in effect'
WHERE settings.class = 0 AND settings.name IN (N'Gates', N'QueueLength')
ORDER BY settings.name;
