"""Plan files (TOML) to plans, every mistake told with file and key, and plans to plan files."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.load import EMPTY_LOAD, Load, complete_load
from app.domain.plan import Design, Factor, Limits, Plan, Scenario, Stop, WorkloadSpec
from app.domain.setting import Setting
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.services.plan.plan_tables import DesignTable, LimitsTable, PlanTables, WorkloadTable, first_problem


def load_plan(path: Path, families: dict[str, ExperimentFamily]) -> Plan:
    """Read a plan file.

    Args:
        families: the known families, by id.

    Raises:
        BadInput: the file cannot be read, is not TOML, has an unknown or wrong key, or names an unknown family or
            parameter, or a value outside the documented limits.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except IsADirectoryError as error:
        raise BadInput(_("{path} is a folder; give the plan file in it").format(path=path)) from error
    except FileNotFoundError as error:
        raise BadInput(_("{path} does not exist; give the path of a plan file (TOML)").format(path=path)) from error
    except UnicodeDecodeError as error:
        raise BadInput(_("{path} is not a text file; a plan is a TOML file in UTF-8").format(path=path)) from error
    except OSError as error:
        raise BadInput(_("{path} cannot be read: {why}").format(path=path, why=error.strerror)) from error
    try:
        content = tomllib.loads(text)
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
    work, load = _load_of(parsed.workload, family, where)
    _check_design(parsed.design, family, where)
    plan = Plan(
        family=parsed.family,
        factors=tuple(Factor(name, tuple(levels)) for name, levels in parsed.factors.items()),
        baseline=Setting.from_mapping(dict(parsed.baseline)),
        workload=work,
        load=load,
        design=Design(
            stop=Stop(parsed.design.stop),
            blocks=parsed.design.blocks,
            confirm_blocks=0 if family.compares_all else parsed.design.confirm_blocks,
            minimum_effect=parsed.design.minimum_effect,
            seed=parsed.design.seed,
            noise_cv=parsed.design.noise_cv,
        ),
        limits=_limits(parsed.limits, family.default_plan().limits),
    )
    check_factors(plan, family, {}, where)
    return plan


def _check_numbers(factors: Mapping[str, list[int | str]], family: ExperimentFamily, where: str) -> None:
    """Say where a text stands among the levels of a parameter that takes numbers."""
    numeric = {knob.name for knob in family.knobs if not knob.choices}
    for name, levels in factors.items():
        for number, level in enumerate(levels, start=1):
            if name in numeric and isinstance(level, str):
                raise BadInput(
                    _('{where}: key "factors.{name}, value {number}" must be a whole number, not {value}').format(
                        where=where, name=name, number=number, value=json.dumps(level)
                    )
                )


def _load_of(given: Mapping[str, Any], family: ExperimentFamily, where: str) -> tuple[WorkloadSpec, Load]:
    """Return what `[workload]` says: fields of the family's own, or the load of the replication agents."""
    if family.load_fields:
        return WorkloadSpec(), complete_load(family.load_fields, given, where)
    try:
        work = WorkloadTable.model_validate(given)
    except ValidationError as error:
        raise BadInput(f"{where}: {first_problem(error, 'workload')}") from error
    default = family.default_plan().workload
    size = work.commands_per_transaction
    low, high = (size[0], size[1]) if isinstance(size, list) else (size, size)
    if low < 1 or high < low:
        raise BadInput(
            _("{where}: commands_per_transaction must be at least 1, the lower number first").format(where=where)
        )
    if "commands_per_transaction" not in work.model_fields_set:
        low, high = default.commands_per_transaction
    spec = WorkloadSpec(
        commands_per_transaction=(low, high),
        commands=work.commands or default.commands,
        scenario=Scenario(work.scenario),
        duration_s=work.duration_s,
        rate_per_s=work.rate_per_s,
        agent_pairs=work.agent_pairs,
    )
    return spec, EMPTY_LOAD


def _check_design(design: DesignTable, family: ExperimentFamily, where: str) -> None:
    """Refuse to race or to confirm a winner where the family picks none."""
    if not family.compares_all:
        return
    if design.stop == "race" or ("confirm_blocks" in design.model_fields_set and design.confirm_blocks > 0):
        raise BadInput(
            _(
                "{where}: {family} compares all its settings in every block and picks no winner; leave stop and "
                "confirm_blocks out of [design] and give blocks"
            ).format(where=where, family=family.family_id)
        )


