"""Kinds of faults of the lab's databases, and the errors they show as."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from app.drivers.oracle.errors import OracleError
from app.lab.held_requests import HeldRequest


class FaultKind(StrEnum):
    """Faults of any lab; some labs can do more to their processes."""

    LOST_BEFORE = "lost_before"
    LOST_AFTER = "lost_after"
    PERMISSION_DENIED = "permission_denied"
    DEADLOCK = "deadlock"
    BLOCKED = "blocked"
    OUT_OF_MEMORY = "out_of_memory"
    SNAPSHOT_TOO_OLD = "snapshot_too_old"
    TIMEOUT = "timeout"
    EXECUTED_LATE = "executed_late"
    APPLY_WILL_NOT_STOP = "apply_will_not_stop"
    APPLY_ABORTS = "apply_aborts"
    SERVER_RESTARTED = "server_restarted"
    BACKUP = "backup"
    OTHER_PROGRAMS = "other_programs"


_TEXTS: Final[Mapping[str, str]] = {
    FaultKind.LOST_BEFORE: "ORA-03113: end-of-file on communication channel",
    FaultKind.LOST_AFTER: "ORA-03113: end-of-file on communication channel",
    FaultKind.PERMISSION_DENIED: "ORA-01031: insufficient privileges",
    FaultKind.DEADLOCK: "ORA-00060: deadlock detected while waiting for resource",
    FaultKind.EXECUTED_LATE: "ORA-03113: end-of-file on communication channel",
    FaultKind.BLOCKED: "ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired",
    FaultKind.OUT_OF_MEMORY: "ORA-04031: unable to allocate 4096 bytes of shared memory",
    FaultKind.SNAPSHOT_TOO_OLD: "ORA-01555: snapshot too old: rollback segment number 9 too small",
    FaultKind.TIMEOUT: "DPY-4024: call timeout of 60000 ms exceeded",
}


class RequestHeld(OracleError):
    """The client is told that its connection is gone; its request is not, and carried out later."""

    def __init__(self, request: HeldRequest, told: OracleError) -> None:
        super().__init__(told.code, told.text)
        self.request = request


def error_of(kind: str) -> OracleError | None:
    """Return the error for the client; None where the fault shows in another way."""
    text = _TEXTS.get(kind)
    return None if text is None else OracleError.of_text(text)
