/*
name: take_run_mark
purpose: mark a server as changed by an experiment now, for as long as this connection lives; changes nothing
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: batch
parameters:
  @owner nvarchar <word> -- whose experiment it is: a digest of the undo journal's place
columns:
  is_held int -- 1 where this connection holds the mark
  is_own int -- 1 where another connection of the same owner is still there, such as one that was abandoned
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-getapplock-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-releaseapplock-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/applock-mode-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_own int, @own nvarchar(255);
SET @own = N'Replitune experiment of ' + @owner;
SET @is_own = 0;
-- Somebody who only looks whether the server is free holds it for a moment: half a second is waited for that.
IF APPLOCK_MODE(N'public', N'Replitune experiment', N'Session') = N'NoLock'
BEGIN
    EXEC sys.sp_getapplock @Resource = @own, @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = 0, @DbPrincipal = N'public';
    SET @is_own = CASE WHEN APPLOCK_MODE(N'public', @own, N'Session') = N'NoLock' THEN 1 ELSE 0 END;
    EXEC sys.sp_getapplock @Resource = N'Replitune experiment', @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = 500, @DbPrincipal = N'public';
    IF APPLOCK_MODE(N'public', N'Replitune experiment', N'Session') = N'NoLock' AND @is_own = 0
        EXEC sys.sp_releaseapplock @Resource = @own, @LockOwner = N'Session', @DbPrincipal = N'public';
END;
SELECT CASE WHEN APPLOCK_MODE(N'public', N'Replitune experiment', N'Session') = N'NoLock' THEN 0 ELSE 1 END AS is_held,
       @is_own AS is_own;
