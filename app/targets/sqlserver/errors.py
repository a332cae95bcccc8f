"""SQL Server's error numbers and ODBC's states as the product's own errors, each with what to do about it."""

from typing import Final

from app.domain.errors import (
    ConnectionLost,
    Deadlock,
    LoginFailed,
    PermissionDenied,
    StatementTimeout,
    TargetError,
    Unsupported,
)
from app.foundation.texts import _


class SqlError(Exception):
    """What a driver or the lab reports before it is made a sentence.

    Attributes:
        number: the server's error number, or 0 where only a state is known.
        text: the server's own text.
        state: the ODBC state (five characters), or "".
    """

    def __init__(self, number: int, text: str, state: str = "") -> None:
        super().__init__(f"Msg {number}: {text}")
        self.number = number
        self.text = text
        self.state = state


# Numbers: MicrosoftDocs/sql-docs docs/relational-databases/errors-events/database-engine-events-and-errors.md;
# states: ODBC Programmer's Reference, appendix A. 21806 was reported for SQL Server 2025 by a third party.
_LOGIN: Final = frozenset({4060, 18452, 18456, 18470, 18486, 18487, 18488})
_PERMISSION: Final = frozenset({229, 230, 262, 297, 300, 916, 14043, 14126, 14260, 15247, 15517, 21089})
_DEADLOCK: Final = frozenset({1205})
_TIMEOUT: Final = frozenset({-2, 1222})
_LOST: Final = frozenset({-1, 53, 64, 121, 233, 10053, 10054, 10060, 10061})
_JOB: Final = frozenset({14262, 14263, 22022})
_UNSUPPORTED: Final = frozenset({102, 195, 207, 208, 911, 2812, 20028, 21806})

_LOGIN_STATES: Final = frozenset({"28000"})
_TIMEOUT_STATES: Final = frozenset({"HYT00", "HYT01"})
_LOST_STATES: Final = frozenset({"08S01", "08001", "08003", "08007"})
_DEADLOCK_STATES: Final = frozenset({"40001"})


def to_target_error(error: SqlError, statement: str, permission: str, server: str) -> TargetError:
    """Return the product's error for what a server reported while running a statement.

    Args:
        error: number, text and state as reported.
        statement: name of the statement in the catalogue.
        permission: what its header says it needs.
        server: where it ran.
    """
    kind = _kind_of(error)
    sentence = _SENTENCES[kind]().format(
        statement=statement, permission=permission, server=server, number=error.number, text=error.text
    )
    return kind(sentence, str(error))


def _kind_of(error: SqlError) -> type[TargetError]:
    # The states go first: a driver can report number 0 with a state that says it all.
    by_state: tuple[tuple[frozenset[str], type[TargetError]], ...] = (
        (_LOGIN_STATES, LoginFailed),
        (_TIMEOUT_STATES, StatementTimeout),
        (_LOST_STATES, ConnectionLost),
        (_DEADLOCK_STATES, Deadlock),
    )
    for states, kind in by_state:
        if error.state in states:
            return kind
    by_number: tuple[tuple[frozenset[int], type[TargetError]], ...] = (
        (_LOGIN, LoginFailed),
        (_PERMISSION, PermissionDenied),
        (_DEADLOCK, Deadlock),
        (_TIMEOUT, StatementTimeout),
        (_LOST, ConnectionLost),
        (_JOB, JobProblem),
        (_UNSUPPORTED, Unsupported),
    )
    for numbers, kind in by_number:
        if error.number in numbers:
            return kind
    return ConnectionLost if error.number == 0 else TargetError


class JobProblem(TargetError):
    """SQL Server Agent refused to start or stop a job, or does not know it."""


def _login() -> str:
    return _("{server} refused the login; check user name, password and sign-in method")


def _permission() -> str:
    return _('this login may not run "{statement}" at {server}; grant it: {permission}')


def _deadlock() -> str:
    return _('{server} ended "{statement}" as a deadlock victim; run it again')


def _timeout() -> str:
    return _('"{statement}" took longer than its limit at {server}; the server is busy, or something blocks it')


def _lost() -> str:
    return _('the connection to {server} broke during "{statement}"; check the network and that the server is up')


def _job() -> str:
    return _('SQL Server Agent at {server} refused "{statement}": {text}; check the job and the Agent service there')


def _unsupported() -> str:
    return _('{server} cannot run "{statement}": {text}; its version may lack the object, or it is the wrong database')


def _other() -> str:
    return _('"{statement}" failed at {server} with error {number}: {text}')


_SENTENCES: Final = {
    LoginFailed: _login,
    PermissionDenied: _permission,
    Deadlock: _deadlock,
    StatementTimeout: _timeout,
    ConnectionLost: _lost,
    JobProblem: _job,
    Unsupported: _unsupported,
    TargetError: _other,
}
