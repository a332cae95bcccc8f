"""The words beside a run on the client's own work: forecast, and the latest end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.limits import RESTORED_BY
from app.domain.measurement import TrialResult
from app.domain.metrics import ARRIVALS
from app.domain.plan_field import time_text as clock_time
from app.domain.work_source import work_source_of
from app.flows.run.run_backlog import local_time
from app.flows.run.run_state import GOING_ON, RunState
from app.foundation.texts import _
from app.reporting.catching_up import basis_sentence, forecast_sentence
from app.reporting.numbers import number
from app.services.target.target_spec import is_lab


@dataclass(frozen=True)
class WindowsPicture:
    """What stands beside the plots of a run on the client's own work.

    Attributes:
        forecast, basis: when the backlog is caught up, and what that rests on, or why nothing tells it; "" before
            windows do.
        moves: what the client's applications do meanwhile, "" where it is not known.
        written: that nothing is written.
        latest: when everything is undone in any case, "" where nothing says so.
    """

    forecast: str
    basis: str
    moves: str
    written: str
    latest: str


def windows_picture(state: RunState, now: datetime) -> WindowsPicture | None:
    """Return the words beside a run on the client's own work, None for another and before it begins.

    Args:
        now: time of day.
    """
    plan = state.plan
    if plan is None or not work_source_of(plan.load).is_own_work:
        return None
    ahead = state.ahead()
    return WindowsPicture(
        forecast="" if ahead is None else forecast_sentence(ahead, local_time),
        basis=state.uncounted if ahead is None else basis_sentence(ahead),
        moves=_moves(state.trials),
        written=_("Nothing is written to the client's servers."),
        latest=_latest(state, now),
    )


def _moves(trials: Sequence[TrialResult]) -> str:
    """Return what the applications write, by the newest window that told it."""
    told = [m.value for trial in trials for m in trial.measurements if m.metric == ARRIVALS.name]
    if not told:
        return ""
    return _("The applications write {rate} commands/s meanwhile.").format(rate=number(round(told[-1])))


def _latest(state: RunState, now: datetime) -> str:
    """Return when everything is undone at the latest: the deadline of the plan, or the time that was agreed to."""
    if state.plan is None or state.stage not in GOING_ON:
        return ""
    by, left_s = state.plan.limits.get(RESTORED_BY.name), state.most_left_s
    words = _("Everything is undone by {time} at the latest.")
    if by is not None:
        if is_lab(state.target):
            words = _("Everything is undone by {time} at the latest, by the lab's own clock.")
        return words.format(time=clock_time(int(by)))
    return "" if left_s is None else words.format(time=f"{now + timedelta(seconds=left_s):%H:%M}")
