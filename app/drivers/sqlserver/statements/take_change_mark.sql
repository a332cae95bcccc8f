/*
name: take_change_mark
purpose: mark this connection as one that changes something, until the server has ended it with all that was sent over it; changes nothing, and is sent in whatever database the connection is in
access: read
runs at: any
database: master
permission: public
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  is_held int -- 1 where it is marked
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-getapplock-transact-sql.md (a lock owned by a session is released when the session is logged out); MicrosoftDocs/sql-docs:docs/t-sql/functions/applock-mode-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @is_held int;
-- The locks of one database are not those of another, so that all are taken in master.
SET @text = N'EXEC sys.sp_getapplock @Resource = N''Replitune changes'', @LockMode = N''Shared'', @LockOwner = N''Session'', @LockTimeout = 5000, @DbPrincipal = N''public'';
SET @is_held = CASE WHEN APPLOCK_MODE(N''public'', N''Replitune changes'', N''Session'') = N''NoLock'' THEN 0 ELSE 1 END;';
EXEC master.sys.sp_executesql @stmt = @text, @params = N'@is_held int OUTPUT', @is_held = @is_held OUTPUT;
SELECT @is_held AS is_held;
