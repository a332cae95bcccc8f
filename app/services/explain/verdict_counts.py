"""The result of a session in a line: its verdicts counted, and its best; computed once for each state of its file."""

import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.domain.comparison import Verdict, claimed, verdict_counts
from app.domain.session import SessionRecord
from app.foundation.files import write_atomically
from app.foundation.input_file import json_of, read_text
from app.foundation.version import VERSION
from app.store import open_for_reading

if TYPE_CHECKING:
    from app.services.explain.advising import HasAdvisor  # the rules, which the start page has no need of

VerdictCounts = Mapping[Verdict, int]
"""How many comparisons came to each verdict; verdicts none came to are left out."""


@dataclass(frozen=True)
class Showed:
    """The result of a session.

    Attributes:
        counts: of its verdicts.
        best: the setting with the largest improvement that is shown, "" where none is.
        change: of the measure by it, as a share: −0.11 for 11 % less.
    """

    counts: VerdictCounts
    best: str = ""
    change: float = 0.0


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
        self._kept: dict[str, tuple[list[int], Showed]] | None = None

    def count(self, session_file: Path) -> VerdictCounts:
        """Return the counts of the newest session of a file; raises as `showed` does."""
        return self.showed(session_file).counts

    def showed(self, session_file: Path, session_id: str | None = None) -> Showed:
        """Return the result of a session of a file, of the newest for None.

        Raises:
            StoreError: the file cannot be read, or holds no session.
            BadInput: a rule pack cannot be used, or there is more to compare than can be.
        """
        with self._lock:
            if self._kept is None:
                self._kept = _read(self._path)
            state, key = _state_of(session_file), "\n".join(filter(None, (str(session_file), session_id)))
            kept_state, showed = self._kept.get(key, (None, Showed({})))
            if kept_state != state:
                showed = self._computed(session_file, session_id)
                self._kept.pop(key, None)  # the newest stands last
                self._kept[key] = (state, showed)
                self._write(self._kept)
            return showed

    def showed_on(self, session_file: Path, target: str) -> tuple[Showed, ...]:
        """Return the results of every session of a client's file that ran on a target, oldest first.

        Raises:
            StoreError, BadInput: as `showed`.
        """
        with open_for_reading(session_file) as reader:
            there = {run.session_id for run in reader.list_all_runs() if run.target == target}
            sessions = [one.header.session_id for one in reader.list_sessions()]
        return tuple(self.showed(session_file, one) for one in reversed(sessions) if one in there)

    def _computed(self, session_file: Path, session_id: str | None) -> Showed:
        with open_for_reading(session_file) as reader:
            session: SessionRecord = reader.read_session(session_id, with_samples=False)
        comparisons, is_imported = self._program.advisor.advise(session).comparisons, bool(session.imported)
        counts = verdict_counts(comparisons, is_imported=is_imported)
        better = [
            comparison
            for comparison, verdict in claimed(comparisons, is_imported=is_imported)
            if verdict is Verdict.IMPROVEMENT
        ]
        told = {verdict: count for verdict, count in counts.items() if count}
        if not better:
            return Showed(told)
        best = max(better, key=lambda comparison: abs(comparison.ratio - 1.0))
        return Showed(told, best.candidate.text(), best.ratio - 1.0)

    def _write(self, kept: dict[str, tuple[list[int], Showed]]) -> None:
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
        files = {
            path: {
                "state": state,
                "verdicts": {verdict.value: count for verdict, count in showed.counts.items()},
                "best": showed.best,
                "change": showed.change,
            }
            for path, (state, showed) in kept.items()
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


def _read(path: Path) -> dict[str, tuple[list[int], Showed]]:
    """Return the results kept by this version of the program: another one may judge otherwise."""
    try:
        content = json_of(read_text(path))
        if content["version"] != VERSION:
            return {}
        return {
            file: (
                list(kept["state"]),
                Showed(
                    {Verdict(name): int(count) for name, count in kept["verdicts"].items()},
                    str(kept["best"]),
                    float(kept["change"]),
                ),
            )
            for file, kept in content["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
