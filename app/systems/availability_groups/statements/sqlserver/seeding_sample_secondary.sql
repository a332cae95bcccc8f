/*
name: seeding_sample_secondary
purpose: everything read at the secondary while a database is seeded: disk, processors, redo
access: read
runs at: secondary
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @group_name sysname <group> -- name of the group
  @database_name sysname <database> -- name of the database
columns:
  cpu_ms bigint? [ms] -- processor time of SQL Server, total of all pools since their statistics were reset
  cpu_count int [count] -- logical processors
  server_started_ms bigint [ms] -- the computer's count of milliseconds when SQL Server started: another after each restart
  disk_read_bytes bigint? [bytes] -- read from all database files, a total
  disk_written_bytes bigint? [bytes] -- written to all database files, a total
  database_written_bytes bigint? [bytes] -- written to the files of this database; NULL where it is not there
  free_disk_bytes bigint? [bytes] -- smallest free space of the volumes of database files
  parallel_redo_threads int [count] -- redo workers of all databases now
  is_joined int -- 1 where the database has joined the group here
  redo_queue_kb bigint? [KiB] -- log not yet redone
  redo_rate_kb_per_s bigint? [KiB/s] -- log redone
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-io-virtual-file-stats-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-exec-requests-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md
*/
SELECT server.cpu_ms AS cpu_ms,
       server.cpu_count AS cpu_count,
       server.started_ms AS server_started_ms,
       server.disk_read_bytes AS disk_read_bytes,
       server.disk_written_bytes AS disk_written_bytes,
       server.database_written_bytes AS database_written_bytes,
       server.free_disk_bytes AS free_disk_bytes,
       server.parallel_redo_threads AS parallel_redo_threads,
       CASE WHEN own.is_joined = 1 THEN 1 ELSE 0 END AS is_joined,
       own.redo_queue_kb AS redo_queue_kb,
       own.redo_rate_kb_per_s AS redo_rate_kb_per_s
FROM (SELECT (SELECT SUM(pools.total_cpu_usage_ms) FROM sys.dm_resource_governor_resource_pools AS pools) AS cpu_ms,
             (SELECT MAX(info.cpu_count) FROM sys.dm_os_sys_info AS info) AS cpu_count,
             (SELECT MAX(info.sqlserver_start_time_ms_ticks) FROM sys.dm_os_sys_info AS info) AS started_ms,
             (SELECT SUM(stats.num_of_bytes_read) FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS stats) AS disk_read_bytes,
             (SELECT SUM(stats.num_of_bytes_written) FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS stats) AS disk_written_bytes,
             (SELECT SUM(stats.num_of_bytes_written)
              FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS stats
              WHERE stats.database_id = DB_ID(@database_name)) AS database_written_bytes,
             (SELECT MIN(volumes.available_bytes)
              FROM sys.master_files AS files
              CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes) AS free_disk_bytes,
             (SELECT COUNT(*) FROM sys.dm_exec_requests AS requests WHERE requests.command LIKE N'PARALLEL REDO TASK%') AS parallel_redo_threads) AS server
LEFT JOIN (SELECT CAST(members.is_database_joined AS int) AS is_joined, moving.redo_queue_size AS redo_queue_kb, moving.redo_rate AS redo_rate_kb_per_s
           FROM sys.availability_groups AS groups
           JOIN sys.dm_hadr_database_replica_states AS moving ON moving.group_id = groups.group_id
           JOIN sys.dm_hadr_database_replica_cluster_states AS members
                ON members.replica_id = moving.replica_id AND members.group_database_id = moving.group_database_id
           WHERE groups.name = @group_name AND members.database_name = @database_name AND moving.is_local = 1) AS own
       ON 1 = 1;
