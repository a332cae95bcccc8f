"""The product's own errors: each says in one sentence what is wrong, where, and what to do."""

from dataclasses import replace
from typing import Final

from app.domain.connection import ShownCertificate, ToChoose
from app.domain.option_words import as_read


class ReplituneError(Exception):
    """Base of every error a user may see; `str()` is the sentence shown.

    Attributes:
        exit_code: what the command line returns (2 wrong use or bad input, 3 target, 4 not restored).
    """

    exit_code = 2

    def __str__(self) -> str:
        """Return the sentence in the words of whoever reads it."""
        return as_read(super().__str__())


class BadInput(ReplituneError):
    """A file, value or option given by the user cannot be used."""


class TargetError(ReplituneError):
    """A server failed to carry out a request.

    Attributes:
        server_error: the server's own number and text, kept for the log, or an empty string.
    """

    exit_code = 3

    def __init__(self, message: str, server_error: str = "") -> None:
        super().__init__(message)
        self.server_error = server_error


class LoginFailed(TargetError):
    """The server refused the login."""


class NotTrusted(TargetError):
    """A server's certificate does not prove that it is the server meant.

    Attributes:
        certificate: as the server shows it, None where it cannot be read, or nobody may take it unverified.
    """

    certificate: ShownCertificate | None = None


class PermissionDenied(TargetError):
    """This login may not run a statement."""


class NotAsked(TargetError):
    """A script that a DBA ran did not ask this: nobody knows the answer."""


class StatementTimeout(TargetError):
    """A statement took longer than its limit."""


class Blocked(StatementTimeout):
    """A statement waited longer than its limit for a lock that others held; its connection is unaffected."""


class ShortOfResources(TargetError):
    """A server lacked memory, undo or the like at that moment; trying again is safe."""


class Deadlock(TargetError):
    """The server chose this session as a deadlock victim; trying again is safe."""


class ConnectionLost(TargetError):
    """The connection broke; the state of the last statement is unknown."""


class Unsupported(TargetError):
    """This server version or edition cannot carry out the request."""


class Absent(Unsupported):
    """A server has nothing that one system could read, which is no trouble where it has something of another."""


class NotChosen(Unsupported):
    """A server has several things of one kind, and its address does not say which one is meant."""

    def __init__(self, to_choose: ToChoose) -> None:
        super().__init__(to_choose.refused)
        self._to_choose = to_choose

    @property
    def to_choose(self) -> ToChoose:
        """The names to choose from, refused in the words of whoever reads them."""
        return replace(self._to_choose, refused=str(self))


class Gone(Unsupported):
    """The object of a change no longer exists: nothing of it is left changed."""


class StatementCancelled(TargetError):
    """A statement was cancelled by the person who runs this program."""


# What says nothing about the object a statement was for, and may be gone with the next try.
PASSING_ERRORS: Final = (ConnectionLost, Deadlock, StatementCancelled, StatementTimeout)


PASSING_AT_READING: Final = (Deadlock, ShortOfResources, StatementTimeout)
"""What costs one reading and says nothing about the next."""


MOST_TRIES: Final = 3
"""How often a reading is sent where something passing kept it from its server, with a pause in between."""
PAUSE_S: Final = 1.0
"""Whoever won a deadlock is done by then."""


def tries_of(problem: TargetError) -> int:
    """Return how often a reading that met this problem is sent in all; one that was blocked has waited long enough."""
    if isinstance(problem, Blocked):
        return 2
    return MOST_TRIES if isinstance(problem, Deadlock | ShortOfResources) else 1


class ProcessDidNotRespond(TargetError):
    """A process under test did not start or stop within its time."""


class NotDoneByHand(TargetError):
    """Nobody ran the script that makes or undoes a change."""


class MayStillArrive(TargetError):
    """A request on an abandoned connection may still be carried out: the server has not ended that session yet."""


class ServerBusy(TargetError):
    """Another window, command or computer runs an experiment on a server, or puts it back."""

    exit_code = 2


class Disturbed(TargetError):
    """Something outside this run disturbed the measurement: the trial ends, and so does the run."""


class FailedOver(Disturbed):
    """Another server took over while an experiment ran."""


class ChangedByOthers(TargetError):
    """Somebody else changed a value that this program had changed; it is left as they set it."""


class ChangedMeanwhile(ChangedByOthers):
    """Somebody else changed a value after a change of it was planned; nothing was sent."""


class VerificationFailed(TargetError):
    """A value read back from the server is not the value that was set."""


class NotRestored(ReplituneError):
    """At least one change could not be put back; the journal keeps it open."""

    exit_code = 4


class StoreError(ReplituneError):
    """A session file or journal cannot be used as it is."""
