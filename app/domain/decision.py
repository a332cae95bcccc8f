"""Decisions for the client: change a value, measure again, or leave it; made of findings and their numbers."""

import math
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from app.domain.agreed import Agreement
from app.domain.comparison import Comparison, Forecast
from app.domain.effect import tells_interval
from app.domain.finding import Finding
from app.domain.own_load import OwnLoad
from app.domain.setting import Setting, Value


class DecisionKind(StrEnum):
    """The action a decision asks for; changes come first, and an open question never stands above one."""

    CHANGE = "change"
    MEASURE_AGAIN = "measure_again"
    LEAVE = "leave"


class Level(IntEnum):
    """How much effort or risk, as it divides a gain."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


@dataclass(frozen=True)
class Prerequisite:
    """A condition that must be met before a change.

    Attributes:
        text: what must be so and why, one sentence.
        step: what is done about it the day before, as a task.
        seen: what is seen then.
    """

    text: str
    step: str
    seen: str


@dataclass(frozen=True)
class Later:
    """A look or a step that a change needs after its window.

    Attributes:
        when: the occasion, in two or three words.
        step: what is done then, as a task. seen: what is seen then.
        otherwise: what is done where that is not seen.
    """

    when: str
    step: str
    seen: str
    otherwise: str


@dataclass(frozen=True)
class ChangeEffort:
    """The effort, interruption and risk of carrying a change out at the client's site, as its system knows them.

    Attributes:
        places: what gets the value, by the client's own names; () where it is not known.
        effort, interruption, check: one sentence each; `check` tells how to see afterwards that it holds.
        prerequisites: what must be so before.
        stood: how long that interruption took in the run's own steps, one sentence, "" where it made none.
        counted: the risk as it was counted at this site, one sentence, "" where nothing was.
        stop_when: the signs afterwards at which the change is undone, a sentence each, () where no own ones are known.
        later: what it needs after its window, in order.
        held_back: why the value is not recommended although it gained, as the end of a sentence, "" where it is.
        to_expect: what went wrong in trials of the value and will again, one sentence, "" for nothing.
        interruption_of_several: the interruption by {count} such changes of one place, made together; "" where
            it is that of one.
    """

    places: tuple[str, ...]
    effort: str
    interruption: str
    check: str
    effort_level: Level = Level.LOW
    risk_level: Level = Level.LOW
    prerequisites: tuple[Prerequisite, ...] = ()
    to_expect: str = ""
    interruption_of_several: str = ""
    held_back: str = ""
    counted: str = ""
    stop_when: tuple[str, ...] = ()
    later: tuple[Later, ...] = ()
    stood: str = ""

    @property
    def interruption_told(self) -> str:
        """Return the interruption with how long it took here."""
        return f"{self.interruption} {self.stood}".rstrip()


@dataclass(frozen=True)
class Tried:
    """Means that exploring trials measured of the setting in effect and of the one to set, in the comparison's unit.

    Attributes:
        stands, wanted: the two settings.
    """

    in_effect: float
    candidate: float
    stands: Setting
    wanted: Setting


@dataclass(frozen=True)
class Beside:
    """A parameter that a decision leaves alone, and that was measured at another value than the one in effect."""

    parameter: str
    measured: Value
    in_effect: str


@dataclass(frozen=True)
class OwnEffect:
    """The effect of one parameter by itself in the exploring trials, where a comparison changes several.

    Attributes:
        ratio, low, high: of the metric, with its value to with the baseline's, and the 95 % interval.
        beside: the label of the others' values with which it has this effect, "" where that does not matter.
    """

    ratio: float
    low: float
    high: float
    beside: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes no effect."""
        return not self.low <= 1 <= self.high


@dataclass(frozen=True)
class Gain:
    """The measured gain behind a decision, in the client's units.

    Attributes:
        comparison: what carries it: the ratio with its interval and verdict.
        before, after: geometric means of the measure, in `comparison.unit`; their ratio is the comparison's. None
            where nothing was measured, and where no means of the trials behind it make that ratio.
        forecasts: how long a backlog takes before and after, () where nobody asked.
        is_lead: exploring trials alone suggest it.
        costs: comparisons of the same two settings on other measures, which get worse.
        tried: what exploring trials measured of the value in effect, where another one is the reference.
        elsewhere: comparisons of the same two settings at the other values of what varies within each trial.
        is_seen_once: a gain worth acting on that single runs made elsewhere show, which nothing here has repeated.
        is_loss: the candidate measured worse than the reference, whatever that shows.
        is_worked_out: run times behind it were worked out from a part of the work.
        own_load: the client's own heaviest load, as it was and at this gain; None where no history tells it.
        agreed: the client's agreement that this load is held against, None for none.
        mixed: its effect on the client's mix of the values that vary within each trial, None where that is not told.
        is_own_work: its trials measured the client's own work, whose mix of transactions is thus the one measured.
        is_contradicted: numbers of the runs behind it cannot all hold.
        own: what the parameter does by itself where the comparison changes several; None where the trials do not say.
        from_in_effect: its reference is what is in effect and not the plan's baseline, which is its candidate.
    """

    comparison: Comparison
    before: float | None
    after: float | None
    forecasts: tuple[Forecast, ...] = ()
    is_lead: bool = False
    costs: tuple[Comparison, ...] = ()
    tried: Tried | None = None
    own: OwnEffect | None = None
    elsewhere: tuple[Comparison, ...] = ()
    is_seen_once: bool = False
    is_loss: bool = False
    is_contradicted: bool = False
    from_in_effect: bool = False
    is_worked_out: bool = False
    own_load: OwnLoad | None = None
    agreed: Agreement | None = None
    mixed: Comparison | None = None
    is_own_work: bool = False

    @property
    def changes_several(self) -> bool:
        """Whether the comparison changes more parameters than one."""
        reference = self.comparison.reference
        return sum(value != reference.get(name) for name, value in self.comparison.candidate.items()) > 1

    @property
    def may_be_too_small(self) -> bool:
        """Whether the near end of its interval, the one nearest to no effect, is below the minimum effect.

        Without an interval that is not known.
        """
        told = self.comparison
        return tells_interval(told.low, told.high) and _near_end(told) < math.log1p(told.minimum_effect)

    @property
    def certain_share(self) -> float:
        """Return the share of time that is saved for certain: by the near end of the interval, 0 where it holds 1.

        A rate that rises by a factor r saves 1 - 1/r of the time. Of several parameters changed together that of the
        parameter by itself counts, where it is known.
        """
        told = self.own if self.own is not None and self.own.is_shown else self.comparison
        if 0 < told.high < 1:
            return 1 - told.high
        return 1 - 1 / told.low if told.low > 1 else 0.0


