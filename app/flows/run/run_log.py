"""The log of a run as a person reads it: one line for each thing that happened, the oldest dropped."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.events import (
    ChangeApplied,
    ChangeRestored,
    HandConfirmed,
    HandRequested,
    Note,
    Predicted,
    RunEvent,
    RunFinished,
    RunPaused,
    RunResumed,
    RunStarted,
    SamplesTaken,
    StepMoved,
    StepStarted,
    TrialFinished,
    TrialStarted,
)
from app.domain.happening import meanwhile
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.setting import value_text
from app.domain.units import unit_word
from app.flows.shell.shell_view import ended_in_words
from app.flows.words import counted
from app.foundation.texts import _, in_sentence, local_number
from app.reporting.tables.changes import change_values

MOST_LINES: Final = 2_000

CLOCK_ROOM: Final = "00:00:00  "
"""As wide as the time before the words of a line."""


@dataclass(frozen=True)
class LogLine:
    """One line.

    Attributes:
        at: time of day.
        is_alarming: something was not as it should be.
    """

    at: datetime
    text: str
    is_alarming: bool = False

    @property
    def shown(self) -> str:
        """The line with its time."""
        return f"{self.at:%H:%M:%S}  {'⚠ ' if self.is_alarming else ''}{self.text}"


class RunLog:
    """Lines of one run, the newest `MOST_LINES` of them.

    Attributes:
        compares_all: its trials are all alike; else lines say which explore and which confirm.
        titles: of the measures, by name, as they are called where there is little room.
        restored: that everything was undone, and when, as its line says; "" while something is changed.
    """

    def __init__(self) -> None:
        self.compares_all = False
        self.titles: Mapping[str, str] = {}
        self._lines: deque[LogLine] = deque(maxlen=MOST_LINES)
        self._count = 0
        self._lost_by: tuple[str, ...] = ()
        self._undone = 0
        self.restored = ""

    @property
    def count(self) -> int:
        """How many lines there have been in all."""
        return self._count

    def since(self, count: int) -> tuple[LogLine, ...]:
        """Return the lines added since there were `count`, as far as they are kept."""
        fresh = min(self._count - count, len(self._lines))
        return tuple(self._lines)[len(self._lines) - fresh :] if fresh > 0 else ()

    def note(self, event: RunEvent, at: datetime) -> None:
        """Add a line for an event; readings have none."""
        if isinstance(event, SamplesTaken | StepMoved):
            return
        if isinstance(event, TrialFinished):
            self._add(_trial_finished(event.trial, at, self.titles, self._lost_by))
            if event.trial.status is not TrialStatus.USED:
                self._lost_by = event.trial.failed_checks
        elif isinstance(event, TrialStarted):
            self._add(LogLine(at, _trial_started(event, names_phase=not self.compares_all)))
        else:
            self._add(_line(event, at))
        if isinstance(event, ChangeApplied):
            self.restored = ""
        elif isinstance(event, ChangeRestored):
            self._undone += 1
        elif isinstance(event, RunFinished):
            self._end(event, at)

    def _end(self, event: RunFinished, at: datetime) -> None:
        for problem in event.not_restored:
            self._add(LogLine(at, _("NOT UNDONE: {problem}").format(problem=problem), is_alarming=True))
        if event.not_restored:
            self._undone = 0  # a restore that comes later tells of its own
        else:
            self.tell_restored(at)

    def tell_restored(self, at: datetime, further: int = 0) -> None:
        """Add a line that everything is undone and read back: so many changes since it was last said, and `further`."""
        count, self._undone = self._undone + further, 0
        if count:
            self.restored = restored_line(at, count)
            self.tell(self.restored, at)

    def tell(self, text: str, at: datetime) -> None:
        """Add a line that is no event of the run."""
        self._add(LogLine(at, text))

    def _add(self, line: LogLine) -> None:
        self._lines.append(line)
        self._count += 1


def _line(event: RunEvent, at: datetime) -> LogLine:
    match event:
        case RunStarted():
            began = _("{run} resumes on {target}") if event.resumed else _("{run} began on {target}")
            return LogLine(at, began.format(run=event.run_id, target=event.target))
        case StepStarted():
            return LogLine(at, f"    {event.text}")
        case ChangeApplied(_run, change):
            text = _("    Changed: {subject}: {before} → {now}")
            before, now = change_values(change)
            return LogLine(at, text.format(subject=change.subject, before=before, now=now))
        case ChangeRestored(_run, change):
            text = _("    Undone: {subject}: {before} → {now}")
            now, before = change_values(change)
            return LogLine(at, text.format(subject=change.subject, before=before, now=now))
        case Predicted():
            return LogLine(at, f"    {event.sentence}")
        case RunPaused() | RunResumed():
            return LogLine(at, _waiting(event))
        case Note():
            return LogLine(at, event.text[:1].upper() + event.text[1:])
        case RunFinished():
            ended = ended_in_words(event.status)
            told = event.reason if event.reason.startswith(ended) else f"{ended} – {event.reason}"
            return LogLine(at, f"{event.run_id}: {told}", is_alarming=bool(event.not_restored))
        case HandRequested() | HandConfirmed():
            return LogLine(at, _by_hand(event))
    return LogLine(at, "")


def _waiting(event: RunPaused | RunResumed) -> str:
    return _("Paused; every change is undone") if isinstance(event, RunPaused) else _("The run goes on")


def _by_hand(event: HandRequested | HandConfirmed) -> str:
    if isinstance(event, HandConfirmed):
        return _("    Request {number} is done and checked").format(number=event.number)
    text = _("    Asked the DBA to run request {number} at {server}: {title}")
    return text.format(number=event.number, server=event.server, title=event.title)


def _trial_started(event: TrialStarted, *, names_phase: bool) -> str:
    spec = event.spec
    kind = _("confirming") if spec.phase is Phase.CONFIRM else _("exploring")
    words = _("{trial}: trial {order} of {planned}, block {block}: {setting}")
    if names_phase:
        words = _("{trial}: trial {order} of {planned}, {kind}, block {block}: {setting}")
    return words.format(
        trial=spec.trial_id,
        order=value_text(spec.order),
        planned=value_text(event.planned_trials),
        kind=kind,
        block=spec.block,
        setting=spec.setting.text(),
    )


def _measured(measurement: Measurement, titles: Mapping[str, str]) -> str:
    """Return a trial's measurement, under the title its measure has elsewhere in the window."""
    name = in_sentence(titles.get(measurement.metric, measurement.metric.replace("_", " ")))
    return f"{name} {local_number(f'{measurement.value:,.4g}')} {unit_word(measurement.unit)}"


