/*
name: capture_errors
purpose: the newest error of the log scan
access: read
runs at: any
database: captured
permission: VIEW DATABASE STATE in the database
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  met_utc datetime -- when it was met
  error_number int -- number of the message
  message nvarchar? <sentence> -- its text
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/change-data-capture-sys-dm-cdc-errors.md
*/
SELECT TOP (1) DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), errors.entry_time) AS met_utc,
       errors.error_number AS error_number,
       errors.error_message AS message
FROM sys.dm_cdc_errors AS errors
ORDER BY errors.entry_time DESC;
