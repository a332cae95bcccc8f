"""The browser of runs as plain data: the table of all runs of a session file, and its summary."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from typing import Final

from app.domain.events import RunStatus
from app.domain.plan_field import PlanField
from app.domain.session import began_here_utc
from app.domain.setting import value_text
from app.domain.view import (
    EVERYWHERE,
    ON_TERMINAL,
    Cell,
    Column,
    Emphasis,
    LazyRows,
    Row,
    TableContent,
    number_cell,
    text_cell,
)
from app.flows.shell.shell_view import ended_in_words
from app.flows.shell.start_view import local_time
from app.flows.words import counted
from app.foundation.texts import _
from app.services.explain.comparison.differences import load_facts
from app.services.hand_over.engagement import Engagement
from app.services.hand_over.past_sessions import UNENDED, RunKey, RunList, list_runs
from app.services.program import Program
from app.store import RunOverview

COMPARED: Final = 2
"""How many runs, and how many trials, are laid over each other."""

ANY_STATUS: Final = ""
"""The choice that shows every run."""

_NOT_ON_TERMINAL: Final = EVERYWHERE - ON_TERMINAL
_BETWEEN: Final = "/"
_SEVERAL: Final = 2
_LOAD_KEY: Final = '"load":'


def row_key(key: RunKey) -> str:
    """Return the key of a run's row: unique in its file."""
    return f"{key.session_id}{_BETWEEN}{key.run_id}"


def run_of(key: str) -> RunKey:
    """Return the run of a row."""
    session_id, _slash, run_id = key.rpartition(_BETWEEN)
    return RunKey(session_id, run_id)


def key_of(run: RunOverview) -> RunKey:
    """Return a run's key."""
    return RunKey(run.session_id, run.run_id)


def _key(run: RunOverview) -> str:
    return f"{run.session_id}{_BETWEEN}{run.run_id}"


def status_titles() -> tuple[tuple[str, str], ...]:
    """Return the statuses the table can be narrowed down to, with their titles."""
    ended = [status for status in RunStatus if status not in UNENDED]
    return ((ANY_STATUS, _("Every run")), *((status.value, ended_in_words(status)) for status in ended))


@dataclass(frozen=True, eq=False)
class BrowsedRuns:
    """The runs of a session file, ready to be shown.

    Attributes:
        titles: family id and what a person calls it.
        load_fields: what the plans of a family say about the load.
        tags: of each run, where they are asked for.
        running: the session a run is written to right now, "" for none; its unfinished run goes on.
    """

    listed: RunList
    titles: tuple[tuple[str, str], ...]
    running: str = ""
    load_fields: Mapping[str, tuple[PlanField, ...]] = field(default_factory=dict)
    tags: Mapping[RunKey, tuple[str, ...]] = field(default_factory=dict)

    @property
    def first_key(self) -> str:
        """Key of the row chosen at first, the newest run; "" where there is none."""
        return row_key(key_of(self.listed.runs[-1])) if self.listed.runs else ""

    @cached_property
    def _session_began_utc(self) -> Mapping[str, datetime]:
        return {s.header.session_id: s.header.created_utc for s in self.listed.sessions}

    def began_utc(self, run: RunOverview) -> datetime:
        """Return when a run began by this computer's clock."""
        session_utc = self._session_began_utc.get(run.session_id, run.started_utc)
        return began_here_utc(run.target, run.started_utc, session_utc)

    @cached_property
    def told_once(self) -> tuple[tuple[str, str], ...]:
        """Return values that are the same for every run of the file: the key of each column, and its text with its
        heading."""
        runs = self.listed.runs
        if len(runs) < _SEVERAL:
            return ()
        same: dict[str, Collection[object]] = {
            "family": set(map(attrgetter("family"), runs)),
            "target": set(map(attrgetter("target"), runs)),
            "load": {(run.family, run.plan_text and _load_part(run.plan_text)) for run in runs},
            "session": set(map(attrgetter("session_id"), runs)),
        }
        cells = _RunCells(self).row_of(runs[0]).cells
        return tuple(
            (column.key, f"{column.heading}: {cell.text}")
            for column, cell in zip(runs_columns(), cells, strict=True)
            if len(same.get(column.key, ())) == 1 and cell.text
        )


def browse_runs(path: Path, program: Program, *, is_running: bool = False) -> BrowsedRuns:
    """Read the runs of a session file; for a worker thread.

    Args:
        is_running: a run is written to the newest session of the file right now.

    Raises:
        StoreError: the file cannot be read.
    """
    return _browsed(list_runs(path), program, is_running=is_running)


def browse_engagement(engagement: Engagement, program: Program) -> BrowsedRuns:
    """Return the runs of a client's file that was read, with their tags."""
    sessions = engagement.sessions
    runs = tuple(run for session in reversed(sessions) for run in session.runs)
    listed = RunList(engagement.path, tuple(session.overview for session in sessions), runs)
    browsed = _browsed(listed, program, is_running=engagement.writer is not None)
    in_order = replace(listed, runs=tuple(sorted(runs, key=browsed.began_utc)))
    tags = {key_of(run): session.tags_of(run.run_id) for session in sessions for run in session.runs}
    return replace(browsed, listed=in_order, tags=tags)


def _browsed(listed: RunList, program: Program, *, is_running: bool) -> BrowsedRuns:
    ran = {run.family for run in listed.runs}
    families = program.families if ran else {}
    titles = {family: families[family].title for family in ran if family in families}
    running = listed.sessions[0].header.session_id if is_running and listed.sessions else ""
    fields = {family: families[family].load_fields for family in titles}
    return BrowsedRuns(listed, tuple(sorted(titles.items())), running, fields)