def _limits(parsed: LimitsTable, usual: Limits) -> Limits:
    """Return the limits of a plan; those its family has by itself stand where the file says nothing of them."""

    def share_or_size(name: str) -> float | None:
        given = getattr(parsed, name)
        if name not in parsed.model_fields_set:
            given = getattr(usual, name)
        return None if given is None or isinstance(given, str) else float(given)

    return Limits(
        latency_s=parsed.latency_s,
        pending_commands=parsed.pending_commands,
        log_used_share=share_or_size("log_used_share"),
        lock_wait_share=parsed.lock_wait_share,
        free_disk_gb=share_or_size("free_disk_gb"),
        trial_duration_s=parsed.trial_duration_s,
        commit_delay_ms=parsed.commit_delay_ms,
        send_queue_mb=parsed.send_queue_mb,
        redo_queue_mb=parsed.redo_queue_mb,
        streams_pool_share=share_or_size("streams_pool_share"),
    )


def save_plan(path: Path, plan: Plan) -> None:
    """Write a plan file that `load_plan` reads back as the same plan.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(path, dump_plan(plan).encode("utf-8"))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another folder").format(path=path, why=error.strerror)
        ) from error


def dump_plan(plan: Plan) -> str:
    """Return a plan as the text of a plan file; every value stands in it, also where it is the default."""
    work, design, limits = plan.workload, plan.design, plan.limits
    low, high = work.commands_per_transaction
    tables: dict[str, dict[str, object]] = {
        "factors": {factor.name: list(factor.levels) for factor in plan.factors},
        "baseline": dict(plan.baseline),
        "workload": dict(plan.load)
        or {
            "scenario": str(work.scenario),
            "commands_per_transaction": low if low == high else [low, high],
            "commands": work.commands,
            "duration_s": work.duration_s,
            "rate_per_s": work.rate_per_s,
            "agent_pairs": work.agent_pairs,
        },
        "design": {
            "stop": str(design.stop),
            "blocks": design.blocks,
            "confirm_blocks": design.confirm_blocks,
            "minimum_effect": design.minimum_effect,
            "seed": design.seed,
            "noise_cv": design.noise_cv,
        },
        "limits": {
            "latency_s": limits.latency_s,
            "pending_commands": limits.pending_commands,
            "log_used_share": "none" if limits.log_used_share is None else limits.log_used_share,
            "lock_wait_share": limits.lock_wait_share,
            "free_disk_gb": "none" if limits.free_disk_gb is None else limits.free_disk_gb,
            "trial_duration_s": limits.trial_duration_s,
            "commit_delay_ms": limits.commit_delay_ms,
            "send_queue_mb": limits.send_queue_mb,
            "redo_queue_mb": limits.redo_queue_mb,
            "streams_pool_share": _pool_share(plan),
        },
    }
    lines = [f"family = {json.dumps(plan.family)}"]
    for title, entries in tables.items():
        # JSON and TOML write these values alike: whole numbers, finite decimals, strings, lists of them.
        kept = [f"{key} = {json.dumps(value)}" for key, value in entries.items() if value is not None]
        lines += ["", f"[{title}]", *kept]
    return "\n".join(lines) + "\n"


def _pool_share(plan: Plan) -> float | str | None:
    """Return the limit on the Streams pool; one a family has by itself and this plan has not is written as none."""
    is_of_agents = not plan.load or plan.limits.log_used_share is not None
    return None if plan.limits.streams_pool_share is None and is_of_agents else plan.limits.streams_pool_share or "none"


def check_factors(
    plan: Plan, family: ExperimentFamily, limits: dict[str, tuple[int | None, int | None]], where: str
) -> None:
    """Raise BadInput where a factor or baseline of the plan cannot be set.

    Args:
        limits: the server's own limits by parameter name; a missing one leaves the documented limits.
        where: file or form the plan comes from.
    """
    knobs = {knob.name: knob for knob in family.knobs}
    if len(plan.factors) > 2:
        raise BadInput(
            _("{where}: a plan varies one or two parameters, not {n}").format(where=where, n=len(plan.factors))
        )
    for factor in plan.factors:
        if factor.name not in knobs:
            raise BadInput(
                _('{where}: "{name}" is not a parameter of {family}; it can vary {known}').format(
                    where=where, name=factor.name, family=family.family_id, known=", ".join(knobs)
                )
            )
        if len(set(factor.levels)) < 2 or len(set(factor.levels)) != len(factor.levels):
            raise BadInput(
                _("{where}: {name} needs at least two different values, each once").format(
                    where=where, name=factor.name
                )
            )
        for level in factor.levels:
            knobs[factor.name].check(level, where)
            _check_server_limits(factor.name, level, limits.get(factor.name), where)
    names = {factor.name for factor in plan.factors}
    for name, value in plan.baseline.items():
        if name not in names:
            raise BadInput(
                _('{where}: the baseline names "{name}", which is not among the factors').format(where=where, name=name)
            )
        knobs[name].check(value, where)


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
