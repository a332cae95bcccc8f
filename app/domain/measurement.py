"""Measurements: a value with its unit, the setting and the conditions it holds for."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.happening import Happening
from app.domain.plan import Phase
from app.domain.setting import EMPTY_SETTING, Setting


class Better(StrEnum):
    """Which direction of a metric is an improvement."""

    LOWER = "lower"
    HIGHER = "higher"


@dataclass(frozen=True)
class Metric:
    """A measure of a trial.

    Attributes:
        name: as in measurement files, such as `run_time`.
        unit: the unit its values are stored in.
        better: direction of an improvement.
        title: as a person reads it on an axis.
        short: the same in a word, where there is little room; "" where the title is short enough.
        is_listed: it has a column in lists of trials.
        step: of the clock or count it is measured with, in its unit; 0 where that is finer than any noise.
        is_outcome: a value above 0 is something the setting itself brought about; such a trial is never taken for one
            that something else disturbed.
        called: other names that servers, tools and people use for it, in any case and spelling.
        is_duration: it is the time that a piece of work takes, so that a half of it is twice as fast.
    """

    name: str
    unit: str
    better: Better
    title: str
    short: str = ""
    is_listed: bool = False
    step: float = 0.0
    is_outcome: bool = False
    called: tuple[str, ...] = field(default=(), compare=False)
    is_duration: bool = False

    @property
    def fact(self) -> str:
        """Name of a fact that tells its value: its own, with the unit at the end."""
        return f"{self.name}_{self.unit.lower()}"

    @property
    def brief(self) -> str:
        """Return the short name, for narrow places."""
        return self.short or self.title


SMALLEST_VALUE: Final = 1e-30
LARGEST_VALUE: Final = 1e30
"""What a measured value or a condition may be beside zero: quecto to quetta, the outermost prefixes of the SI (27th
CGPM, 2022, resolution 3). Beyond them sums of squares and ratios leave what a float can hold."""


MOST_RUNS: Final = 10_000
"""Of one published mean; nobody has made more of an experiment with servers."""


def is_measurable(value: float) -> bool:
    """Return whether a finite number is one that can have been measured: zero, or within the prefixes of the SI."""
    return value == 0.0 or SMALLEST_VALUE <= abs(value) <= LARGEST_VALUE


@dataclass(frozen=True)
class Measurement:
    """One value of one metric of one trial, own or from elsewhere.

    Attributes:
        family: experiment family id.
        trial_id: run identifier; unique per trial within its file.
        block: block number, from 1; values of one block were taken close together.
        metric, value, unit: value is finite and not negative, in `unit`; that of a main metric is positive.
        setting: the factors' values.
        conditions: what else distinguishes it (network_kbps, rtt_ms, commands_per_transaction …); only measurements
            of equal conditions are compared.
        phase: exploring or confirming; measurements from elsewhere are exploring.
        runs: how many runs the value is the mean of; more than one only where a document sums them up.
        sd: standard deviation of these runs, in `unit`; 0.0 of a single one.
        half_range: half the width of a range whose middle the value is, in `unit` and below the value; 0.0 for none.
    """

    family: str
    trial_id: str
    block: int
    metric: str
    value: float
    unit: str
    setting: Setting
    conditions: Setting = EMPTY_SETTING
    phase: Phase = Phase.EXPLORE
    runs: int = 1
    sd: float = 0.0
    half_range: float = 0.0


@dataclass(frozen=True)
class Sample:
    """One value of a time series of a trial: `offset_s` seconds after measuring began."""

    stream: str
    offset_s: float
    value: float
    unit: str


WINDOW_RATE: Final = "rate in the window"
"""Stream of the rate in each equal part of a window, in the unit of its main metric, at the middle of the part; the
last part ends with the trial."""

BACKLOG: Final = "backlog"
"""Stream of the work in front of the process under test, in commands; its last reading ends with the trial."""


class TrialStatus(StrEnum):
    """How a trial ended."""

    USED = "used"
    NOT_USED = "not_used"
    ABORTED = "aborted"


@dataclass(frozen=True)
class TrialResult:
    """One finished trial.

    Attributes:
        trial_id, block, phase, setting: as planned.
        status: `not_used` where a check failed: kept, marked, not used.
        failed_checks: one sentence each.
        measurements: its metrics; empty when aborted.
        samples: time series at the sampling interval.
        started_utc, finished_utc: server time where the target has a clock of its own.
        happenings: what else ran on the servers meanwhile, as far as the login may see it.
    """

    trial_id: str
    block: int
    phase: Phase
    setting: Setting
    status: TrialStatus
    failed_checks: tuple[str, ...]
    measurements: tuple[Measurement, ...]
    samples: tuple[Sample, ...]
    started_utc: datetime
    finished_utc: datetime
    happenings: tuple[Happening, ...] = ()

    @property
    def took_s(self) -> float:
        """How long it took, its preparation included, seconds."""
        return (self.finished_utc - self.started_utc).total_seconds()
