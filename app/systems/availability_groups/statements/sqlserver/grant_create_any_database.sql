/*
name: grant_create_any_database
purpose: let a group make databases at this replica, or take that right away
access: change
runs at: secondary
database: master
permission: ALTER AVAILABILITY GROUP on the group, or ALTER ANY AVAILABILITY GROUP
versions: SQL Server 2016 and later
form: batch
parameters:
  @group_name sysname <group> -- name of the group
  @granted int -- 1 grants, 0 denies
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-availability-group-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
SET @text = N'ALTER AVAILABILITY GROUP ' + QUOTENAME(@group_name)
          + CASE WHEN @granted = 1 THEN N' GRANT' ELSE N' DENY' END + N' CREATE ANY DATABASE;';
IF EXISTS (SELECT 1 FROM sys.availability_groups AS groups WHERE groups.name = @group_name)
    EXEC sys.sp_executesql @stmt = @text;
