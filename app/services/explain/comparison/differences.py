"""Differences between two sides: the plan, and the servers with the parameters in effect when each began."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.domain.decision import DecisionKind
from app.domain.plan import DESIGN_FIELDS, Plan
from app.domain.plan_field import PlanField, PlanValue, ValueKind
from app.domain.session import Environment
from app.domain.setting import Value, typed_text
from app.domain.system import System
from app.foundation.texts import _, local_number
from app.services.explain.comparison.sides import Side


@dataclass(frozen=True)
class Difference:
    """One thing that differs; a text is "" where a side does not have it.

    Attributes:
        where: what it belongs to: the plan, a server, a part of a system …
    """

    where: str
    name: str
    first: str
    second: str


@dataclass(frozen=True)
class AppliedChange:
    """A recommendation of the first side whose value was in effect when the second began."""

    parameter: str
    before: str
    after: str
    finding: str


def differences(
    first: Side, second: Side, load_fields: tuple[PlanField, ...], systems: Sequence[System]
) -> tuple[Difference, ...]:
    """Return the differences between two sides of a family, plan first.

    Args:
        load_fields: what plans of the family say about the load.
        systems: those that tell what was set.
    """
    ours, theirs = _facts(first, load_fields, systems), _facts(second, load_fields, systems)
    keys = dict.fromkeys((*ours, *theirs))
    return tuple(
        Difference(where, name, ours.get((where, name), ""), theirs.get((where, name), ""))
        for where, name in keys
        if ours.get((where, name), "") != theirs.get((where, name), "")
    )


def applied_changes(first: Side, second: Side, systems: Sequence[System]) -> tuple[AppliedChange, ...]:
    """Return the changes the first side decided on that were in effect when the second began, and not before.

    A value that a rule names and no decision sets was not recommended. Both must know the parameters in effect; what
    else changed between the two days they cannot tell.
    """
    before, after = _parameters(first.environment, systems), _parameters(second.environment, systems)
    change_by_place: dict[tuple[str, str], AppliedChange] = {}
    decided = (part for one in first.decisions if one.kind is DecisionKind.CHANGE for part in one.parts)
    for part in decided:
        if part.to_value is None:
            continue
        wanted = typed_text(part.to_value)
        for (where, name), value in after.items():
            old = before.get((where, name))
            if name == part.parameter and value == wanted and old not in (None, wanted):
                change_by_place.setdefault((where, name), AppliedChange(name, str(old), value, part.finding.title))
    return tuple(dict.fromkeys(change_by_place.values()))


def _facts(side: Side, load_fields: tuple[PlanField, ...], systems: Sequence[System]) -> Mapping[tuple[str, str], str]:
    facts: dict[tuple[str, str], str] = {}
    if side.plan is not None:
        facts |= {(_("plan"), name): value for name, value in _plan_facts(side.plan, load_fields)}
    facts[(_("run"), _("target"))] = side.target
    if side.environment is not None:
        facts |= dict(_environment_facts(side.environment, systems))
    return facts


def _plan_facts(plan: Plan, load_fields: tuple[PlanField, ...]) -> Iterator[tuple[str, str]]:
    for factor in plan.factors:
        yield factor.name, ", ".join(map(str, factor.levels))
    yield _("baseline"), plan.baseline.label()
    yield from load_facts(plan, load_fields)
    for field in DESIGN_FIELDS:
        if field.compared_as:
            yield field.compared_as, _shown(getattr(plan.design, field.name))


def load_facts(plan: Plan, load_fields: tuple[PlanField, ...]) -> Iterator[tuple[str, str]]:
    """Yield title and value of each load field by which two plans are compared."""
    has_words = any(field.compared_as for field in load_fields)
    for field in sorted(load_fields, key=lambda field: field.name):
        title = field.compared_as if has_words else field.name
        if title and field.name in plan.load:
            yield title, _listed(field, plan.load[field.name])


def _environment_facts(environment: Environment, systems: Sequence[System]) -> Iterator[tuple[tuple[str, str], str]]:
    for system in systems:
        yield from system.kept_settings(environment).by_place().items()
    for name, value, unit in environment.facts:
        yield (_("environment"), name), f"{value} {unit}".strip()


def _parameters(environment: Environment | None, systems: Sequence[System]) -> dict[tuple[str, str], str]:
    """Return the parameters in effect, by place and name."""
    if environment is None:
        return {}
    return {key: value for system in systems for key, value in system.kept_settings(environment).parameters.items()}


def _listed(field: PlanField, value: PlanValue) -> str:
    if not isinstance(value, tuple):
        return _shown(value)
    is_range = field.kind is ValueKind.RANGE
    return "–".join(map(_shown, dict.fromkeys(value))) if is_range else ", ".join(map(str, value))


def _shown(value: Value | float) -> str:
    return value if isinstance(value, str) else local_number(f"{value:,.12g}")
