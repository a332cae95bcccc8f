/*
name: backup_history
purpose: the newest backups of a database that this program took
access: read
runs at: primary
database: master
permission: SELECT on msdb.dbo.backupset
versions: SQL Server 2012 and later
form: select
parameters:
  @database_name sysname <database> -- name of the database
  @backup_name nvarchar -- name of the backups in the history
columns:
  backup_type nvarchar <word> -- D full, L log
  started_utc datetime -- its start
  finished_utc datetime -- its end
  backup_bytes bigint [bytes] -- what was backed up
  compressed_bytes bigint [bytes] -- what was written
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/backupset-transact-sql.md
*/
SELECT backups.type AS backup_type,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), backups.backup_start_date) AS started_utc,
       DATEADD(MINUTE, DATEDIFF(MINUTE, GETDATE(), GETUTCDATE()), backups.backup_finish_date) AS finished_utc,
       CAST(backups.backup_size AS bigint) AS backup_bytes,
       CAST(ISNULL(backups.compressed_backup_size, backups.backup_size) AS bigint) AS compressed_bytes
FROM msdb.dbo.backupset AS backups
WHERE backups.backup_set_id IN (SELECT MAX(newest.backup_set_id)
                                FROM msdb.dbo.backupset AS newest
                                WHERE newest.database_name = @database_name AND newest.name = @backup_name AND newest.is_copy_only = 1
                                GROUP BY newest.type)
ORDER BY backups.backup_start_date;
