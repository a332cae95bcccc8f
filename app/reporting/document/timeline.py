"""The experiments of a report in the order they ran, with the changes each made and undid."""

from typing import Final

from app.domain.change import EntryState
from app.domain.measurement import TrialStatus
from app.domain.session import RunRecord, SessionRecord, is_lab
from app.foundation.texts import _
from app.reporting.blocks import Column, Section, Table
from app.reporting.numbers import moment, number
from app.reporting.wording import Vocabulary

_UNKNOWN: Final = "–"


def timeline_section(session: SessionRecord, words: Vocabulary) -> Section:
    """Return the experiments of a session, oldest first; empty for one alone, which the first page tells of."""
    title = _("What was done, when")
    if len(session.runs) < 2:
        return Section(title, ())
    every = (
        Column(""),
        Column(_("Began"), width=1.2),
        Column(_("Ended"), width=1.2),
        Column(_("Experiment"), width=2.4),
        Column(_("Where"), width=1.6),
        Column(_("Trials used"), "right"),
        Column(_("Changes undone"), "right"),
    )
    runs = sorted(session.runs, key=lambda run: run.started_utc) if not _is_virtual(session) else session.runs
    rows = [_row(run, session, words) for run in runs]
    told = [place for place in range(len(every)) if any(row[place] != _UNKNOWN for row in rows)]
    shown = tuple(tuple(row[place] for place in told) for row in rows)
    return Section(title, (Table(tuple(every[place] for place in told), shown, small=True),))


def _row(run: RunRecord, session: SessionRecord, words: Vocabulary) -> tuple[str, ...]:
    used = sum(trial.status is TrialStatus.USED for trial in run.trials)
    began, ended, undone = _UNKNOWN, _UNKNOWN, _UNKNOWN
    if not is_lab(run.target):  # a lab's clock is its own
        began, ended = moment(run.started_utc), _UNKNOWN if run.finished_utc is None else moment(run.finished_utc)
        own = [entry for entry in session.changes if run.made(entry)]
        undone = _count(sum(entry.state is EntryState.RESTORED for entry in own), len(own))
    return (run.run_id, began, ended, words.family(run.plan.family), run.target, _count(used, len(run.trials)), undone)


def _count(some: int, every: int) -> str:
    return _("{some} of {every}").format(some=number(some), every=number(every))


def _is_virtual(session: SessionRecord) -> bool:
    return any(is_lab(run.target) for run in session.runs)