def _near_end(comparison: Comparison) -> float:
    """Return the effect at the end of the interval nearest to none, as |log ratio|; 0 where it holds no effect."""
    if comparison.low > 1:
        return math.log(comparison.low)
    return -math.log(comparison.high) if 0 < comparison.high < 1 else 0.0


@dataclass(frozen=True)
class Decision:
    """One decision.

    Attributes:
        number: its place in the order, from 1.
        finding: the finding it is made of; `notes` are others of the same experiment, which change nothing.
        set_aside: findings on the same parameter of the same place that want or leave another value.
        parameter: the parameter it is about, "" where it is about none.
        from_value: the value measured against. in_effect: what was in effect where that is another, else "".
        to_value: the value to set; None where nothing is to be changed.
        where: experiment and conditions it is valid for, in short.
        change_effort: of a change of the parameter, whether or not one is recommended.
        trials_needed: trials of each setting that settle what is open, 0 where nothing is or it is not known.
        own_words: what the consultant says of it, "" for nothing.
        score: what it is ordered by: the certain gain, halved without fresh trials, by effort and risk.
        together: what is changed with it, each a decision of its own parameter, where only all of them together were
            compared: one decision on several parameters. Effort and findings are those of all.
        beside: what it was measured with and is not in effect, of parameters it leaves alone.
        measured_beside: the same of a change that is to be measured first, where another one of the same thing is made.
    """

    number: int
    kind: DecisionKind
    family: str
    finding: Finding
    parameter: str
    from_value: Value | None
    to_value: Value | None
    in_effect: str
    where: str
    gain: Gain | None
    change_effort: ChangeEffort
    notes: tuple[Finding, ...] = ()
    set_aside: tuple[Finding, ...] = ()
    trials_needed: int = 0
    score: float = 0.0
    own_words: str = ""
    together: tuple["Decision", ...] = ()
    beside: tuple[Beside, ...] = ()
    measured_beside: tuple[Beside, ...] = ()

    @property
    def parts(self) -> tuple["Decision", ...]:
        """Return the decision and those changed together with it, one for each parameter."""
        return self, *self.together

    @property
    def is_worth_open(self) -> bool:
        """Whether it is a change whose gain is shown, but may be smaller than the plan calls worth acting on."""
        return self.kind is DecisionKind.CHANGE and self.gain is not None and self.gain.may_be_too_small

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the parameters it is about, () where it is about none."""
        return tuple(part.parameter for part in self.parts if part.parameter)

    @property
    def key(self) -> str:
        """Return a key that stays the same whenever the decision is made again: family, parameter or rule, conditions,
        places."""
        held = self.gain.comparison.conditions if self.gain else self.finding.conditions if self.finding.apart else None
        conditions = held.label() if held else ""
        return " | ".join(
            (
                self.family,
                " + ".join(self.parameters) or self.finding.rule,
                conditions,
                ", ".join(self.change_effort.places),
            )
        )

    @property
    def measured_from(self) -> Value | None:
        """Return the value of the parameter that its gain is measured against, else the one its finding names."""
        told = None if self.gain is None else self.gain.comparison.reference.get(self.parameter)
        return self.from_value if told is None or self.to_value is None else told

    @property
    def rivals(self) -> tuple[Value, ...]:
        """Return the values of the parameter that may do better by the minimum effect than the one that stands."""
        told = None if self.gain is None else self.gain.comparison.rivals
        return () if told is None else told.values_of(self.parameter)

    @property
    def rival_trials_needed(self) -> int:
        """Return the trials of each of them that settle it, 0 where there are none."""
        told = None if self.gain is None else self.gain.comparison.rivals
        return 0 if told is None or not self.rivals else told.trials_needed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return every finding it rests on, its own first."""
        joined = (finding for one in self.together for finding in (one.finding, *one.set_aside))
        return (self.finding, *joined, *self.notes, *self.set_aside)

    @property
    def risks(self) -> tuple[str, ...]:
        """Return what was counted here, what trials of the values showed, and the risk of each parameter changed."""
        told = (self.change_effort.counted, self.change_effort.to_expect, *(part.finding.risk for part in self.parts))
        return tuple(dict.fromkeys(text for text in told if text))

    @property
    def places(self) -> tuple[str, ...]:
        """Return the places that would get a value, or those where it was measured."""
        return self.change_effort.places or (self.where,)

    @property
    def trials(self) -> tuple[str, ...]:
        """Return the ids of the trials behind it, each once."""
        return tuple(dict.fromkeys(trial for finding in self.findings for trial in finding.evidence))