def file_line(listed: RunList) -> str:
    """Return which file is shown and how much it holds, in one line."""
    sessions = counted(len(listed.sessions), _("1 session"), _("{count} sessions"))
    runs = counted(len(listed.runs), _("1 run"), _("{count} runs"))
    return f"{listed.path} · {sessions} · {runs}"


def runs_columns() -> tuple[Column, ...]:
    """Return the columns of the table; in the window, values common to every run are in `BrowsedRuns.told_once`."""
    return (
        Column("started", _("Started")),
        Column("run", _("Run"), hint=_("Numbered within its session")),
        Column("family", _("Experiment")),
        Column("target", _("Target"), views=_NOT_ON_TERMINAL),
        Column("status", _("State")),
        Column("used", _("Used"), is_number=True, hint=_("Trials or windows that passed their checks")),
        Column("finished", _("Measured"), is_number=True, hint=_("Trials or windows that ended, used or not")),
        Column("load", _("Conditions"), hint=_("The load, as planned"), views=_NOT_ON_TERMINAL),
        Column("took", _("Took"), "min", is_number=True, hint=_("By the clock of the server")),
        Column("session", _("Session"), views=_NOT_ON_TERMINAL),
        Column("reason", _("Why it ended"), views=_NOT_ON_TERMINAL),
        Column("tags", _("Tags"), views=ON_TERMINAL),
        Column("session_id", _("Session number"), views=ON_TERMINAL),
    )


def runs_table(browsed: BrowsedRuns, status: str = ANY_STATUS) -> TableContent:
    """Return the runs of a file, newest first, those of one status unless `status` is ANY_STATUS."""
    runs = [run for run in reversed(browsed.listed.runs) if status in (ANY_STATUS, _status(run, browsed.running))]
    once = dict(browsed.told_once)
    return _table_of(runs, browsed).only(*(column.key for column in runs_columns() if column.key not in once))


def every_run_table(browsed: BrowsedRuns) -> TableContent:
    """Return all runs of a file, newest first, with the values common to all of them."""
    return _table_of(browsed.listed.runs[::-1], browsed)


def _table_of(runs: Sequence[RunOverview], browsed: BrowsedRuns) -> TableContent:
    cells = _RunCells(browsed)
    return TableContent(runs_columns(), LazyRows([_key(run) for run in runs], lambda place: cells.row_of(runs[place])))


def _load_part(plan_text: str) -> str:
    """Return the load of a stored plan, as it is stored: enough to tell whether two are the same."""
    begin = plan_text.find(_LOAD_KEY)
    return plan_text[begin : plan_text.find("}", begin)] if begin >= 0 else plan_text


def _status(run: RunOverview, running: str) -> RunStatus:
    died = run.status in UNENDED and run.session_id != running
    return RunStatus.INTERRUPTED if died else run.status


def run_status_text(run: RunOverview, browsed: BrowsedRuns) -> str:
    """Return how a run ended, in a word or two."""
    return ended_in_words(_status(run, browsed.running))


class _RunCells:
    """Makes the rows of runs; texts that many of them share are made once."""

    def __init__(self, browsed: BrowsedRuns) -> None:
        self._began_utc = browsed.began_utc
        self._running = browsed.running
        self._tags = browsed.tags
        self._sessions = {s.header.session_id: s.header.title for s in browsed.listed.sessions}
        titles = dict(browsed.titles)

        def family_cell(family: str) -> Cell:
            return text_cell(titles.get(family, family))

        self._load_fields = browsed.load_fields
        self._family = cache(family_cell)
        self._text = cache(lambda text: text_cell(text, hint=text))

    def row_of(self, run: RunOverview) -> Row:
        """Return the row of a run, its cells in the order of `runs_columns`."""
        status = _status(run, self._running)
        emphasis = Emphasis.PLAIN if status is RunStatus.SUCCEEDED else Emphasis.QUIET
        cells = (
            text_cell(local_time(self._began_utc(run))),
            text_cell(run.run_id),
            self._family(run.family),
            self._text(run.target),
            text_cell(ended_in_words(status), emphasis=emphasis),
            number_cell(run.used_trials),
            number_cell(run.finished_trials),
            self._text(self._load_text(run)),
            number_cell(_minutes(run.started_utc, run.finished_utc), 1),
            self._text(self._sessions.get(run.session_id, "")),
            self._text(run.reason),
            text_cell(", ".join(self._tags.get(key_of(run), ())), emphasis=Emphasis.STRONG),
            text_cell(run.session_id),
        )
        return Row(_key(run), cells)

    def _load_text(self, run: RunOverview) -> str:
        plan = run.plan
        facts = () if plan is None else load_facts(plan, self._load_fields.get(run.family, ()))
        return " · ".join(f"{title} {value}" for title, value in facts if value)


def _minutes(started: datetime, finished: datetime | None) -> float | None:
    return None if finished is None else (finished - started).total_seconds() / 60


def runs_hint(selected: int) -> str:
    """Return a hint on the runs chosen, "" where there is nothing to explain."""
    if selected > COMPARED:
        return _("{count} runs are chosen; the first two are shown.").format(count=value_text(selected))
    return _("Choose a second run with Ctrl to lay it over the first.") if selected == 1 else ""
