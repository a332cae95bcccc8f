"""The shape of a plan file, checked by pydantic, and the sentence for a value that does not fit."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.foundation.texts import _

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, lt=1)]
NoLimit = Literal["none"]  # TOML has no null, and a key left out means the default


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class WorkloadTable(_Table):
    """`[workload]` of a family of replication agents."""

    commands_per_transaction: Positive | Annotated[list[Positive], Field(min_length=2, max_length=2)] = 2.5
    commands: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    scenario: Literal["drained", "continuous"] = "drained"
    duration_s: Annotated[float, Field(ge=60, le=86_400)] = 1_800.0
    rate_per_s: Positive | None = None
    agent_pairs: Annotated[int, Field(ge=1, le=64)] = 1


class DesignTable(_Table):
    """`[design]`."""

    stop: Literal["blocks", "race"] = "blocks"
    blocks: Annotated[int, Field(ge=1, le=100)] = 3
    confirm_blocks: Annotated[int, Field(ge=0, le=100)] = 3
    minimum_effect: Share = 0.05
    seed: Annotated[int, Field(ge=0)] = 1
    noise_cv: Share | None = None


class LimitsTable(_Table):
    """`[limits]`."""

    latency_s: Positive | None = None
    pending_commands: Annotated[int, Field(gt=0)] | None = None
    log_used_share: Annotated[float, Field(gt=0, le=1)] | NoLimit = 0.9
    lock_wait_share: Positive | None = None
    free_disk_gb: Positive | NoLimit = 1.0
    trial_duration_s: Positive = 4 * 3600.0
    commit_delay_ms: Positive | None = None
    send_queue_mb: Positive | None = None
    redo_queue_mb: Positive | None = None
    streams_pool_share: Annotated[float, Field(gt=0, le=1)] | NoLimit | None = None


class PlanTables(_Table):
    """A whole plan file; `workload` is read by the family's own fields."""

    family: str
    factors: dict[str, list[int | str]] = Field(min_length=1)
    baseline: dict[str, int | str] = Field(default_factory=dict)
    workload: dict[str, Any] = Field(default_factory=dict)
    design: DesignTable = DesignTable()
    limits: LimitsTable = LimitsTable()


def first_problem(error: ValidationError, table: str = "") -> str:
    """Return one sentence for the first problem: key, what is wrong, what is allowed.

    Args:
        table: the one the problem's keys stand in, where it was not read with the rest.
    """
    problem = error.errors(include_url=False)[0]
    key = _key_of((table, *problem["loc"]) if table else problem["loc"])
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
