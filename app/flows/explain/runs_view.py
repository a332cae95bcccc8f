"""The browser of runs as plain data: the table of all runs of a session file, and what is said about it."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

from app.domain.events import RunStatus
from app.domain.view import Cell, Column, Emphasis, LazyRows, Row, TableContent, number_cell, text_cell
from app.flows.shell.shell_view import ended_in_words
from app.flows.shell.start_view import local_time
from app.flows.words import counted
from app.foundation.texts import _
from app.services.hand_over.past_sessions import RunKey, RunList, list_runs
from app.services.program import Program
from app.store import RunOverview

COMPARED: Final = 2
"""How many runs, and how many trials, are laid over each other."""

ANY_STATUS: Final = ""
"""The choice that shows every run."""

# The mark of a program that died is taken back only when the file is next opened for writing.
_DIED: Final = frozenset({RunStatus.RUNNING, RunStatus.PAUSED})

_BETWEEN: Final = "/"


def row_key(key: RunKey) -> str:
    """Return the key of a run's row: unique in its file."""
    return f"{key.session_id}{_BETWEEN}{key.run_id}"


def run_of(key: str) -> RunKey:
    """Return the run of a row."""
    session_id, _slash, run_id = key.rpartition(_BETWEEN)
    return RunKey(session_id, run_id)


def key_of(run: RunOverview) -> RunKey:
    """Return what names a run."""
    return RunKey(run.session_id, run.run_id)


def _key(run: RunOverview) -> str:
    return f"{run.session_id}{_BETWEEN}{run.run_id}"


def status_titles() -> tuple[tuple[str, str], ...]:
    """Return what the table can be narrowed down to, with its title."""
    ended = [status for status in RunStatus if status not in _DIED]
    return ((ANY_STATUS, _("Every run")), *((status.value, ended_in_words(status)) for status in ended))


@dataclass(frozen=True, eq=False)
class BrowsedRuns:
    """The runs of a session file, ready to be shown.

    Attributes:
        titles: family id and what a person calls it.
        running: the session a run is written to right now, "" for none; its unfinished run goes on.
    """

    listed: RunList
    titles: tuple[tuple[str, str], ...]
    running: str = ""

    @property
    def first_key(self) -> str:
        """Key of the row chosen at first, the newest run; "" where there is none."""
        return row_key(key_of(self.listed.runs[-1])) if self.listed.runs else ""


def browse_runs(path: Path, program: Program, *, is_running: bool = False) -> BrowsedRuns:
    """Read the runs of a session file; for a worker thread.

    Args:
        is_running: a run is written to the newest session of the file right now.

    Raises:
        StoreError: the file cannot be read.
    """
    listed = list_runs(path)
    ran = {run.family for run in listed.runs}
    families = program.families if ran else {}
    titles = {family: families[family].title for family in ran if family in families}
    running = listed.sessions[0].header.session_id if is_running and listed.sessions else ""
    return BrowsedRuns(listed, tuple(sorted(titles.items())), running)


def file_line(listed: RunList) -> str:
    """Return which file is shown and how much it holds, in one line."""
    sessions = counted(len(listed.sessions), _("1 session"), _("{count} sessions"))
    runs = counted(len(listed.runs), _("1 run"), _("{count} runs"))
    return f"{listed.path} · {sessions} · {runs}"


def runs_columns() -> tuple[Column, ...]:
    """Return the columns of the table."""
    return (
        Column("started", _("Started")),
        Column("run", _("Run"), hint=_("Numbered within its session")),
        Column("family", _("Experiment")),
        Column("target", _("Target")),
        Column("status", _("State")),
        Column("used", _("Trials used"), is_number=True, hint=_("Trials whose checks held")),
        Column("finished", _("Trials"), is_number=True, hint=_("Trials that ended, used or not")),
        Column("took", _("Took"), "min", is_number=True, hint=_("By the clock of the server")),
        Column("session", _("Session")),
        Column("reason", _("Why it ended")),
    )


def runs_table(browsed: BrowsedRuns, status: str = ANY_STATUS) -> TableContent:
    """Return the runs of a file, newest first, those of one status unless `status` is ANY_STATUS."""
    runs = [run for run in reversed(browsed.listed.runs) if status in (ANY_STATUS, _status(run, browsed.running))]
    cells = _RunCells(browsed)
    return TableContent(runs_columns(), LazyRows([_key(run) for run in runs], lambda place: cells.row_of(runs[place])))


def _status(run: RunOverview, running: str) -> RunStatus:
    died = run.status in _DIED and run.session_id != running
    return RunStatus.INTERRUPTED if died else run.status


def run_status_text(run: RunOverview, browsed: BrowsedRuns) -> str:
    """Return how a run ended, in a word or two."""
    return ended_in_words(_status(run, browsed.running))


class _RunCells:
    """Makes the rows of runs; what many of them share is made once."""

    def __init__(self, browsed: BrowsedRuns) -> None:
        self._running = browsed.running
        self._sessions = {s.header.session_id: s.header.title for s in browsed.listed.sessions}
        titles = dict(browsed.titles)

        def family_cell(family: str) -> Cell:
            return text_cell(titles.get(family, family))

        self._family = cache(family_cell)
        self._text = cache(lambda text: text_cell(text, hint=text))

    def row_of(self, run: RunOverview) -> Row:
        """Return the row of a run, its cells in the order of `runs_columns`."""
        status = _status(run, self._running)
        emphasis = Emphasis.PLAIN if status is RunStatus.SUCCEEDED else Emphasis.QUIET
        cells = (
            text_cell(local_time(run.started_utc)),
            text_cell(run.run_id),
            self._family(run.family),
            self._text(run.target),
            text_cell(ended_in_words(status), emphasis=emphasis),
            number_cell(run.used_trials),
            number_cell(run.finished_trials),
            number_cell(_minutes(run.started_utc, run.finished_utc), 1),
            self._text(self._sessions.get(run.session_id, "")),
            self._text(run.reason),
        )
        return Row(_key(run), cells)


def _minutes(started: datetime, finished: datetime | None) -> float | None:
    return None if finished is None else (finished - started).total_seconds() / 60


def runs_hint(selected: int) -> str:
    """Return what is shown of the runs chosen, "" where there is nothing to explain."""
    if selected > COMPARED:
        return _("{count} runs are chosen; the first two are shown.").format(count=selected)
    return _("Choose a second run with Ctrl to lay it over the first.") if selected == 1 else ""
