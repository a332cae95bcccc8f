"""The shape of a plan file, checked by pydantic, and the sentence for a value that does not fit."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.plan_field import as_written
from app.foundation.texts import _


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlanTables(_Table):
    """A whole plan file; the last three tables are read by the fields declared for them."""

    family: str
    factors: dict[str, list[int | str]] = Field(min_length=1)
    baseline: dict[str, int | str] = Field(default_factory=dict)
    workload: dict[str, Any] = Field(default_factory=dict)
    design: dict[str, Any] = Field(default_factory=dict)
    limits: dict[str, Any] = Field(default_factory=dict)


def first_problem(error: ValidationError) -> str:
    """Return one sentence for the first problem: key, mistake, and allowed values."""
    problem = error.errors(include_url=False)[0]
    key = _key_of(problem["loc"])
    if problem["type"] == "extra_forbidden":
        return _('key "{key}" is unknown; remove it or correct its spelling').format(key=key)
    if problem["type"] == "missing":
        return _('key "{key}" is missing; a plan needs it').format(key=key)
    return _('key "{key}" must be {what}, not {value}').format(
        key=key, what=_wanted(problem["type"]), value=as_written(problem["input"])
    )


def _key_of(location: Sequence[str | int]) -> str:
    """Return where a problem is as a person finds it, without the names of the alternatives tried there."""
    names = [part for part in location[:2] if isinstance(part, str)]
    numbers = [part for part in location[:3] if isinstance(part, int)]
    key = ".".join(names)
    return _("{key}, value {number}").format(key=key, number=numbers[0] + 1) if numbers else key


def _wanted(problem: str) -> str:
    """Return the values a key takes."""
    kinds = (
        ("int", _("a whole number")),
        ("list", _("a list such as [1, 8]")),
        ("string", _("a text in quotes")),
        ("model", _("a table of keys")),
        ("dict", _("a table of keys")),
        ("too_short", _("a table with at least one parameter")),
    )
    return next((text for start, text in kinds if problem.startswith(start)), _("a number"))
