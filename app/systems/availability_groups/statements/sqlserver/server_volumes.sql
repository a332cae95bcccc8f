/*
name: server_volumes
purpose: free space of each volume that holds database files
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  volume nvarchar <folder> -- mount point or drive
  free_bytes bigint [bytes] -- free
  total_bytes bigint [bytes] -- size
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-os-volume-stats-transact-sql.md
*/
SELECT volumes.volume_mount_point AS volume,
       MIN(volumes.available_bytes) AS free_bytes,
       MAX(volumes.total_bytes) AS total_bytes
FROM sys.master_files AS files
CROSS APPLY sys.dm_os_volume_stats(files.database_id, files.file_id) AS volumes
GROUP BY volumes.volume_mount_point
ORDER BY volumes.volume_mount_point;
