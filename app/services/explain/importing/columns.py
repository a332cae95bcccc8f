"""The columns of a measurement file: those each experiment family accepts, and which heading is which."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

from app.domain.condition import Condition
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.measurement import Metric
from app.domain.plan_field import ValueKind
from app.domain.setting import Parameter, plain
from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText, quotable

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
    Condition("concurrency", "count", called=("clients", "threads", "sessions", "users", "virtual users")),
)
"""Conditions every family understands."""


@dataclass(frozen=True)
class FamilyColumns:
    """The columns one experiment family accepts from a file.

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
        wanted, metrics = plain(name), (*self.metrics, *self.others)
        named = (metric for metric in metrics if plain(metric.name) == wanted)
        called = (metric for metric in metrics if wanted in map(plain, metric.called))
        return next(chain(named, called), None)

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
    load = tuple(Condition(f.name, f.unit, f.choices) for f in family.load_fields if f.kind in kinds)
    return FamilyColumns(
        family=family.family_id,
        metrics=family.main_metrics,
        parameters=family.parameters,
        conditions=(*((*family.conditions, *swept) or load), *SERVER_CONDITIONS),
        others=tuple(metric for metric in family.metrics if metric not in family.main_metrics),
        swept=tuple(condition.name for condition in swept),
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
        self.conditions = {condition.name: condition for family in accepted for condition in family.conditions}
        self.names = (*NEEDED, *OPTIONAL, *self.parameters, *self.conditions)
        counted = [parameter.name for parameter in self.parameters.values() if not parameter.choices]
        counted += [condition.name for condition in self.conditions.values() if condition.unit]
        self.numbers = (VALUE, SD, RUNS, REPORTED_ELSEWHERE, BLOCK, *counted)
        declared: tuple[Parameter | Condition, ...] = (*self.parameters.values(), *self.conditions.values())
        called = {plain(word): one.name for one in declared for word in one.called}
        self._by_plain_name = called | {plain(name): name for name in reversed(self.names)}

    def name_of(self, heading: str) -> str:
        """Return the column a heading stands for, "" where there is none."""
        return self._by_plain_name.get(plain(heading), "")

    def is_heading(self, fields: Sequence[str]) -> bool:
        """Tell whether fields name at least two columns."""
        return sum(bool(self.name_of(field)) for field in fields) > 1

    def match(self, source: SourceText, headings: Sequence[str], line: int = 0) -> dict[str, str]:
        """Return the headings of a file by the names of the columns they stand for.

        Args:
            source: of the headings.
            headings: in the file's order.
            line: where they stand, 0 where they are keys of JSON.

        Raises:
            BadInput: a needed column is missing, or a heading is empty, unknown, or there twice.
        """
        present = quoted(map(quotable, headings[:12])) + (", …" if len(headings) > 12 else "")
        names = [self.name_of(heading) for heading in headings]
        missing = [name for name in NEEDED if name not in names]
        if missing:
            sentence = _("needed and missing: {missing}; present: {present}{hint}")
            hint = self._is_meant(missing[0], headings)
            words = {"missing": quoted(missing), "present": present or _("nothing"), "hint": hint}
            raise source.refusal(sentence, line, **words)
        heading_by_name: dict[str, str] = {}
        for position, (name, heading) in enumerate(zip(names, headings, strict=True), start=1):
            if not name:
                raise self._unknown(source, line, position, heading)
            if name in heading_by_name:
                sentence = _('the columns "{first}" and "{second}" are the same; remove one')
                raise source.refusal(sentence, line, first=heading_by_name[name], second=heading)
            heading_by_name[name] = heading
        if heading_by_name.keys().isdisjoint(self.parameters):
            sentence = _("there is no column for a parameter; name at least one of {known}; present: {present}")
            raise source.refusal(sentence, line, known=quoted(self.parameters), present=present)
        return heading_by_name

    def _is_meant(self, missing: str, headings: Sequence[str]) -> str:
        """Return the question whether an unknown heading is meant to be a missing column, "" where none may be."""
        meant = nearest(missing, [heading for heading in headings if not self.name_of(heading)])
        question = _(' (is "{heading}" meant to be "{name}"?)').format(heading=quotable(meant), name=missing)
        return question if meant else ""

    def _unknown(self, source: SourceText, line: int, position: int, heading: str) -> BadInput:
        if not heading.strip():
            return source.refusal(_("column {number} has no heading; name or remove it"), line, number=position)
        sentence = _('the column "{heading}" is not known{hint}; known columns are {known}')
        hint, known = did_you_mean(heading, self.names), ", ".join(self.names)
        return source.refusal(sentence, line, heading=quotable(heading), hint=hint, known=known)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return " (did you mean …?)" with the known name most like `name`, or an empty text where none is near."""
    near = nearest(name, names)
    return _(' (did you mean "{name}"?)').format(name=near) if near else ""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the known name that is most like `name`, "" where none is near."""
    by_plain_name = {plain(entry)[:100]: entry for entry in names}
    near = difflib.get_close_matches(plain(name)[:100], by_plain_name, n=1, cutoff=0.6)
    return by_plain_name[near[0]] if near else ""
