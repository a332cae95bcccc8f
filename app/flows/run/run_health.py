"""The health of a run in words: the last answer, trials used and lost, and the progress of the present step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.measurement import TrialResult, TrialStatus
from app.domain.units import unit_word
from app.flows.run.run_state import GOING_ON, RunState, Stage
from app.flows.silence_text import silence_text
from app.flows.words import counted, time_text
from app.foundation.texts import _, in_its_words
from app.reporting.numbers import number

_MOST_REASONS: Final = 3
_MOST_NAMED: Final = 3
"""Trials named one by one; more are counted."""


@dataclass(frozen=True)
class RunHealth:
    """The line of health below the progress of a run that goes on.

    Attributes:
        line: last answer, trials or windows used and lost, and what moves; "" where no run goes on.
        alarm: why somebody should look, "" where all is well.
        lost: why trials or windows were lost, a sentence for each reason, the newest first.
    """

    line: str
    alarm: str
    lost: tuple[str, ...]


@in_its_words
def run_health(state: RunState) -> RunHealth:
    """Return the health of a run as it stands."""
    is_over = state.status is not None and state.stage is not Stage.KEEPING
    silence, standstill = "" if state.silence is None else silence_text(state.silence), _standstill(state)
    if state.stage not in GOING_ON or is_over:
        return RunHealth("", "", ())
    if not state.has_begun:
        return RunHealth(silence, silence, ())
    lost = [trial for trial in state.trials if trial.status is not TrialStatus.USED]
    counts = _counts(state, len(lost))
    parts = (silence or _answer(state), counts, standstill or _moves(state))
    return RunHealth(" · ".join(filter(None, parts)), silence or standstill, _reasons(lost))


def _answer(state: RunState) -> str:
    ago_s = state.answered_ago_s
    return "" if ago_s is None else _("Last answer {time} ago").format(time=time_text(ago_s))


def _standstill(state: RunState) -> str:
    still_s = state.still_s
    return _("Nothing has moved for {time}").format(time=time_text(still_s)) if still_s else ""


def _moves(state: RunState) -> str:
    """Return the work the present step still has before it, "" where nothing counts it."""
    pulse = state.pulse
    if state.stage is Stage.PAUSED or pulse.left is None or pulse.first is None:
        return ""
    left, first = (number(round(value)) for value in (pulse.left, pulse.first))
    return _("Left in this step: {left} of {first} {unit}").format(left=left, first=first, unit=unit_word(pulse.unit))


def _counts(state: RunState, lost: int) -> str:
    used = len(state.trials) - lost
    told = counted(used, _("1 trial used"), _("{count} trials used"))
    return _("{used}, {lost} lost").format(used=told, lost=number(lost))


def _reasons(lost: Sequence[TrialResult]) -> tuple[str, ...]:
    """Return why trials were lost, the newest reason first, each once with all trials it concerned."""
    by_reason: dict[str, list[str]] = {}
    for trial in reversed(lost):
        by_reason.setdefault("; ".join(trial.failed_checks), []).append(trial.trial_id)
    told = [_("{trials}: {why}").format(trials=named_trials(ids[::-1]), why=why) for why, ids in by_reason.items()]
    return tuple(told[:_MOST_REASONS])


def named_trials(ids: Sequence[str]) -> str:
    """Return trials by name, or the first and the last of many."""
    if len(ids) <= _MOST_NAMED:
        return ", ".join(ids)
    return _("{first} to {last} ({count})").format(first=ids[0], last=ids[-1], count=number(len(ids)))
