"""What a measurement file may hold: the columns, metrics and parameters each experiment family accepts."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.family import ExperimentFamily
from app.domain.load import LoadKind
from app.domain.measurement import Metric
from app.domain.plan import Scenario
from app.domain.setting import Knob

FAMILY: Final = "family"
RUN: Final = "run"
BLOCK: Final = "block"
PHASE: Final = "phase"
METRIC: Final = "metric"
VALUE: Final = "value"
UNIT: Final = "unit"
SOURCE: Final = "source"
NOTE: Final = "note"
REPORTED_ELSEWHERE: Final = "reported_elsewhere"
REPORTED_WHERE: Final = "reported_where"

NEEDED: Final = (FAMILY, METRIC, VALUE, UNIT)
OPTIONAL: Final = (RUN, BLOCK, PHASE, SOURCE, NOTE, REPORTED_ELSEWHERE, REPORTED_WHERE)


class ColumnRole(StrEnum):
    """What a column of a measurement file is for."""

    MEASUREMENT = "measurement"
    FACTOR = "factor"
    CONDITION = "condition"
    REMARK = "remark"


@dataclass(frozen=True)
class ConditionColumn:
    """A column that says under what conditions a value was measured.

    Attributes:
        name: as the column is headed and as it stands in `Measurement.conditions`.
        unit: of its numbers; empty for a column that holds text.
        choices: the texts it may hold, empty for any.
        may_be_zero: zero makes sense; its numbers are otherwise greater than zero.
        may_be_range: it may hold "5-10", which stands for the mean of both ends.
    """

    name: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    may_be_zero: bool = False
    may_be_range: bool = False


STANDARD_CONDITIONS: Final = (
    ConditionColumn("network_kbps", "kbps"),
    ConditionColumn("rtt_ms", "ms", may_be_zero=True),
    ConditionColumn("commands_per_transaction", "commands", may_be_range=True),
    ConditionColumn("agent_pairs", "count"),
    ConditionColumn("scenario", choices=tuple(scenario.value for scenario in Scenario)),
    ConditionColumn("commands", "commands"),
    ConditionColumn("server_version"),
)
"""Conditions every replication-agent family understands."""

SERVER_CONDITIONS: Final = (
    ConditionColumn("network_kbps", "kbps"),
    ConditionColumn("rtt_ms", "ms", may_be_zero=True),
    ConditionColumn("server_version"),
)
"""Conditions every family understands that is not about replication agents."""


@dataclass(frozen=True)
class FamilyColumns:
    """What one experiment family accepts from a file.

    Attributes:
        family: id of the family.
        metrics: measures settings are compared by; values are converted to their units.
        knobs: parameters that may be factors, with their limits.
        conditions: columns that tell conditions apart.
        others: measures that only explain; they may be zero.
        swept: conditions that vary within one run, so that rows that differ in them may be the same run.
    """

    family: str
    metrics: tuple[Metric, ...]
    knobs: tuple[Knob, ...]
    conditions: tuple[ConditionColumn, ...] = STANDARD_CONDITIONS
    others: tuple[Metric, ...] = ()
    swept: tuple[str, ...] = ()

    def metric(self, name: str) -> Metric | None:
        """Return the metric of that name, in any case and spelling of its words, or None."""
        known = (*self.metrics, *self.others)
        return next((metric for metric in known if plain(metric.name) == plain(name)), None)

    def knob(self, name: str) -> Knob | None:
        """Return the parameter of that exact name, or None."""
        return next((knob for knob in self.knobs if knob.name == name), None)

    def condition(self, name: str) -> ConditionColumn | None:
        """Return the condition column of that exact name, or None."""
        return next((column for column in self.conditions if column.name == name), None)


def columns_of(family: ExperimentFamily) -> FamilyColumns:
    """Return what an experiment family accepts: the conditions of replication agents, or its own load."""
    others = tuple(metric for metric in family.metrics if metric not in family.main_metrics)
    swept = tuple(ConditionColumn(condition.name, condition.unit) for condition in family.swept)
    names = tuple(condition.name for condition in family.swept)
    own = swept or _load_columns(family)
    conditions = STANDARD_CONDITIONS if family.subject.agent_kind is not None else (*own, *SERVER_CONDITIONS)
    return FamilyColumns(family.family_id, family.main_metrics, family.knobs, conditions, others, names)


def _load_columns(family: ExperimentFamily) -> tuple[ConditionColumn, ...]:
    """Return a column for each number or choice of the family's load: what was measured holds for that load."""
    kinds = (LoadKind.WHOLE, LoadKind.NUMBER, LoadKind.CHOICE)
    return tuple(ConditionColumn(f.name, f.unit, f.choices) for f in family.load_fields if f.kind in kinds)


def plain(name: str) -> str:
    """Return a name as it is compared: without case, spaces, underscores, hyphens, or the dash of `-ReadBatchSize`."""
    return "".join(char for char in name.casefold() if not char.isspace() and char not in "_-")


def quoted(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: in quotes, with commas."""
    return ", ".join(f'"{name}"' for name in names)
