"""The trials of a plan in time: a row for each setting, a band for each block, a box for each trial."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby
from typing import Final

from app.analysis.plan_settings import setting_places
from app.domain.plan import Phase, Plan, Stop
from app.domain.setting import Parameter, Setting, Value, value_text
from app.flows.plan.dry_run_view import further_sentence
from app.flows.plan.plan_form import PlanForm
from app.flows.plan.plan_summary import clock_after
from app.flows.words import time_text
from app.foundation.texts import _, in_words_of
from app.services.plan.completing import complete_plan
from app.services.plan.plan_fit import site_for_plan
from app.services.plan.plan_outlook import plan_outlook
from app.services.plan.planned_trials import PlannedTrial, planned_trials

_MOST_TICKS: Final = 6
_MINUTE: Final = 60.0
_STEPS_S: Final = (5, 10, 30, *(60 * minutes for minutes in (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440)))
_FARTHEST: Final = 1.5  # of what the plan may take: a limit beyond it is told, and would leave the trials no room
_TOLD_BLOCKS: Final = 12  # in words; a table of the dry run holds all of them
_COMPLETE_RACE_BLOCKS: Final = 2  # before a race can drop a setting; one where the noise was stated


class RowKind(StrEnum):
    """The kind of a row."""

    BASELINE = "baseline"
    SETTING = "setting"
    MODEL = "model"
    LEADER = "leader"


@dataclass(frozen=True)
class GridRow:
    """One setting, or one that turns out in the run.

    Attributes:
        label: its values, short.
        whole: what it is in full.
    """

    kind: RowKind
    label: str
    whole: str


@dataclass(frozen=True)
class GridBand:
    """One block.

    Attributes:
        label: its number, "" where blocks do not count.
        is_certain: it will run as drawn; else it, or some of its trials, may not be needed.
    """

    label: str
    phase: Phase
    start_s: float
    end_s: float
    is_certain: bool


@dataclass(frozen=True)
class GridBox:
    """One trial.

    Attributes:
        row: place of its row.
        words: what it is, in one line.
        is_certain: as of its band.
    """

    row: int
    phase: Phase
    start_s: float
    end_s: float
    is_certain: bool
    words: str


@dataclass(frozen=True)
class GridTick:
    """A place on the axis of time with its text."""

    at_s: float
    text: str


@dataclass(frozen=True)
class GridMark:
    """The end of the run, or that of the time there is.

    Attributes:
        is_late: it is missed, or comes too late.
        is_beyond: it lies beyond the axis, at whose end it is told.
    """

    at_s: float
    text: str
    is_late: bool = False
    is_beyond: bool = False


@dataclass(frozen=True)
class GridPhase:
    """The words above the blocks of one phase.

    Attributes:
        words: more of them, as its tooltip; "" for none.
    """

    text: str
    start_s: float
    end_s: float
    words: str = ""


@dataclass(frozen=True)
class TrialGrid:
    """Everything that is drawn.

    Attributes:
        head: above the rows: the parameters.
        unit: below them: what the axis counts, "" for the time of day.
        further: where confirming blocks may follow, None where none can.
        limit: the end of the time there is, None where nobody said.
        length_s: of the axis.
        sentence: how the time is split, and what may follow.
        in_hand: what is left of the time there is, "" where nobody said how much that is.
        spoken: the same as the picture, in words.
    """

    head: str
    unit: str
    rows: tuple[GridRow, ...]
    bands: tuple[GridBand, ...]
    boxes: tuple[GridBox, ...]
    phases: tuple[GridPhase, ...]
    ticks: tuple[GridTick, ...]
    end: GridMark
    further: GridPhase | None
    limit: GridMark | None
    length_s: float
    sentence: str
    in_hand: str
    spoken: str


def trial_grid(form: PlanForm, now: datetime | None, time_s: float | None = None) -> TrialGrid | None:
    """Return the trials of the plan of a form; None while it has none.

    Args:
        now: the person's time of day, None where the target is a lab, whose time is virtual.
        time_s: how long the person has, None where nobody said.
    """
    plan = form.to_plan()
    if plan is None:
        return None
    with in_words_of(plan.design):
        return _Drawing(form, plan, now, time_s).grid()


class _Drawing:
    """The drawing of one plan."""

    def __init__(self, form: PlanForm, plan: Plan, now: datetime | None, time_s: float | None) -> None:
        family = form.family
        self._family = family
        self._plan = plan
        self._now = now
        self._time_s = time_s
        self._outlook = plan_outlook(plan, family, form.at_hand)
        self._trials = planned_trials(plan, family)
        self._is_guided = plan.design.stop is Stop.MODEL and not family.compares_all
        self._rows = _rows(form, plan, self._trials)
        self._further = self._outlook.most_trials - self._outlook.trials
        all_s = self._outlook.all_s
        self._further_s = all_s - self._outlook.duration_s
        self._length_s = max(all_s, min(time_s or 0.0, _FARTHEST * all_s))
        self._unit, self._unit_s = _unit_of(self._length_s)

    def grid(self) -> TrialGrid:
        """Return it all."""
        duration_s = self._outlook.duration_s
        limit_s, length_s = self._time_s, self._length_s
        sentence, follows = " ".join(filter(None, (self._split(), self._at_most()))), self._what_follows()
        in_hand = self._in_hand()
        further = GridPhase(_("may follow"), duration_s, duration_s + self._further_s, follows)
        return TrialGrid(
            head=" × ".join(self._plan.baseline),  # in the order in which settings name their values
            unit=self._unit if self._now is None else "",
            rows=tuple(row for _key, row in self._rows),
            bands=tuple(self._bands()),
            boxes=tuple(self._boxes()),
            phases=tuple(self._phases()),
            ticks=tuple(self._ticks()),
            end=GridMark(duration_s, self._when(duration_s), limit_s is not None and duration_s > limit_s),
            further=further if self._further_s else None,
            limit=None
            if limit_s is None
            else GridMark(min(limit_s, length_s), self._when(limit_s), is_beyond=limit_s > length_s),
            length_s=length_s,
            sentence=sentence,
            in_hand=in_hand,
            spoken=" ".join(text for text in (sentence, in_hand, follows, *self._told_blocks()) if text),
        )

    # Boxes and bands

    def _start_s(self, place: int) -> float:
        return place * self._outlook.trial_s

    def _is_certain(self, place: int) -> bool:
        """Tell whether a trial runs, at that time: a race or a model may end before, or leave a setting out."""
        design, trial = self._plan.design, self._trials[place]
        if trial.phase is Phase.CONFIRM or self._family.compares_all or design.stop is Stop.BLOCKS:
            return True
        if design.stop is Stop.MODEL:
            return place == 0
        return trial.block <= (_COMPLETE_RACE_BLOCKS if design.noise_cv is None else 1)

    def _boxes(self) -> Iterator[GridBox]:
        places = {key: place for place, (key, _row) in enumerate(self._rows)}
        for place, trial in enumerate(self._trials):
            row = places[_key_of(trial)]
            yield GridBox(
                row,
                trial.phase,
                self._start_s(place),
                self._start_s(place + 1),
                self._is_certain(place),
                self._words(place, trial, self._rows[row][1]),
            )

    def _words(self, place: int, trial: PlannedTrial, row: GridRow) -> str:
        told = _("Trial {n}, block {block}: {setting}, {start} to {end}")
        if self._is_guided and trial.phase is Phase.EXPLORE:
            told = _("Trial {n}: {setting}, {start} to {end}")
        start, end = self._start_s(place), self._start_s(place + 1)
        return told.format(
            n=place + 1, block=trial.block, setting=row.whole, start=self._when(start), end=self._when(end)
        )

    def _by_block(self) -> Iterator[tuple[int, list[tuple[int, PlannedTrial]]]]:
        numbered = enumerate(self._trials)
        for (block, _phase), group in groupby(numbered, key=lambda pair: (pair[1].block, pair[1].phase)):
            yield block, list(group)

    def _bands(self) -> Iterator[GridBand]:
        for block, group in self._by_block():
            first, last = group[0][0], group[-1][0]
            phase = group[0][1].phase
            yield GridBand(
                "" if self._is_guided else value_text(block),
                phase,
                self._start_s(first),
                self._start_s(last + 1),
                all(self._is_certain(place) for place, _trial in group),
            )

    def _phases(self) -> Iterator[GridPhase]:
        if self._family.compares_all:
            yield GridPhase(_("comparing"), 0.0, self._outlook.duration_s)
            return
        words = {
            Phase.EXPLORE: _("exploring, at most") if self._outlook.is_most else _("exploring"),
            Phase.CONFIRM: _("confirming"),
        }
        start_s = 0.0
        for phase, trials in groupby(self._trials, key=lambda trial: trial.phase):
            end_s = start_s + len(list(trials)) * self._outlook.trial_s
            yield GridPhase(words[phase], start_s, end_s)
            start_s = end_s

    # Time

    def _ticks(self) -> Iterator[GridTick]:
        unit_s = self._unit_s if self._now is None else _MINUTE
        whole = (step for step in _STEPS_S if step >= unit_s and step % unit_s == 0)
        step = next((step for step in whole if self._length_s / step <= _MOST_TICKS), 0)
        step = step or _STEPS_S[-1] * (1 + int(self._length_s / (_MOST_TICKS * _STEPS_S[-1])))
        for number in range(int(self._length_s / step) + 1):
            at_s = float(number * step)
            yield GridTick(at_s, value_text(round(at_s / unit_s)) if self._now is None else self._when(at_s))

    def _when(self, at_s: float) -> str:
        """Return a moment: the time of day, with the days passed since the start; on a lab the time passed."""
        if self._now is None:
            return f"{value_text(round(at_s / self._unit_s))}\u00a0{self._unit}"
        at = self._now + timedelta(seconds=at_s)
        days = (at.date() - self._now.date()).days
        return f"{at:%H:%M}" if not days else f"{at:%H:%M} +{days}"

    # Words

    def _split(self) -> str:
        """Return how the time is split; trials are estimated with their preparation."""
        outlook, trials = self._outlook, self._trials
        unit, unit_s = _unit_of(outlook.duration_s)
        confirming = sum(trial.phase is Phase.CONFIRM for trial in trials)
        total, confirms = (round(count * outlook.trial_s / unit_s) for count in (len(trials), confirming))
        if self._family.compares_all:
            words = _("{total}\u00a0{unit}, preparation included.")
        elif self._plan.design.stop is Stop.RACE:
            words = _(
                "At most {total}\u00a0{unit}: {exploring} exploring, less where the race drops settings, {confirming} "
                "confirming, preparation included."
            )
        elif self._is_guided:
            words = _(
                "At most {total}\u00a0{unit}: {exploring} exploring, less where the model is sure earlier, "
                "{confirming} confirming, preparation included."
            )
        else:
            words = _("{total}\u00a0{unit}: {exploring} exploring, {confirming} confirming, preparation included.")
        return words.format(
            total=value_text(total),
            unit=unit,
            exploring=value_text(total - confirms),
            confirming=value_text(confirms),
        )

    def _at_most(self) -> str:
        longest = time_text(self._outlook.longest_s)
        if not self._further:
            return _("The run ends after {longest} at the latest.").format(longest=longest)
        return _("Up to {n} more may follow ({time}); the run ends after {longest} at the latest.").format(
            n=value_text(self._further), time=time_text(self._further_s), longest=longest
        )

    def _what_follows(self) -> str:
        return further_sentence(self._further, self._further_s)

    def _in_hand(self) -> str:
        """Return the time left of that at hand, "" where none was given."""
        if self._time_s is None:
            return ""
        left_s = self._time_s - self._outlook.duration_s
        if left_s < 0:
            return _("Too long by {time}.").format(time=time_text(-left_s))
        is_enough = self._further_s <= left_s
        if left_s < _MINUTE and is_enough:
            return _("Just in time.")
        if self._now is None:
            words = _("{time} to spare.") if is_enough else _("{time} to spare, too little for all that may follow.")
            return words.format(time=time_text(left_s))
        words = _("{time} to spare before {clock}.")
        if not is_enough:
            words = _("{time} to spare before {clock}, too little for all that may follow.")
        return words.format(time=time_text(left_s), clock=clock_after(self._now, self._time_s))

    def _told_blocks(self) -> Iterator[str]:
        """Return each block in words."""
        rows = dict(self._rows)
        blocks = list(self._by_block())
        for block, group in blocks[:_TOLD_BLOCKS]:
            phase = {Phase.EXPLORE: _("exploring"), Phase.CONFIRM: _("confirming")}[group[0][1].phase]
            words = _("Block {block}, {phase}, from {start}: {settings}.")
            if self._is_guided and group[0][1].phase is Phase.EXPLORE:
                words = _("{phase}, from {start}: {settings}.")
            runs = groupby(rows[_key_of(trial)].label for _place, trial in group)
            named = ((label, len(list(each))) for label, each in runs)
            settings = (label if count == 1 else f"{count} × {label}" for label, count in named)
            start = self._when(self._start_s(group[0][0]))
            yield words.format(block=block, phase=phase, start=start, settings=", ".join(settings))
        if len(blocks) > _TOLD_BLOCKS:
            yield _("{n} more blocks.").format(n=value_text(len(blocks) - _TOLD_BLOCKS))


def _unit_of(length_s: float) -> tuple[str, float]:
    """Return the unit for a length of time, and its seconds."""
    if length_s < 3 * _MINUTE:
        return _("s"), 1.0
    return (_("min"), _MINUTE) if length_s < 600 * _MINUTE else (_("h"), 60 * _MINUTE)


# Rows

_Keyed = tuple[str, GridRow]


def _key_of(trial: PlannedTrial) -> str:
    """Return the key that tells the row of a trial from others."""
    if not trial.is_open:
        return trial.setting
    return RowKind.LEADER if trial.phase is Phase.CONFIRM else RowKind.MODEL


def _rows(form: PlanForm, plan: Plan, trials: Sequence[PlannedTrial]) -> tuple[_Keyed, ...]:
    """Return the rows by key: the baseline, the other settings that are known to run, those that turn out."""
    family = form.family
    parameters = {parameter.name: parameter for parameter in family.parameters}
    baseline, *settings = setting_places(plan, family.parameters)
    keys = {_key_of(trial) for trial in trials}
    made = [(baseline.label(), _baseline_row(form, plan, baseline, parameters))]
    made += [
        (setting.label(), GridRow(RowKind.SETTING, _values(setting, parameters), setting.text()))
        for setting in settings
        if setting.label() in keys
    ]
    if RowKind.MODEL in keys:
        made.append((RowKind.MODEL, GridRow(RowKind.MODEL, _("by the model"), _("what the model learns most from"))))
    if RowKind.LEADER in keys:
        whole = _("the value that leads by then; which of the two goes first is drawn at random")
        made.append((RowKind.LEADER, GridRow(RowKind.LEADER, _("the leading value"), whole)))
    return tuple(made)


def _baseline_row(form: PlanForm, plan: Plan, baseline: Setting, parameters: dict[str, Parameter]) -> GridRow:
    words, whole = _("{value} baseline"), _("{setting}, the baseline")
    if _is_in_effect(form, plan):
        words, whole = _("{value} today"), _("{setting}, as it is today and the baseline")
    label = words.format(value=_values(baseline, parameters))
    return GridRow(RowKind.BASELINE, label, whole.format(setting=baseline.text()))


def _is_in_effect(form: PlanForm, plan: Plan) -> bool:
    """Tell whether the baseline is in effect at the site, as far as it was read."""
    site = site_for_plan(plan, form.family, form.site)
    if site is None:
        return False
    return complete_plan(replace(plan, baseline=Setting()), form.family, site).baseline == plan.baseline


def _values(setting: Setting, parameters: dict[str, Parameter]) -> str:
    """Return the values alone, words as a person calls them."""
    return " × ".join(_value(parameters[name], value) for name, value in setting.values_by_name)


def _value(parameter: Parameter, value: Value) -> str:
    titles = dict(zip(parameter.choices, parameter.choice_titles, strict=False))
    return titles.get(str(value)) or value_text(value)
