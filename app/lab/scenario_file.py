"""Scenario files of every kind: their common base, reading, checking, and which of them are shipped."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import BadInput
from app.foundation.input_file import read_text, toml_of
from app.foundation.paths import lab_folders
from app.foundation.texts import _

Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class Section(BaseModel):
    """Base of every section: no unknown key, no NaN or infinity, no silent conversion, frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class TitledScenario(Section):
    """Base of a whole scenario file; units are in the keys' names, sources beside the values in the file.

    Attributes:
        name: short name, the file's stem for the shipped ones.
        title: one sentence for a person.
        shows: what can be learned of it, one sentence for a person.
        is_met_first: a newcomer is offered it before all others.
    """

    name: str
    title: str
    shows: str = ""
    is_met_first: bool = False


ScenarioT = TypeVar("ScenarioT", bound=Section)


def scenario_kind(path: Path) -> str:
    """Return the kind a scenario file names, which says which system it simulates; "" where it names none.

    Raises:
        BadInput: it cannot be read, or is not TOML.
    """
    return str(read_content(path).get("kind", ""))


def shipped_scenarios() -> Mapping[str, Path]:
    """Return the scenario files that can be named without their path, by name, sorted."""
    files = (path for folder in lab_folders() for path in folder.glob("*.toml"))
    return dict(sorted((path.stem, path) for path in files))


def shipped_names(kind: str) -> tuple[str, ...]:
    """Return the names of the shipped scenarios of one kind, sorted."""
    return tuple(name for name, path in shipped_scenarios().items() if scenario_kind(path) == kind)


def shipped_path(name: str, kind: str) -> Path:
    """Return the file of a shipped scenario of one kind.

    Raises:
        BadInput: no scenario of that name is shipped.
    """
    path = shipped_scenarios().get(name)
    if path is None or scenario_kind(path) != kind:
        known = ", ".join(shipped_names(kind))
        raise BadInput(_('scenario "{name}" does not exist; shipped are {known}').format(name=name, known=known))
    return path


def short_name(path: Path) -> str:
    """Return a target's name for a scenario: its own where it is shipped, else its path."""
    return path.stem if shipped_scenarios().get(path.stem, Path()).resolve() == path.resolve() else str(path)


def read_content(path: Path) -> dict[str, object]:
    """Return the content of a TOML file.

    Raises:
        BadInput: it cannot be read or is not TOML.
    """
    try:
        return toml_of(_read_text(path))
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


@dataclass(frozen=True)
class ScenarioKind(Generic[ScenarioT]):
    """The scenario files of one kind.

    Attributes:
        name: as the files give their kind. model: what one holds.
    """

    name: str
    model: type[ScenarioT]

    def names(self) -> tuple[str, ...]:
        """Return the names of the shipped ones, sorted."""
        return shipped_names(self.name)

    def path(self, name: str) -> Path:
        """Return the file of a shipped one; raises BadInput where none of that name is shipped."""
        return shipped_path(name, self.name)

    def load(self, path: Path) -> ScenarioT:
        """Read and check a file.

        Raises:
            BadInput: it cannot be read, is not TOML, or a constant is missing, unknown, negative or of the wrong type;
                the message names file and key.
        """
        return check_content(read_content(path), path, self.model)


def _read_text(path: Path) -> str:
    try:
        return read_text(path)
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
