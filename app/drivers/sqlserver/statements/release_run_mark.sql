/*
name: release_run_mark
purpose: take back this connection's mark of an experiment
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: batch
parameters:
  @owner nvarchar <word> -- whose experiment it is: a digest of the undo journal's place
columns: none
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-releaseapplock-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/applock-mode-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @own nvarchar(255);
SET @own = N'Replitune experiment of ' + @owner;
IF APPLOCK_MODE(N'public', N'Replitune experiment', N'Session') <> N'NoLock'
    EXEC sys.sp_releaseapplock @Resource = N'Replitune experiment', @LockOwner = N'Session', @DbPrincipal = N'public';
IF APPLOCK_MODE(N'public', @own, N'Session') <> N'NoLock'
    EXEC sys.sp_releaseapplock @Resource = @own, @LockOwner = N'Session', @DbPrincipal = N'public';
