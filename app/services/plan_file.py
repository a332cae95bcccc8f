"""Plan files (TOML) to plans, every mistake told with file and key, and plans to plan files."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.plan import Design, Factor, Limits, Plan, Scenario, Stop, WorkloadSpec
from app.domain.setting import Setting
from app.foundation.files import write_atomically
from app.foundation.texts import _

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, lt=1)]
NoLimit = Literal["none"]  # TOML has no null, and a key left out means the default


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Workload(_Table):
    commands_per_transaction: Positive | Annotated[list[Positive], Field(min_length=2, max_length=2)] = 2.5
    commands: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    scenario: Literal["drained", "continuous"] = "drained"
    duration_s: Annotated[float, Field(ge=60, le=86_400)] = 1_800.0
    rate_per_s: Positive | None = None
    agent_pairs: Annotated[int, Field(ge=1, le=64)] = 1


class _Design(_Table):
    stop: Literal["blocks", "race"] = "blocks"
    blocks: Annotated[int, Field(ge=1, le=100)] = 3
    confirm_blocks: Annotated[int, Field(ge=0, le=100)] = 3
    minimum_effect: Share = 0.05
    seed: Annotated[int, Field(ge=0)] = 1
    noise_cv: Share | None = None


class _Limits(_Table):
    latency_s: Positive | None = None
    pending_commands: Annotated[int, Field(gt=0)] | None = None
    log_used_share: Annotated[float, Field(gt=0, le=1)] | NoLimit = 0.9
    lock_wait_share: Positive | None = None
    free_disk_gb: Positive | NoLimit = 1.0
    trial_duration_s: Positive = 4 * 3600.0


class _PlanFile(_Table):
    family: str
    factors: dict[str, list[int]] = Field(min_length=1)
    baseline: dict[str, int] = Field(default_factory=dict)
    workload: _Workload = _Workload()
    design: _Design = _Design()
    limits: _Limits = _Limits()


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
        parsed = _PlanFile.model_validate(content)
    except ValidationError as error:
        raise BadInput(f"{path}: {_first_problem(error)}") from error
    return _to_plan(parsed, families, str(path))


def _first_problem(error: ValidationError) -> str:
    """Return one sentence for the first problem: key, what is wrong, what is allowed."""
    problem = error.errors(include_url=False)[0]
    key = _key_of(problem["loc"])
    if problem["type"] == "extra_forbidden":
        return _('key "{key}" is unknown; remove it or correct its spelling').format(key=key)
    if problem["type"] == "missing":
        return _('key "{key}" is missing; a plan needs it').format(key=key)
    return _('key "{key}" must be {what}, not {value}').format(
        key=key, what=_wanted(key, problem["type"], problem.get("ctx", {})), value=_as_written(problem["input"])
    )


def _key_of(location: Sequence[str | int]) -> str:
    """Return where a problem is as a person finds it, without the names of the alternatives tried there."""
    names = [part for part in location[:2] if isinstance(part, str)]
    numbers = [part for part in location[:3] if isinstance(part, int)]
    key = ".".join(names)
    return _("{key}, value {number}").format(key=key, number=numbers[0] + 1) if numbers else key


def _wanted(key: str, problem: str, bounds: Mapping[str, object]) -> str:
    """Return what a key takes."""
    if key.startswith("workload.commands_per_transaction") and problem != "greater_than":
        return _("a number, or the lowest and the highest such as [500, 1000]")
    kinds = (
        ("int", _("a whole number")),
        ("list", _("a list such as [1, 8]")),
        ("string", _("a text in quotes")),
        ("model", _("a table of keys")),
        ("dict", _("a table of keys")),
        ("greater_than_equal", _("at least {ge}")),
        ("greater_than", _("greater than {gt}")),
        ("less_than_equal", _("at most {le}")),
        ("less_than", _("less than {lt}")),
        ("literal", "{expected}"),
        ("too_short", _("a table with at least one parameter")),
    )
    found = next((text for start, text in kinds if problem.startswith(start)), _("a number"))
    return found.format(**bounds)


def _as_written(value: object) -> str:
    """Return a value as it stands in TOML, shortened where it is long."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _to_plan(parsed: _PlanFile, families: dict[str, ExperimentFamily], where: str) -> Plan:
    family = families.get(parsed.family)
    if family is None:
        raise BadInput(
            _('{where}: unknown family "{family}"; known families are {known}').format(
                where=where, family=parsed.family, known=", ".join(sorted(families))
            )
        )
    default = family.default_plan()
    work = parsed.workload
    size = work.commands_per_transaction
    low, high = (size[0], size[1]) if isinstance(size, list) else (size, size)
    if low < 1 or high < low:
        raise BadInput(
            _("{where}: commands_per_transaction must be at least 1, the lower number first").format(where=where)
        )
    if "commands_per_transaction" not in work.model_fields_set:
        low, high = default.workload.commands_per_transaction
    plan = Plan(
        family=parsed.family,
        factors=tuple(Factor(name, tuple(levels)) for name, levels in parsed.factors.items()),
        baseline=Setting.from_mapping(dict(parsed.baseline)),
        workload=WorkloadSpec(
            commands_per_transaction=(low, high),
            commands=work.commands or default.workload.commands,
            scenario=Scenario(work.scenario),
            duration_s=work.duration_s,
            rate_per_s=work.rate_per_s,
            agent_pairs=work.agent_pairs,
        ),
        design=Design(
            stop=Stop(parsed.design.stop),
            blocks=parsed.design.blocks,
            confirm_blocks=parsed.design.confirm_blocks,
            minimum_effect=parsed.design.minimum_effect,
            seed=parsed.design.seed,
            noise_cv=parsed.design.noise_cv,
        ),
        limits=_limits(parsed.limits),
    )
    check_factors(plan, family, {}, where)
    return plan


def _limits(parsed: _Limits) -> Limits:
    return Limits(
        latency_s=parsed.latency_s,
        pending_commands=parsed.pending_commands,
        log_used_share=None if isinstance(parsed.log_used_share, str) else parsed.log_used_share,
        lock_wait_share=parsed.lock_wait_share,
        free_disk_gb=None if isinstance(parsed.free_disk_gb, str) else parsed.free_disk_gb,
        trial_duration_s=parsed.trial_duration_s,
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
        "workload": {
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
        },
    }
    lines = [f"family = {json.dumps(plan.family)}"]
    for title, entries in tables.items():
        # JSON and TOML write these values alike: whole numbers, finite decimals, lists of them, plain strings.
        kept = [f"{key} = {json.dumps(value)}" for key, value in entries.items() if value is not None]
        lines += ["", f"[{title}]", *kept]
    return "\n".join(lines) + "\n"


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
