"""SQL Server's error numbers and ODBC's states as the product's own errors, each with its remedy."""

from collections.abc import Sequence
from typing import Final

from app.domain.connection import ShownCertificate
from app.domain.errors import (
    Blocked,
    ConnectionLost,
    Deadlock,
    LoginFailed,
    NotTrusted,
    PermissionDenied,
    ShortOfResources,
    StatementCancelled,
    StatementTimeout,
    TargetError,
    Unsupported,
)
from app.drivers.sqlserver.session_settings import LOCK_LIMIT_OVER
from app.foundation.texts import _


class SqlError(Exception):
    """An error of a driver or the lab before it is made a sentence.

    Attributes:
        number: the server's error number, or 0 where only a state is known.
        text: the server's own text.
        state: the ODBC state (five characters), or "".
        native: the driver's own or the system's number, 0 where the server reported it; texts may be in any language.
        others: the other records of the same error, in the driver's order.
    """

    others: "tuple[SqlError, ...]" = ()

    def __init__(self, number: int, text: str, state: str = "", native: int = 0) -> None:
        super().__init__(f"Msg {number}: {text}")
        self.number = number
        self.text = text
        self.state = state
        self.native = native


OF_SYBASE: Final = "Adaptive Server"
"""In FreeTDS's own texts, which name Sybase's server and add nothing to a sentence: src/odbc/error.c of FreeTDS."""


class ConnectError(SqlError):
    """A connection that could not be made, with a sentence on reason and remedy.

    Attributes:
        kind: the product's error it becomes.
        sentence: names the server, host and port.
        certificate: as in `NotTrusted`.
    """

    certificate: ShownCertificate | None = None

    def __init__(self, kind: type[TargetError], sentence: str, cause: SqlError) -> None:
        super().__init__(cause.number, cause.text, cause.state, cause.native)
        self.kind = kind
        self.sentence = sentence


class ServerNotReached(ConnectionLost):
    """No connection could be made: nothing was sent."""


class DatabaseUnavailable(TargetError):
    """The database is offline, being recovered or restored, missing, or closed to this login."""


class JobProblem(TargetError):
    """SQL Server Agent refused to start or stop a job, or does not know it."""


# Numbers: MicrosoftDocs/sql-docs docs/relational-databases/errors-events/database-engine-events-and-errors.md;
# states: ODBC Programmer's Reference, appendix A. 21806 was reported for SQL Server 2025 by a third party.
_LOGIN: Final = frozenset({4064, 18451, 18452, 18456, 18461, 18470, 18486, 18487, 18488})
_DATABASE: Final = frozenset({904, 921, 922, 923, 924, 926, 927, 942, 945, 952, 954, 976, 978, 983, 988, 4060})
_PERMISSION: Final = frozenset({229, 230, 262, 297, 300, 916, 14043, 14126, 14260, 15247, 15517, 21050, 21089})
_DEADLOCK: Final = frozenset({1205})
_BLOCKED: Final = frozenset({LOCK_LIMIT_OVER})
_TIMEOUT: Final = frozenset({-2})
# Memory, of the server (701, 802), for the query (8645, 8651), or of a Resource Governor pool (708).
_SHORT: Final = frozenset({701, 708, 802, 8645, 8651})
_LOST: Final = frozenset({-1, 53, 64, 121, 233, 596, 6005, 10053, 10054, 10060, 10061})
_JOB: Final = frozenset({14262, 14263, 22022})
_UNSUPPORTED: Final = frozenset({102, 195, 207, 208, 911, 2812, 20028, 21806})

# Who is kept out by these is asked to come again, whoever it is: only administrators while the server starts, one user.
_PASSING_LOGIN: Final = frozenset({18451, 18461})

_LOGIN_STATES: Final = frozenset({"28000"})
_TIMEOUT_STATES: Final = frozenset({"HYT00", "HYT01"})
_LOST_STATES: Final = frozenset({"08S01", "08001", "08003", "08007"})
_DEADLOCK_STATES: Final = frozenset({"40001"})
_CANCELLED_STATES: Final = frozenset({"HY008"})
# What a driver says of a call or of data by itself, without the server's number; the connection is as it was. Any other
# state with number 0 says nothing of the connection, such as HY000 "may have been terminated", or that it is broken, as
# IMC01 to IMC06 of Microsoft's driver do: MicrosoftDocs/sql-docs:docs/connect/odbc/connection-resiliency.md.
_CALL_CLASSES: Final = frozenset({"07", "21", "22", "23", "24", "42"})
_CALL_STATES: Final = frozenset({"HY024", "HYC00", "IM002", "IM003", "IM004"})


def to_target_error(error: SqlError, statement: str, permission: str, server: str) -> TargetError:
    """Return the product's error for a server's error while running a statement.

    Args:
        error: number, text and state as reported.
        statement: name of the statement in the catalogue.
        permission: what its header says it needs.
        server: where it ran.
    """
    if isinstance(error, ConnectError):
        made = error.kind(error.sentence, "" if OF_SYBASE in error.text else str(error))
        if isinstance(made, NotTrusted):
            made.certificate = error.certificate
        return made
    kind = _kind_of(error)
    enough = permission if "sysadmin" in permission else _("{permission}, or sysadmin").format(permission=permission)
    sentence = _BY_NUMBER.get(error.number, _SENTENCES[kind])().format(
        statement=statement, permission=enough, server=server, number=error.number, text=error.text
    )
    return kind(sentence, str(error))


