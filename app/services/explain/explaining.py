"""A session read from its file together with its advice: read and computed once, shown by several pages."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from app.domain.session import Advice, SessionRecord
from app.domain.system import systems_of
from app.reporting.export.csv_export import measurements_csv, measurements_of
from app.services.explain.advising import Advisor, HasAdvisor
from app.store import open_for_reading


@dataclass(frozen=True)
class ExplainedSession:
    """A session with its advice.

    Attributes:
        digest: SHA-256 of the session's records, hexadecimal.
    """

    session: SessionRecord
    advice: Advice
    digest: str

    @property
    def is_windowed(self) -> bool:
        """Whether all its trials are windows on one backlog."""
        return self.session.is_windowed

    @cached_property
    def measurements_csv(self) -> bytes:
        """Its measurements.csv, which lies beside its report and in it."""
        return measurements_csv(measurements_of(self.session))


def explain_session(
    session_file: Path,
    session_id: str | None,
    advisor: Advisor,
    fingerprint: Callable[[], str | None] = lambda: None,
) -> ExplainedSession:
    """Read a session, the newest one for None, and explain it.

    Args:
        fingerprint: asked in the end for the session's, which another process found meanwhile; None: it did not.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
    """
    with open_for_reading(session_file) as reader:
        opening = [system.kept for system in systems_of(advisor.families)]
        session = reader.read_session(session_id, opening=opening)
        advice = advisor.advise(session)
        digest = fingerprint() or reader.session_hash(session.session_id)
    return ExplainedSession(session, advice, digest)


class Explanations:
    """Keeps the session explained last, so that going back to it costs nothing; any thread may ask."""

    def __init__(self, program: HasAdvisor) -> None:
        self._program = program
        self._lock = threading.Lock()
        self._key: tuple[object, ...] = ()
        self._kept: ExplainedSession | None = None

    def explain(self, session_file: Path, session_id: str | None = None) -> ExplainedSession:
        """Return a session explained; computed again only where the file has changed.

        Raises:
            StoreError: the file cannot be read, or holds no such session.
            BadInput: a rule pack cannot be used.
        """
        with self._lock:
            key = (session_file, session_id, _state_of(session_file))
            if self._kept is None or key != self._key:
                self._kept = explain_session(session_file, session_id, self._program.advisor)
                self._key = key
            return self._kept


def _state_of(session_file: Path) -> tuple[int, int]:
    """Return a stamp that changes with the file; a missing one is reported when it is read."""
    try:
        status = session_file.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
