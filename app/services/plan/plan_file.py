"""Plan files (TOML) to plans, every mistake told with file and key, and plans to plan files."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.limits import COMMON_LIMITS, Limits, number_of
from app.domain.limits import TABLE as LIMITS_TABLE
from app.domain.load import TABLE as LOAD_TABLE
from app.domain.load import Load, complete_load
from app.domain.plan import DESIGN_FIELDS, DESIGN_TABLE, Design, Factor, Plan, Stop
from app.domain.plan_field import NONE, PlanField, PlanValue, read_values, refuse_unknown
from app.domain.setting import Parameter, Setting
from app.domain.work_source import SCENARIO, SOURCE, WINDOWS, WorkSource, is_in_windows
from app.foundation.files import write_atomically
from app.foundation.input_file import read_text, toml_of
from app.foundation.texts import _
from app.services.plan.plan_tables import PlanTables, first_problem


def load_plan(path: Path, families: dict[str, ExperimentFamily]) -> Plan:
    """Read a plan file.

    Args:
        families: the known families, by id.

    Raises:
        BadInput: the file cannot be read, is not TOML, has an unknown or wrong key, or names an unknown family or
            parameter, or a value outside the documented limits.
    """
    try:
        text = read_text(path)
    except IsADirectoryError as error:
        raise BadInput(_("{path} is a folder; give the plan file in it").format(path=path)) from error
    except FileNotFoundError as error:
        raise BadInput(_("{path} does not exist; give the path of a plan file (TOML)").format(path=path)) from error
    except UnicodeDecodeError as error:
        raise BadInput(_("{path} is not a text file; a plan is a TOML file in UTF-8").format(path=path)) from error
    except OSError as error:
        raise BadInput(_("{path} cannot be read: {why}").format(path=path, why=error.strerror)) from error
    try:
        content = toml_of(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(_("{path} is not valid TOML: {why}").format(path=path, why=error)) from error
    try:
        parsed = PlanTables.model_validate(content)
    except ValidationError as error:
        raise BadInput(f"{path}: {first_problem(error)}") from error
    return _to_plan(parsed, families, str(path))


def _to_plan(parsed: PlanTables, families: dict[str, ExperimentFamily], where: str) -> Plan:
    family = families.get(parsed.family)
    if family is None:
        raise BadInput(
            _('{where}: unknown family "{family}"; known families are {known}').format(
                where=where, family=parsed.family, known=", ".join(sorted(families))
            )
        )
    _check_numbers(parsed.factors, family, where)
    load = _in_windows(complete_load(family.load_fields, parsed.workload, where), parsed.workload, family)
    plan = Plan(
        family=parsed.family,
        factors=tuple(Factor(name, tuple(levels)) for name, levels in parsed.factors.items()),
        baseline=Setting.from_mapping(dict(parsed.baseline)),
        load=load,
        design=_design(parsed.design, family, load, where),
        limits=_limits(parsed.limits, family, families.values(), where),
    )
    check_factors(plan, family, {}, where)
    return plan


def _in_windows(load: Load, given: Mapping[str, Any], family: ExperimentFamily) -> Load:
    """Return a load whose test table is written once, for windows, where it is asked for by name and no trials are."""
    offers = any(field.name == SCENARIO and WINDOWS in field.choices for field in family.load_fields)
    is_meant = given.get(SOURCE) == WorkSource.TEST_TABLE and SCENARIO not in given
    return load.but(**{SCENARIO: WINDOWS}) if offers and is_meant else load


def _check_numbers(factors: Mapping[str, list[int | str]], family: ExperimentFamily, where: str) -> None:
    """Say where a text stands among the levels of a parameter that takes numbers."""
    numeric = {parameter.name for parameter in family.parameters if not parameter.choices}
    for name, levels in factors.items():
        for number, level in enumerate(levels, start=1):
            if name in numeric and isinstance(level, str):
                raise BadInput(
                    _('{where}: key "factors.{name}, value {number}" must be a whole number, not {value}').format(
                        where=where, name=name, number=number, value=json.dumps(level)
                    )
                )


def _design(given: Mapping[str, Any], family: ExperimentFamily, load: Load, where: str) -> Design:
    """Return the design of `[design]`; racing and confirming are refused where the family picks no winner."""
    refuse_unknown(DESIGN_FIELDS, given, DESIGN_TABLE, where)
    in_windows = is_in_windows(load)
    if "most_pairs" in given and not in_windows:
        raise BadInput(
            _(
                "{where}: most_pairs counts windows on one backlog, and this plan runs trials; leave it "
                "out of [design] and give confirm_blocks"
            ).format(where=where)
        )
    design = Design.from_mapping(read_values(DESIGN_FIELDS, given, where))
    if "stop" in given:
        design = replace(design.on(in_windows=in_windows), stop=design.stop)
    elif in_windows and not family.compares_all:
        design = replace(design.on(in_windows=True), stop=Stop.MODEL)
    if not family.compares_all:
        return design
    if design.stop is not Stop.BLOCKS or given.get("confirm_blocks", 0) > 0 or given.get("further_blocks", 0) > 0:
        raise BadInput(
            _(
                "{where}: {family} compares all its settings in every block and picks no winner; leave stop, "
                "confirm_blocks and further_blocks out of [design] and give blocks"
            ).format(where=where, family=family.family_id)
        )
    return replace(design, confirm_blocks=0, further_blocks=0)


def _limits(
    given: Mapping[str, Any], family: ExperimentFamily, families: Iterable[ExperimentFamily], where: str
) -> Limits:
    """Return the limits of `[limits]`; the family's own stand where the file gives none.

    Limits of other families are known as well: a plan may be kept for several questions.
    """
    field_by_name = {field.name: field for field in COMMON_LIMITS}
    field_by_name |= {field.name: field for other in families for field in other.limit_fields}
    field_by_name |= {field.name: field for field in family.limit_fields}
    refuse_unknown(field_by_name.values(), given, LIMITS_TABLE, where)
    own = {field.name for field in family.limit_fields}
    fields = tuple(field for field in field_by_name.values() if field.name in own or field.name in given)
    return Limits.from_mapping({name: number_of(value) for name, value in read_values(fields, given, where).items()})


def save_plan(path: Path, plan: Plan, family: ExperimentFamily) -> None:
    """Write a plan file that `load_plan` reads back as the same plan.

    Args:
        family: the plan's.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(path, dump_plan(plan, family).encode("utf-8"))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another folder").format(path=path, why=error.strerror)
        ) from error


