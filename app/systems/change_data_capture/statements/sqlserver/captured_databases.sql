/*
name: captured_databases
purpose: databases whose changes are captured or streamed, who holds their log, and where the primary copy of each is
access: read
runs at: any
database: master
permission: VIEW SERVER STATE
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  database_name sysname <database> -- name of the database
  state nvarchar? <word> -- ONLINE, RESTORING …
  is_captured int -- 1 where Change Data Capture is enabled
  is_published int -- 1 where it is published by transactional or snapshot replication
  is_change_feed int? -- 1 where Synapse Link or Fabric mirroring reads its log, NULL before SQL Server 2022
  is_event_stream int? -- 1 where change event streaming reads its log, NULL before SQL Server 2025
  has_adr int? -- 1 with accelerated database recovery, NULL before SQL Server 2019
  log_reuse_wait nvarchar? <word> -- what the log waits for as of the last checkpoint
  is_primary int? -- 1 where the primary copy is here, NULL where it is in no availability group
  primary_server nvarchar? <server> -- server of the primary replica, NULL where it is in no group or not known
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-databases-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-database-replica-states-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-availability-group-states-transact-sql.md
*/
-- Older servers have no such columns and take the NULL of "absent": an inner query sees the outer one's columns last.
SELECT found.name AS database_name,
       found.state_desc AS state,
       CAST(found.is_cdc_enabled AS int) AS is_captured,
       CAST(found.is_published AS int) AS is_published,
       (SELECT CAST(is_change_feed_enabled AS int) FROM sys.databases AS own WHERE own.database_id = found.database_id) AS is_change_feed,
       (SELECT CAST(is_event_stream_enabled AS int) FROM sys.databases AS own WHERE own.database_id = found.database_id) AS is_event_stream,
       (SELECT CAST(is_accelerated_database_recovery_on AS int) FROM sys.databases AS own WHERE own.database_id = found.database_id) AS has_adr,
       found.log_reuse_wait_desc AS log_reuse_wait,
       CAST(copies.is_primary_replica AS int) AS is_primary,
       states.primary_replica AS primary_server
FROM sys.databases AS found
LEFT JOIN sys.dm_hadr_database_replica_states AS copies ON copies.database_id = found.database_id AND copies.is_local = 1
LEFT JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = copies.group_id
CROSS JOIN (SELECT CAST(NULL AS bit) AS is_change_feed_enabled,
                   CAST(NULL AS bit) AS is_event_stream_enabled,
                   CAST(NULL AS bit) AS is_accelerated_database_recovery_on) AS absent
WHERE found.is_cdc_enabled = 1
   OR 1 IN (SELECT is_change_feed_enabled FROM sys.databases AS own WHERE own.database_id = found.database_id)
   OR 1 IN (SELECT is_event_stream_enabled FROM sys.databases AS own WHERE own.database_id = found.database_id)
ORDER BY found.name;
