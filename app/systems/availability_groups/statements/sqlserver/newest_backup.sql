/*
name: newest_backup
purpose: the number of the newest backup in the history, so that those taken later can be told from it
access: read
runs at: primary
database: master
permission: SELECT on msdb.dbo.backupset
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  backup_set_id int -- 0 where there is none yet
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/backupset-transact-sql.md
*/
SELECT ISNULL(MAX(backups.backup_set_id), 0) AS backup_set_id
FROM msdb.dbo.backupset AS backups;
