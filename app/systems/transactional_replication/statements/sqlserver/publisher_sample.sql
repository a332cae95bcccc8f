/*
name: publisher_sample
purpose: transactions not yet read by the Log Reader Agents, and log use, of every published database
access: read
runs at: publisher
database: publication
permission: db_owner in the database; VIEW SERVER STATE
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  publisher_db sysname <database> -- published database
  pending_transactions int [transactions] -- in the log, marked for replication, not read
  log_used_percent bigint? [%] -- used share of its log, NULL where the counter is disabled
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  backups int [count] -- backups of databases that run now
  log_backups int [count] -- log backups that run now
  restores int [count] -- restores that run now
  index_builds int [count] -- requests that build or reorganize indexes, or update statistics, now
  consistency_checks int [count] -- DBCC requests that run now
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-replcounters-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-performance-counters-transact-sql.md (names of counters are SQL Server's own, in English at a server of any language: scripts published for French and German servers ask for these; translated are Windows' copies of them, which this view does not read); MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-requests-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md (physical_database_name, since SQL Server 2019 and in Azure); MicrosoftDocs/sql-docs:azure-sql/managed-instance/doc-changes-updates-known-issues.md (GUID values shown instead of database names)
*/
SET NOCOUNT ON;
DECLARE @counters table (publisher_db sysname, pending_transactions int, rate float, latency float, begin_lsn binary(10), end_lsn binary(10));
INSERT INTO @counters (publisher_db, pending_transactions, rate, latency, begin_lsn, end_lsn)
EXEC sys.sp_replcounters;
-- The counters have the server's collation, table variables the publication database's.
DECLARE @used table (counted_as sysname, log_used_percent bigint);
INSERT INTO @used (counted_as, log_used_percent)
SELECT found.instance_name, found.cntr_value
FROM sys.dm_os_performance_counters AS found
WHERE found.object_name LIKE N'%:Databases%' AND found.counter_name = N'Percent Log Used';
-- A Managed Instance counts under a GUID, which its sys.databases knows; servers before 2019 find no such column there
-- and take the NULL of "absent" instead: an inner query sees the outer one's columns last.
SELECT counters.publisher_db AS publisher_db,
       counters.pending_transactions AS pending_transactions,
       (SELECT TOP (1) used.log_used_percent
        FROM @used AS used
        WHERE used.counted_as IN (counters.publisher_db,
                                  (SELECT physical_database_name COLLATE DATABASE_DEFAULT
                                   FROM sys.databases AS databases
                                   WHERE databases.database_id = DB_ID(counters.publisher_db)))
        ORDER BY CASE WHEN used.counted_as = counters.publisher_db THEN 0 ELSE 1 END) AS log_used_percent,
       info.sqlserver_start_time_ms_ticks AS server_started_ms,
       others.backups AS backups,
       others.log_backups AS log_backups,
       others.restores AS restores,
       others.index_builds AS index_builds,
       others.consistency_checks AS consistency_checks
FROM @counters AS counters
CROSS JOIN sys.dm_os_sys_info AS info
CROSS JOIN (SELECT COUNT(CASE WHEN requests.command LIKE N'BACKUP DATABASE%' THEN 1 END) AS backups,
                   COUNT(CASE WHEN requests.command LIKE N'BACKUP LOG%' THEN 1 END) AS log_backups,
                   COUNT(CASE WHEN requests.command LIKE N'RESTORE%' THEN 1 END) AS restores,
                   COUNT(CASE WHEN requests.command LIKE N'ALTER INDEX%' OR requests.command LIKE N'CREATE INDEX%'
                                OR requests.command LIKE N'DBCC INDEXDEFRAG%' OR requests.command LIKE N'UPDATE STATISTIC%' THEN 1 END) AS index_builds,
                   COUNT(CASE WHEN requests.command LIKE N'DBCC%' AND requests.command NOT LIKE N'DBCC INDEXDEFRAG%' THEN 1 END) AS consistency_checks
            FROM sys.dm_exec_requests AS requests) AS others
CROSS JOIN (SELECT CAST(NULL AS nvarchar(128)) AS physical_database_name) AS absent
ORDER BY counters.publisher_db;
