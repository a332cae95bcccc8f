/*
name: group_primary
purpose: which server holds the primary replica of a group now
access: read
runs at: replica
database: master
permission: VIEW SERVER STATE; VIEW ANY DEFINITION
versions: SQL Server 2012 and later
form: select
parameters:
  @group_name sysname <group> -- name of the group
columns:
  primary_replica nvarchar? <server> -- server of the primary replica, NULL where this server cannot tell
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-hadr-availability-group-states-transact-sql.md
*/
SELECT states.primary_replica AS primary_replica
FROM sys.availability_groups AS groups
JOIN sys.dm_hadr_availability_group_states AS states ON states.group_id = groups.group_id
WHERE groups.name = @group_name;
