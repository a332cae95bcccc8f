"""Kinds of faults of the lab's servers, the errors they show as, and those a scenario file lists."""

from collections.abc import Mapping, Set
from enum import StrEnum
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import BadInput
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.foundation.texts import _
from app.lab.faults import Fault
from app.lab.held_requests import HeldRequest


class FaultKind(StrEnum):
    """Faults of any server; a system has further kinds."""

    LOST_BEFORE = "lost_before"
    LOST_AFTER = "lost_after"
    PERMISSION_DENIED = "permission_denied"
    DEADLOCK = "deadlock"
    BLOCKED = "blocked"
    OUT_OF_MEMORY = "out_of_memory"
    NO_MEMORY_GRANT = "no_memory_grant"
    TIMEOUT = "timeout"
    EXECUTED_LATE = "executed_late"
    DISK_NEARLY_FULL = "disk_nearly_full"
    FAILOVER = "failover"
    SERVER_RESTARTED = "server_restarted"
    SUMMER_TIME = "summer_time"
    LOG_BACKUP = "log_backup"
    OTHER_PROGRAMS = "other_programs"


_ERRORS: Final[Mapping[str, SqlError]] = {
    FaultKind.LOST_BEFORE: SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01"),
    FaultKind.LOST_AFTER: SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01"),
    FaultKind.PERMISSION_DENIED: SqlError(229, "The EXECUTE permission was denied on the object.", "42000"),
    FaultKind.DEADLOCK: SqlError(1205, "Transaction was deadlocked and has been chosen as the victim.", "40001"),
    FaultKind.EXECUTED_LATE: SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01"),
    FaultKind.BLOCKED: SqlError(1222, "Lock request time out period exceeded.", "42000"),
    FaultKind.OUT_OF_MEMORY: SqlError(701, "There is insufficient system memory in resource pool 'default'.", "42000"),
    FaultKind.NO_MEMORY_GRANT: SqlError(8645, "A timeout occurred while waiting for memory resources.", "42000"),
    FaultKind.TIMEOUT: SqlError(-2, "Query timeout expired.", "HYT00"),
}


class RequestHeld(SqlError):
    """The client is told that its connection is gone; its request is not, and carried out later."""

    def __init__(self, request: HeldRequest, told: SqlError) -> None:
        super().__init__(told.number, told.text, told.state)
        self.request = request


def error_of(kind: str) -> SqlError | None:
    """Return the error for the client; None where the fault shows in another way."""
    error = _ERRORS.get(kind)
    return None if error is None else SqlError(error.number, error.text, error.state)


class _FaultEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: str
    call: int = Field(ge=1)
    kind: str


class _FaultFile(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    faults: tuple[_FaultEntry, ...] = ()


def listed_faults(path: Path, content: Mapping[str, object], own_kinds: Set[str] = frozenset()) -> tuple[Fault, ...]:
    """Return the faults the content of a scenario file lists; raises BadInput with file and key.

    Args:
        own_kinds: which there are besides those of every server.
    """
    kinds = {*FaultKind, *own_kinds}
    try:
        entries = _FaultFile.model_validate(content).faults
    except ValidationError as error:
        raise unusable(path, error) from error
    for entry in entries:
        if entry.kind not in kinds:
            raise BadInput(
                _('{path}: faults name the kind "{kind}"; there are {kinds}').format(
                    path=path, kind=entry.kind, kinds=", ".join(sorted(kinds))
                )
            )
        if entry.statement not in catalogue():
            raise BadInput(
                _('{path}: faults name the statement "{name}", which does not exist').format(
                    path=path, name=entry.statement
                )
            )
    return tuple(Fault(entry.statement, entry.call, entry.kind) for entry in entries)


def unusable(path: Path, error: ValidationError) -> BadInput:
    """Return the sentence on a scenario file whose first problem is this one."""
    problem = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in problem["loc"])
    return BadInput(_('{path}: "{key}" cannot be used: {why}').format(path=path, key=key, why=problem["msg"]))
