/*
name: other_programs
purpose: how much of the processors other programs than SQL Server used here within the last seconds
access: read
runs at: any
database: master
permission: VIEW SERVER STATE
versions: SQL Server 2012 and later
form: select
parameters:
  @elapsed_s int [s] -- how far back
columns:
  percent float? [%] -- of all processors, on average; NULL where no minute of that time is on record, or none tells it
  minutes int [count] -- on record
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-sys-info-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sql-server-operating-system-related-dynamic-management-views-transact-sql.md; https://techcommunity.microsoft.com/blog/sqlserver/sql-server-cpu-usage-available-in-sys-dm-os-ring-buffers-dmv-starting-sql-server/825361
*/
-- The server keeps a record of each of the last 256 minutes, stamped at its end: a minute counts whose larger part lies
-- in that time. Texts of other kinds of records need not be XML, so that numbers are cut out instead of parsed. Before
-- 2025 SQL Server on Linux writes 0 for what is idle.
SELECT AVG(CASE WHEN minute.idle + minute.own < 100 THEN 100.0E0 - minute.idle - minute.own ELSE 0.0E0 END) AS [percent],
       COUNT(minute.idle) AS minutes
FROM (SELECT TRY_CAST(REPLACE(REPLACE(SUBSTRING(ring.record, CHARINDEX(N'<SystemIdle>', ring.record) + 12, 3), N'<', N' '), N'/', N' ') AS int) AS idle,
             TRY_CAST(REPLACE(REPLACE(SUBSTRING(ring.record, CHARINDEX(N'<ProcessUtilization>', ring.record) + 20, 3), N'<', N' '), N'/', N' ') AS int) AS own
      FROM sys.dm_os_ring_buffers AS ring
      CROSS JOIN sys.dm_os_sys_info AS info
      WHERE ring.ring_buffer_type = N'RING_BUFFER_SCHEDULER_MONITOR'
        AND ring.record LIKE N'%<SystemHealth>%'
        AND ring.timestamp > info.ms_ticks - CAST(@elapsed_s AS bigint) * 1000 + 30000) AS minute
WHERE minute.own IS NOT NULL AND (minute.idle > 0 OR @@VERSION NOT LIKE N'%on Linux%');
