"""Session settings that keep statements out of the way on a production server, sent in front of each of them.

A reading one waits ten seconds for a lock at most, and is the one that ends where two block each other; what others
write all the time is read without shared locks where its header says so, as Microsoft's own support scripts read it. A
changing one waits half a minute at most: what nobody waits for any more must not be carried out hours later.
Each text says all three, since a connection keeps what was set last: a changing one takes back what a reading one set.

Sources: MicrosoftDocs/sql-docs:docs/t-sql/statements/set-lock-timeout-transact-sql.md,
set-deadlock-priority-transact-sql.md and set-transaction-isolation-level-transact-sql.md; ten seconds as comparable
collectors wait.
"""

from typing import Final

from app.domain.statement import Access

LOCK_LIMIT_S: Final = 10
CHANGE_LOCK_LIMIT_S: Final = 30

LOCK_LIMIT_OVER: Final = 1222
"""The server's error where that limit was over; unlike a driver's own limit it leaves the connection as it was."""

ROWS_MOVED: Final = 601
"""The server's error where rows moved while they were read without shared locks; they are read again."""


def session_settings(access: Access, *, takes_shared_locks: bool) -> str:
    """Return the SET statements sent in front of a statement's body."""
    if access is Access.CHANGE:
        return _line(CHANGE_LOCK_LIMIT_S * 1000, "NORMAL", "READ COMMITTED")
    return _line(LOCK_LIMIT_S * 1000, "LOW", "READ COMMITTED" if takes_shared_locks else "READ UNCOMMITTED")


def _line(lock_limit_ms: int, priority: str, isolation: str) -> str:
    return (
        f"SET LOCK_TIMEOUT {lock_limit_ms}; SET DEADLOCK_PRIORITY {priority}; "
        f"SET TRANSACTION ISOLATION LEVEL {isolation};\n"
    )