def _trial_finished(
    trial: TrialResult, at: datetime, titles: Mapping[str, str], lost_before_by: tuple[str, ...]
) -> LogLine:
    """Return the line of a trial that ended; why it was lost is told once, for all that were lost by it."""
    if trial.status is TrialStatus.USED:
        values = ", ".join(_measured(measurement, titles) for measurement in trial.measurements[:2])
        done = _("{trial}: done; {values}").format(trial=trial.trial_id, values=values)
        return LogLine(at, " ".join(filter(None, (done, meanwhile(trial.trial_id, trial.happenings)))))
    if trial.failed_checks and trial.failed_checks == lost_before_by:
        return LogLine(at, _("{trial}: not used, for the same reason").format(trial=trial.trial_id), is_alarming=True)
    words = _("{trial}: not used: {why}") if trial.status is TrialStatus.NOT_USED else _("{trial}: ended early: {why}")
    return LogLine(at, words.format(trial=trial.trial_id, why="; ".join(trial.failed_checks)), is_alarming=True)


def restored_line(at: datetime, count: int) -> str:
    """Return that so many changes were undone at a time of day, and read back from the servers."""
    changes = counted(count, _("1 change"), _("{count} changes"))
    return _("Restored {time}, read back: {changes}").format(time=f"{at:%H:%M}", changes=changes)
