"""Scenario files of every kind: their common base, reading, checking, and which of them are shipped."""

import re
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import BadInput
from app.foundation.paths import resource_path
from app.foundation.texts import _

Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class ScenarioKind(StrEnum):
    """What a scenario simulates; the key `kind` of its file, replication where it is absent."""

    REPLICATION = "replication"
    AVAILABILITY = "availability"
    STREAMS = "streams"


class Section(BaseModel):
    """Base of every section: no unknown key, no NaN or infinity, no silent conversion, frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


ScenarioT = TypeVar("ScenarioT", bound=Section)


def scenario_kind(path: Path) -> ScenarioKind:
    """Return the kind a scenario file names.

    Raises:
        BadInput: it cannot be read, is not TOML, or names an unknown kind.
    """
    named = read_content(path).get("kind", ScenarioKind.REPLICATION.value)
    try:
        return ScenarioKind(str(named))
    except ValueError as error:
        raise BadInput(
            _('{path}: kind = "{named}" is unknown; it is one of {known}').format(
                path=path, named=named, known=", ".join(ScenarioKind)
            )
        ) from error


def shipped_names(kind: ScenarioKind) -> tuple[str, ...]:
    """Return the names of the shipped scenarios of one kind, sorted."""
    files = resource_path("lab").glob("*.toml")
    return tuple(sorted(path.stem for path in files if scenario_kind(path) is kind))


def shipped_path(name: str, kind: ScenarioKind) -> Path:
    """Return the file of a shipped scenario of one kind.

    Raises:
        BadInput: no scenario of that name is shipped.
    """
    known = shipped_names(kind)
    if name not in known:
        raise BadInput(
            _('scenario "{name}" does not exist; shipped are {known}').format(name=name, known=", ".join(known))
        )
    return resource_path("lab", f"{name}.toml")


def read_content(path: Path) -> dict[str, object]:
    """Return what a TOML file holds.

    Raises:
        BadInput: it cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(_("{path} is not valid TOML: {why}").format(path=path, why=error)) from error


def check_content(content: dict[str, object], path: Path, model: type[ScenarioT]) -> ScenarioT:
    """Return the scenario that the content of a file describes.

    Raises:
        BadInput: a constant is missing, unknown, negative or of the wrong type; the message names file and key.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise BadInput(_first_problem(path, error)) from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(_("scenario {path} cannot be read: {why}").format(path=path, why=why)) from error
    except UnicodeDecodeError as error:
        raise BadInput(_("{path} is not a text file; a scenario is a TOML file in UTF-8").format(path=path)) from error


def _first_problem(path: Path, error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return _('{path}: constant "{key}" is missing; add it with a value').format(path=path, key=key)
    if problem["type"] == "extra_forbidden":
        return _('{path}: constant "{key}" is unknown; remove it or correct its name').format(path=path, key=key)
    if not key:  # a rule about the whole file; its sentence says what it is about
        return _("{path}: {why}").format(path=path, why=problem["msg"].removeprefix("Value error, "))
    why = re.sub(r"^Input", _("it"), problem["msg"])
    return _('{path}: constant "{key}" = {value!r} cannot be used: {why}').format(
        path=path, key=key, value=problem["input"], why=why
    )
