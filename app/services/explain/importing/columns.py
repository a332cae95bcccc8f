"""What a measurement file may hold: the columns, metrics and parameters each experiment family accepts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.condition import Condition
from app.domain.family import ExperimentFamily
from app.domain.measurement import Metric
from app.domain.plan_field import ValueKind
from app.domain.setting import Parameter
from app.foundation.texts import _

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
SD: Final = "sd"
RUNS: Final = "n"
COMPUTED: Final = "computed"

NEEDED: Final = {
    FAMILY: _("experiment family"),
    METRIC: _("what was measured"),
    VALUE: _("measured value"),
    UNIT: _("unit of the value"),
}
"""The columns every file has, with what they hold."""

OPTIONAL: Final = {
    RUN: _("name of the run"),
    BLOCK: _("block of runs taken close together"),
    PHASE: _("exploring or confirming"),
    SD: _("standard deviation of the runs whose mean the value is"),
    RUNS: _("number of these runs"),
    COMPUTED: _("worked out from other values"),
    SOURCE: _("where the value comes from"),
    NOTE: _("remark"),
    REPORTED_ELSEWHERE: _("another value the same document gives"),
    REPORTED_WHERE: _("where it gives that other value"),
}
"""The columns a file may have, with what they hold, beside those of parameters and conditions."""

SERVER_CONDITIONS: Final = (
    Condition("network_kbps", "kbps"),
    Condition("rtt_ms", "ms", may_be_zero=True),
    Condition("server_version"),
    Condition("concurrency", "count"),
)
"""Conditions every family understands."""


@dataclass(frozen=True)
class FamilyColumns:
    """What one experiment family accepts from a file.

    Attributes:
        family: id of the family.
        metrics: measures settings are compared by; values are converted to their units.
        parameters: parameters that may be factors, with their limits.
        conditions: columns that tell conditions apart.
        others: measures that only explain; they may be zero.
        swept: conditions that vary within one run, so that rows that differ in them may be the same run.
    """

    family: str
    metrics: tuple[Metric, ...]
    parameters: tuple[Parameter, ...]
    conditions: tuple[Condition, ...] = SERVER_CONDITIONS
    others: tuple[Metric, ...] = ()
    swept: tuple[str, ...] = ()

    def metric(self, name: str) -> Metric | None:
        """Return the metric of that name, in any case and spelling of its words, or None."""
        metrics = (*self.metrics, *self.others)
        return next((metric for metric in metrics if plain(metric.name) == plain(name)), None)

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter of that exact name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def condition(self, name: str) -> Condition | None:
        """Return the condition of that exact name, or None."""
        return next((condition for condition in self.conditions if condition.name == name), None)


def columns_of(family: ExperimentFamily) -> FamilyColumns:
    """Return what a family accepts: its own conditions and what it sweeps, or else its load's numbers and choices."""
    kinds = (ValueKind.WHOLE, ValueKind.NUMBER, ValueKind.CHOICE)
    swept = tuple(Condition(condition.name, condition.unit) for condition in family.swept)
    load = tuple(Condition(f.name, f.unit, f.choices) for f in family.load_fields if f.kind in kinds)
    return FamilyColumns(
        family=family.family_id,
        metrics=family.main_metrics,
        parameters=family.parameters,
        conditions=(*((*family.conditions, *swept) or load), *SERVER_CONDITIONS),
        others=tuple(metric for metric in family.metrics if metric not in family.main_metrics),
        swept=tuple(condition.name for condition in swept),
    )


def plain(name: str) -> str:
    """Return a name as it is compared: without case, spaces, underscores, hyphens, or a leading dash."""
    return "".join(char for char in name.casefold() if not char.isspace() and char not in "_-")


def quoted(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: in quotes, with commas."""
    return ", ".join(f'"{name}"' for name in names)