def is_lost(error: SqlError) -> bool:
    """Tell whether the connection is gone, so that nobody knows whether the statement ran."""
    return _kind_of(error) is ConnectionLost


def is_refused(error: SqlError) -> bool:
    """Tell whether a server refused a login by itself, so that asking again may have it locked."""
    kind = error.kind if isinstance(error, ConnectError) else _kind_of(error)
    return issubclass(kind, LoginFailed) and error.number not in _PASSING_LOGIN


def telling(records: Sequence[SqlError]) -> SqlError:
    """Return the record of an error that counts: the one that says the connection is gone, whatever stands before it.

    Of a refused login the database that could not be entered says more than that the login failed.
    """
    first = next(
        (record for kind in (ConnectionLost, DatabaseUnavailable) for record in records if _kind_of(record) is kind),
        records[0],
    )
    first.others = tuple(record for record in records if record is not first)
    return first


def is_unknown(error: SqlError) -> bool:
    """Tell whether a changing statement that ended so may have been carried out, or may still be."""
    kind = _kind_of(error)
    is_told = isinstance(error, ConnectError) or error.number == LOCK_LIMIT_OVER
    return kind in (ConnectionLost, StatementTimeout, StatementCancelled) and not is_told


def is_timeout(error: SqlError) -> bool:
    """Tell whether the driver's own limit was over, so that nobody knows whether the line still leads anywhere."""
    return error.state in _TIMEOUT_STATES and error.number != LOCK_LIMIT_OVER


def _kind_of(error: SqlError) -> type[TargetError]:
    # The states go first: a driver can report number 0 with a state that says it all.
    by_state: tuple[tuple[frozenset[str], type[TargetError]], ...] = (
        (_LOGIN_STATES, LoginFailed),
        (_TIMEOUT_STATES, StatementTimeout),
        (_LOST_STATES, ConnectionLost),
        (_DEADLOCK_STATES, Deadlock),
        (_CANCELLED_STATES, StatementCancelled),
    )
    for states, kind in by_state:
        if error.state in states:
            return kind
    by_number: tuple[tuple[frozenset[int], type[TargetError]], ...] = (
        (_LOGIN, LoginFailed),
        (_DATABASE, DatabaseUnavailable),
        (_PERMISSION, PermissionDenied),
        (_DEADLOCK, Deadlock),
        (_BLOCKED, Blocked),
        (_TIMEOUT, StatementTimeout),
        (_SHORT, ShortOfResources),
        (_LOST, ConnectionLost),
        (_JOB, JobProblem),
        (_UNSUPPORTED, Unsupported),
    )
    for numbers, kind in by_number:
        if error.number in numbers:
            return kind
    # Without a number and a state that says something nothing is known, and the worst is assumed.
    is_known = error.number != 0 or error.state[:2] in _CALL_CLASSES or error.state in _CALL_STATES
    return TargetError if is_known else ConnectionLost


def _login() -> str:
    return _("{server} refused the login; check user name, password and sign-in method")


def _permission() -> str:
    return _('this login may not run "{statement}" at {server}; grant it: {permission}')


def _deadlock() -> str:
    return _('{server} ended "{statement}" as a deadlock victim; run it again')


def _timeout() -> str:
    return _('"{statement}" took longer than its limit at {server}; the server is busy, or something blocks it')


def _short() -> str:
    return _('{server} lacked memory for "{statement}": {text}')


def _lost() -> str:
    return _('the connection to {server} broke during "{statement}"; check the network and that the server is up')


def _database() -> str:
    return _(
        'a database "{statement}" needs is not open at {server}: {text}; bring it online, or let this login into it'
    )


def _closed() -> str:
    return _(
        'a database that "{statement}" needs is closed to connections at {server}: {text}; connect to the server where '
        "it is open, or to an address that leads there"
    )


def _cancelled() -> str:
    return _('"{statement}" was cancelled at {server}')


def _job() -> str:
    return _('SQL Server Agent at {server} refused "{statement}": {text}; check the job and that service there')


def _unsupported() -> str:
    return _('{server} cannot run "{statement}": {text}; its version may lack the object, or it is the wrong database')


def _other() -> str:
    return _('"{statement}" failed at {server} with error {number}: {text}')


OPEN_ELSEWHERE: Final = 976
"""The database is open at another server, and lets nobody in here: database-engine-events-and-errors.md."""

_BY_NUMBER: Final = {OPEN_ELSEWHERE: _closed}
_SENTENCES: Final = {
    LoginFailed: _login,
    PermissionDenied: _permission,
    Deadlock: _deadlock,
    StatementTimeout: _timeout,
    Blocked: _timeout,
    ShortOfResources: _short,
    ConnectionLost: _lost,
    DatabaseUnavailable: _database,
    StatementCancelled: _cancelled,
    JobProblem: _job,
    Unsupported: _unsupported,
    TargetError: _other,
}
