"""The columns of a measurement file: those each experiment family accepts, and which heading is which."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

from app.domain.condition import Condition
from app.domain.family import ExperimentFamily
from app.domain.measurement import Metric
from app.domain.plan_field import ValueKind
from app.domain.setting import Parameter, plain
from app.foundation.texts import _
from app.services.explain.importing.questions import FAMILY, METRIC, UNIT

RUN: Final = "run"
BLOCK: Final = "block"
PHASE: Final = "phase"
VALUE: Final = "value"
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
    Condition(
        "concurrency", "count", called=("clients", "threads", "sessions", "users", "user", "virtual users", "vu")
    ),
)
"""Conditions every family understands."""


@dataclass(frozen=True)
class FamilyColumns:
    """The columns one experiment family accepts from a file.

    Attributes:
        family: id of the family.
        metrics: measures settings are compared by; values are converted to their units.
        stand_ins: those they are compared by where none of these was measured.
        parameters: parameters that may be factors, with their limits.
        conditions: columns that tell conditions apart.
        others: measures that only explain; they may be zero.
        swept: conditions that vary within one run, so that rows that differ in them may be the same run.
        title: of the family, as a person knows it; "" for its id.
    """

    family: str
    metrics: tuple[Metric, ...]
    parameters: tuple[Parameter, ...]
    conditions: tuple[Condition, ...] = SERVER_CONDITIONS
    others: tuple[Metric, ...] = ()
    stand_ins: tuple[Metric, ...] = ()
    swept: tuple[str, ...] = ()
    title: str = ""

    def metric(self, name: str) -> Metric | None:
        """Return the metric of that name, in any case and spelling of its words, or None."""
        wanted, metrics = plain(name), (*self.judged_by, *self.others)
        named = (metric for metric in metrics if plain(metric.name) == wanted)
        called = (metric for metric in metrics if wanted in map(plain, metric.called))
        return next(chain(named, called), None)

    @property
    def judged_by(self) -> tuple[Metric, ...]:
        """Return the measures that settings may be compared by."""
        return (*self.metrics, *self.stand_ins)

    def compares_by(self, metric: str) -> bool:
        """Tell whether settings may be compared by a metric."""
        return any(metric == one.name for one in self.judged_by)

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter of that exact name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def condition(self, name: str) -> Condition | None:
        """Return the condition of that exact name, or None."""
        return next((condition for condition in self.conditions if condition.name == name), None)


Families: TypeAlias = Mapping[str, FamilyColumns]
"""What each family accepts, by its id."""


def columns_of(family: ExperimentFamily) -> FamilyColumns:
    """Return a family's columns: its own conditions and swept values, or else its load's numbers and choices."""
    kinds = (ValueKind.WHOLE, ValueKind.NUMBER, ValueKind.CHOICE)
    swept = tuple(Condition(condition.name, condition.unit) for condition in family.swept)
    judged_by = (*family.main_metrics, *family.stand_in_metrics)
    fields = (
        f for f in family.load_fields if f.kind in kinds and f.name not in OPTIONAL
    )  # a file's "source" is another
    load = tuple(Condition(f.name, f.unit, f.choices) for f in fields)
    return FamilyColumns(
        family=family.family_id,
        metrics=family.main_metrics,
        parameters=family.parameters,
        conditions=(*((*family.conditions, *swept) or load), *SERVER_CONDITIONS),
        others=tuple(metric for metric in family.metrics if metric not in judged_by),
        stand_ins=family.stand_in_metrics,
        swept=tuple(condition.name for condition in swept),
        title=family.title,
    )


def quoted(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: in quotes, with commas."""
    return ", ".join(f'"{name}"' for name in names)


class KnownColumns:
    """Every column some family understands.

    Args:
        families: whose columns are meant.

    Attributes:
        parameters: those that may be varied, by name.
        conditions: by name.
        names: of all columns, as a sentence lists them.
        numbers: names of those that hold numbers, the value first.
    """

    def __init__(self, families: Families) -> None:
        accepted = families.values()
        self.parameters = {parameter.name: parameter for family in accepted for parameter in family.parameters}
        standard = (
            *NEEDED,
            *OPTIONAL,
        )  # a condition of the same name, such as the source of a trial's work, stands back
        conditions = (condition for family in accepted for condition in family.conditions)
        self.conditions = {condition.name: condition for condition in conditions if condition.name not in standard}
        self.names = (*standard, *self.parameters, *self.conditions)
        self._exact = frozenset(self.names)
        counted = [parameter.name for parameter in self.parameters.values() if not parameter.choices]
        counted += [condition.name for condition in self.conditions.values() if condition.unit]
        self.numbers = (VALUE, SD, RUNS, REPORTED_ELSEWHERE, BLOCK, *counted)
        declared: tuple[Parameter | Condition, ...] = (*self.parameters.values(), *self.conditions.values())
        called = {plain(word): one.name for one in declared for word in one.called}
        self._by_plain_name = called | {plain(name): name for name in reversed(self.names)}

    def name_of(self, heading: str) -> str:
        """Return the column a heading stands for, "" where there is none; of names that differ in case its own."""
        return heading if heading in self._exact else self._by_plain_name.get(plain(heading), "")

    def choices_of(self, name: str) -> tuple[str, ...]:
        """Return the choices of a parameter or condition, () where it is a number or a text."""
        declared = self.parameters.get(name) or self.conditions.get(name)
        return declared.choices if declared else ()


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return " (did you mean …?)" with the known name most like `name`, or an empty text where none is near."""
    near = nearest(name, names)
    return _(' (did you mean "{name}"?)').format(name=near) if near else ""


def nearest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the known name that is most like `name`, "" where none is near; a higher `cutoff` asks for more."""
    by_plain_name = {plain(entry)[:100]: entry for entry in names}
    near = difflib.get_close_matches(plain(name)[:100], by_plain_name, n=1, cutoff=cutoff)
    return by_plain_name[near[0]] if near else ""
