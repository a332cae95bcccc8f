"""Sessions kept in files: their list, the trials of one, and the time series of single trials."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.domain.events import RunStatus
from app.domain.measurement import Metric, Sample
from app.domain.session import TrialOverview
from app.foundation.texts import _
from app.store import RunOverview, SessionOverview, SessionReader, open_for_reading, read_lock_holder

UNENDED: Final = frozenset({RunStatus.RUNNING, RunStatus.PAUSED})
"""What a run is marked as until it ends; a program that died left it so until the file is next opened for writing."""


@dataclass(frozen=True)
class SessionSummary:
    """A session's summary, available without reading its trials.

    Attributes:
        runs: in the order they were started.
        imported_from: name of the measurement file, "" where the session was measured.
        sessions_in_file: how many sessions the file holds; this is the newest, unless another was asked for.
        ids_in_file: of all its sessions.
        client: named in its report, "" where nobody did.
        is_written: somebody writes to the file right now: a run that has not ended goes on.
    """

    path: Path
    session_id: str
    title: str
    created_utc: datetime
    runs: tuple[RunOverview, ...]
    imported_from: str
    sessions_in_file: int
    ids_in_file: tuple[str, ...] = ()
    is_written: bool = False
    client: str = ""

    @property
    def families(self) -> tuple[str, ...]:
        """Ids of the experiment families that were run, each once."""
        return tuple(dict.fromkeys(run.family for run in self.runs))

    @property
    def used_trials(self) -> int:
        """How many trials can be used."""
        return sum(run.used_trials for run in self.runs)

    @property
    def last_run(self) -> RunOverview | None:
        """The run started last, None where there is none."""
        return self.runs[-1] if self.runs else None


@dataclass(frozen=True)
class RunKey:
    """Names one run of a session file."""

    session_id: str
    run_id: str


@dataclass(frozen=True)
class RunList:
    """All runs of a session file.

    Attributes:
        sessions: newest first.
        runs: in the order they were started.
    """

    path: Path
    sessions: tuple[SessionOverview, ...]
    runs: tuple[RunOverview, ...]


@dataclass(frozen=True)
class RunTrials:
    """The finished trials of one run, with the values of some measures.

    Attributes:
        is_windowed: they are windows on one backlog.
        target: where they were run, "" where that is not known.
    """

    key: RunKey
    metrics: tuple[Metric, ...]
    trials: tuple[TrialOverview, ...]
    is_windowed: bool = False
    target: str = ""


def summarise_session(path: Path, session_id: str | None = None) -> SessionSummary:
    """Read the summary of a session in a file, the newest for None.

    A client's file without any session yet has a summary all the same, with an empty `session_id`.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
    """
    with open_for_reading(path) as reader:
        sessions = reader.list_sessions()
        if not sessions and session_id is None:
            made_utc = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            return SessionSummary(path, "", path.stem, made_utc, (), "", 0)
        return _summary(path, sessions, session_id, reader.list_runs(session_id))


def list_runs(path: Path) -> RunList:
    """Read the runs of every session of a file, without their trials.

    Raises:
        StoreError: the file cannot be read.
    """
    with open_for_reading(path) as reader:
        return RunList(path, reader.list_sessions(), reader.list_all_runs())


def list_trials(path: Path, keys: Sequence[RunKey], metrics: tuple[Metric, ...]) -> tuple[RunTrials, ...]:
    """Read the trials of some runs with their values of some measures, without their time series.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
    """
    names = [metric.name for metric in metrics]
    with open_for_reading(path) as reader:
        return tuple(_trials_of(reader, key, metrics, names) for key in keys)


def _trials_of(reader: SessionReader, key: RunKey, metrics: tuple[Metric, ...], names: Sequence[str]) -> RunTrials:
    """Return the trials of a run; those of one made elsewhere, or of no readable plan, are no windows."""
    runs = [run for run in reader.list_runs(key.session_id) if run.run_id == key.run_id]
    is_windowed = any((plan := run.plan) is not None and plan.design.is_windowed for run in runs)
    target = next((run.target for run in runs), "")
    return RunTrials(key, metrics, reader.list_trials(names, key.session_id, key.run_id), is_windowed, target)


def read_time_series(path: Path, trials: Sequence[tuple[RunKey, str]]) -> tuple[tuple[Sample, ...], ...]:
    """Read the time series of some trials, each named by its run and its id.

    Raises:
        StoreError: the file cannot be read, or holds no such session.
    """
    with open_for_reading(path) as reader:
        return tuple(reader.read_samples(key.run_id, trial_id, key.session_id) for key, trial_id in trials)


def how_it_ended(summary: SessionSummary) -> tuple[RunStatus, str]:
    """Return status and reason of the session's last run; measurements made elsewhere succeeded."""
    last = summary.last_run
    if last is None:
        return RunStatus.SUCCEEDED, _("measurements from {file}").format(file=summary.imported_from or summary.title)
    died = last.status in UNENDED and not summary.is_written
    status = RunStatus.INTERRUPTED if died else last.status
    return status, last.reason


def _summary(
    path: Path, sessions: tuple[SessionOverview, ...], session_id: str | None, runs: tuple[RunOverview, ...]
) -> SessionSummary:
    session = next(s for s in sessions if session_id in (None, s.header.session_id))
    return SessionSummary(
        path=path,
        session_id=session.header.session_id,
        title=session.header.title,
        created_utc=session.header.created_utc,
        runs=runs,
        imported_from=session.imported_from,
        sessions_in_file=len(sessions),
        ids_in_file=tuple(each.header.session_id for each in sessions),
        is_written=read_lock_holder(path) is not None,
        client=session.header.client,
    )
