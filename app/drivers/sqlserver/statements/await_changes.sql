/*
name: await_changes
purpose: whether the server has ended every connection that changed something, and so has nothing of it left to do; waits for that a little, changes nothing
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: batch
limit: 30 s
duration: by waiting
parameters:
  @wait_ms int [ms] -- how long it may wait
columns:
  is_over int -- 1 where none is left
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-getapplock-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-releaseapplock-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/applock-mode-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @is_over int;
EXEC sys.sp_getapplock @Resource = N'Replitune changes', @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = @wait_ms, @DbPrincipal = N'public';
SET @is_over = CASE WHEN APPLOCK_MODE(N'public', N'Replitune changes', N'Session') = N'NoLock' THEN 0 ELSE 1 END;
IF @is_over = 1
    EXEC sys.sp_releaseapplock @Resource = N'Replitune changes', @LockOwner = N'Session', @DbPrincipal = N'public';
SELECT @is_over AS is_over;
