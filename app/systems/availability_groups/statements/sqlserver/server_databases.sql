/*
name: server_databases
purpose: user databases of a server with their group, recovery model and sizes
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  database_name sysname <database> -- name of the database
  group_name sysname? <group> -- its availability group, NULL for a standalone one
  state_desc nvarchar <word> -- ONLINE, RESTORING, OFFLINE …
  recovery_model_desc nvarchar <word> -- FULL, BULK_LOGGED or SIMPLE
  data_kb bigint [KiB] -- size of its data files
  log_kb bigint [KiB] -- size of its log files
  log_used_percent bigint? [%] -- used share of the log; NULL where the database is not open
  is_encrypted int -- 1 with transparent data encryption
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-master-files-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-availability-databases-cluster-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/sql-server-databases-object.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-performance-counters-transact-sql.md (names of counters are SQL Server's own, in English at a server of any language: scripts published for French and German servers ask for these; translated are Windows' copies of them, which this view does not read)
*/
SELECT databases.name AS database_name,
       (SELECT groups.name
        FROM sys.availability_databases_cluster AS members
        JOIN sys.availability_groups AS groups ON groups.group_id = members.group_id
        WHERE members.group_database_id = databases.group_database_id) AS group_name,
       databases.state_desc AS state_desc,
       databases.recovery_model_desc AS recovery_model_desc,
       (SELECT ISNULL(SUM(CAST(files.size AS bigint)), 0) * 8
        FROM sys.master_files AS files
        WHERE files.database_id = databases.database_id AND files.type <> 1) AS data_kb,
       (SELECT ISNULL(SUM(CAST(files.size AS bigint)), 0) * 8
        FROM sys.master_files AS files
        WHERE files.database_id = databases.database_id AND files.type = 1) AS log_kb,
       (SELECT MAX(counters.cntr_value)
        FROM sys.dm_os_performance_counters AS counters
        WHERE counters.object_name LIKE N'%:Databases%' AND counters.counter_name = N'Percent Log Used'
              AND counters.instance_name COLLATE DATABASE_DEFAULT = databases.name COLLATE DATABASE_DEFAULT) AS log_used_percent,
       CAST(databases.is_encrypted AS int) AS is_encrypted
FROM sys.databases AS databases
WHERE databases.database_id > 4 AND databases.is_distributor = 0
ORDER BY databases.name;