def dump_plan(plan: Plan, family: ExperimentFamily) -> str:
    """Return a plan as the text of a plan file; every value stands in it, also where it is the default."""
    tables: dict[str, dict[str, object]] = {
        "factors": {factor.name: list(factor.levels) for factor in plan.factors},
        "baseline": dict(plan.baseline),
        LOAD_TABLE: _in_file(plan.load, family.load_fields),
        DESIGN_TABLE: {field.name: getattr(plan.design, field.name) for field in DESIGN_FIELDS},
        LIMITS_TABLE: {
            **{field.name: NONE if field.may_be_none else None for field in family.limit_fields},
            **_in_file(plan.limits, family.limit_fields),
        },
    }
    lines = [f"family = {json.dumps(plan.family)}"]
    for title, entries in tables.items():
        # JSON and TOML write these values alike: whole numbers, finite decimals, strings, lists of them.
        kept = [f"{key} = {json.dumps(value)}" for key, value in entries.items() if value is not None]
        lines += ["", f"[{title}]", *kept]
    return "\n".join(lines) + "\n"


def _in_file(values: Mapping[str, PlanValue], fields: Iterable[PlanField]) -> dict[str, object]:
    """Return values as they stand in a plan file; one without a field as it is."""
    by_name = {field.name: field for field in fields}
    return {name: by_name[name].as_in_file(value) if name in by_name else value for name, value in values.items()}


def _check_levels(
    factor: Factor, parameter: Parameter, limits: tuple[int | None, int | None] | None, where: str
) -> None:
    if len(set(factor.levels)) < 2 or len(set(factor.levels)) != len(factor.levels):
        sentence = _("{where}: {name} needs at least two different values, each once")
        raise BadInput(sentence.format(where=where, name=factor.name))
    for level in factor.levels:
        parameter.check(level, where)
        _check_server_limits(factor.name, level, limits, where)


def check_factors(
    plan: Plan, family: ExperimentFamily, limits: dict[str, tuple[int | None, int | None]], where: str
) -> None:
    """Raise BadInput where a factor or baseline of the plan cannot be set.

    Args:
        limits: the server's own limits by parameter name; a missing one leaves the documented limits.
        where: file or form the plan comes from.
    """
    parameters = {parameter.name: parameter for parameter in family.parameters}
    if len(plan.factors) > 2:
        raise BadInput(
            _("{where}: a plan varies one or two parameters, not {n}").format(where=where, n=len(plan.factors))
        )
    for factor in plan.factors:
        if factor.name not in parameters:
            raise BadInput(
                _('{where}: "{name}" is not a parameter of {family}; it can vary {known}').format(
                    where=where, name=factor.name, family=family.family_id, known=", ".join(parameters)
                )
            )
        _check_levels(factor, parameters[factor.name], limits.get(factor.name), where)
    names = {factor.name for factor in plan.factors}
    for name, value in plan.baseline.items():
        if name not in names:
            raise BadInput(
                _('{where}: the baseline names "{name}", which is not among the factors').format(where=where, name=name)
            )
        parameters[name].check(value, where)


def _check_server_limits(name: str, value: object, limit: tuple[int | None, int | None] | None, where: str) -> None:
    if limit is None or not isinstance(value, int):
        return
    low, high = limit
    if (low is not None and value < low) or (high is not None and value > high):
        raise BadInput(
            _("{where}: {name} = {value} is outside this server's own limits, {low} to {high}").format(
                where=where,
                name=name,
                value=value,
                low="-∞" if low is None else low,
                high="∞" if high is None else high,
            )
        )
