/*
name: create_test_database
purpose: make an empty database in full recovery to experiment with, unless it is there
access: change
runs at: primary
database: master
permission: CREATE ANY DATABASE
versions: SQL Server 2012 and later
form: batch
limit: 1800 s
parameters:
  @database_name sysname <database> -- name of the database, begins with 'Replitune'; any other is left alone
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/statements/create-database-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/statements/alter-database-transact-sql-set-options.md; own test database
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max);
SET @text = N'CREATE DATABASE ' + QUOTENAME(@database_name) + N';';
IF @database_name LIKE N'Replitune%' AND DB_ID(@database_name) IS NULL
    EXEC sys.sp_executesql @stmt = @text;
SET @text = N'ALTER DATABASE ' + QUOTENAME(@database_name) + N' SET RECOVERY FULL;
USE ' + QUOTENAME(@database_name) + N';
IF OBJECT_ID(N''dbo.Pages'') IS NULL CREATE TABLE dbo.Pages (id bigint NOT NULL PRIMARY KEY, payload binary(8000) NOT NULL);';
IF @database_name LIKE N'Replitune%'
    EXEC sys.sp_executesql @stmt = @text;
