"""Counts of a session's verdicts: computed once for each state of its file, and kept on disk."""

import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.domain.comparison import Verdict, verdict_counts
from app.domain.session import SessionRecord
from app.foundation.files import write_atomically
from app.foundation.input_file import json_of, read_text
from app.foundation.version import VERSION
from app.store import open_for_reading

if TYPE_CHECKING:
    from app.services.explain.advising import HasAdvisor  # the rules, which the start page has no need of

VerdictCounts = Mapping[Verdict, int]
"""How many comparisons came to each verdict; verdicts none came to are left out."""

_log = logging.getLogger(__name__)

# Many times what a list of sessions shows, so that nothing is computed twice.
_MOST_KEPT: Final = 200


class VerdictCounter:
    """Counts verdicts; any thread may ask, one at a time is computed.

    What is kept can be computed again: a damaged file, or one that cannot be written, costs time only.
    """

    def __init__(self, program: "HasAdvisor", kept_in: Path) -> None:
        """Read the kept counts, at the first question.

        Args:
            kept_in: file of the counts.
        """
        self._program = program
        self._path = kept_in
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[list[int], VerdictCounts]] | None = None

    def count(self, session_file: Path) -> VerdictCounts:
        """Return the counts of the newest session of a file.

        Raises:
            StoreError: the file cannot be read, or holds no session.
            BadInput: a rule pack cannot be used, or there is more to compare than can be.
        """
        with self._lock:
            if self._kept is None:
                self._kept = _read(self._path)
            state, key = _state_of(session_file), str(session_file)
            kept_state, counts = self._kept.get(key, (None, {}))
            if kept_state != state:
                counts = self._computed(session_file)
                self._kept.pop(key, None)  # the newest stands last
                self._kept[key] = (state, counts)
                self._write(self._kept)
            return counts

    def _computed(self, session_file: Path) -> VerdictCounts:
        with open_for_reading(session_file) as reader:
            session: SessionRecord = reader.read_session(with_samples=False)
        comparisons = self._program.advisor.advise(session).comparisons
        counts = verdict_counts(comparisons, is_imported=bool(session.imported))
        return {verdict: count for verdict, count in counts.items() if count}

    def _write(self, kept: dict[str, tuple[list[int], VerdictCounts]]) -> None:
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
        files = {
            path: {"state": state, "verdicts": {verdict.value: count for verdict, count in counts.items()}}
            for path, (state, counts) in kept.items()
        }
        content = json.dumps({"version": VERSION, "files": files}, ensure_ascii=False, indent=1)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, content.encode("utf-8"))
        except OSError as error:
            _log.info("counts of verdicts cannot be kept: %s", error)


def _state_of(session_file: Path) -> list[int]:
    """Return a stamp that changes with the file, including content not yet in its main part."""
    state = []
    for path in (session_file, session_file.with_name(f"{session_file.name}-wal")):
        with suppress(OSError):
            status = path.stat()
            state += [status.st_size, status.st_mtime_ns]
    return state


def _read(path: Path) -> dict[str, tuple[list[int], VerdictCounts]]:
    """Return the counts kept by this version of the program: another one may judge otherwise."""
    try:
        content = json_of(read_text(path))
        if content["version"] != VERSION:
            return {}
        return {
            file: (list(kept["state"]), {Verdict(name): int(count) for name, count in kept["verdicts"].items()})
            for file, kept in content["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
