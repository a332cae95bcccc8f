/*
name: delete_backup_files
purpose: delete the files of the backups this program took of a database
access: change
runs at: primary
database: master
permission: diskadmin; SELECT on the backup tables of msdb
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database
  @backup_name nvarchar -- name of the backups in the history, begins with 'Replitune'; any other is left alone
  @after_backup int -- number of the newest backup before those to be deleted: the history outlives its files
columns:
  files_left int [count] -- files that could not be deleted
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-dropdevice-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-addumpdevice-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/backupmediafamily-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @file nvarchar(260), @device sysname, @left int;
DECLARE @files TABLE (file_name nvarchar(260));
INSERT INTO @files (file_name)
SELECT DISTINCT families.physical_device_name
FROM msdb.dbo.backupset AS backups
JOIN msdb.dbo.backupmediafamily AS families ON families.media_set_id = backups.media_set_id
WHERE backups.database_name = @database_name AND backups.name = @backup_name AND backups.is_copy_only = 1
  AND backups.name LIKE N'Replitune%' AND families.device_type = 2
  AND backups.backup_set_id > @after_backup;
SET @left = 0;
SET @device = N'Replitune file to delete';
SELECT @file = MAX(files.file_name) FROM @files AS files;
WHILE @file IS NOT NULL
BEGIN
    -- A device of a file can be dropped together with it; that is the documented way to delete one.
    BEGIN TRY
        EXEC sys.sp_addumpdevice @devtype = 'disk', @logicalname = @device, @physicalname = @file;
        EXEC sys.sp_dropdevice @logicalname = @device, @delfile = 'DELFILE';
    END TRY
    BEGIN CATCH
        SET @left = @left + 1;
        IF EXISTS (SELECT 1 FROM sys.backup_devices AS devices WHERE devices.name = @device)
            EXEC sys.sp_dropdevice @logicalname = @device;
    END CATCH;
    SELECT @file = MAX(files.file_name) FROM @files AS files WHERE files.file_name < @file;
END;
SELECT @left AS files_left;
