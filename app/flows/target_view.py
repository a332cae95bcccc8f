"""The page that asks which servers to measure: what is listed, and the form for another one."""

import itertools
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.domain.connection import ConnectionField, ConnectionWay, FieldKind
from app.flows.wizard import Choices, choose_target, keep_reading
from app.flows.words import counted
from app.foundation.texts import _
from app.services.reading import TargetReading
from app.services.targets_catalogue import LabScenario

# TCP: port 0 cannot be connected to, a port is a 16-bit number.
_LAST_PORT: Final = 65_535


class TargetGroup(StrEnum):
    """Where a listed target comes from."""

    SAVED = "saved"
    LAB = "lab"
    OTHER = "other"


@dataclass(frozen=True)
class ListedTarget:
    """One target to choose.

    Attributes:
        target: as accepted by `--target`.
        title: what it is called.
        detail: one line on what it is.
        can_be_removed: it is listed because it was saved.
    """

    target: str
    group: TargetGroup
    title: str
    detail: str

    @property
    def can_be_removed(self) -> bool:
        """Whether a person saved it."""
        return self.group is TargetGroup.SAVED

    @property
    def key(self) -> str:
        """Unique among those listed: a target may be saved under two names."""
        return f"{self.group}/{self.title}/{self.target}"


def group_title(group: TargetGroup) -> str:
    """Return the heading of a group."""
    return {
        TargetGroup.SAVED: _("Saved targets"),
        TargetGroup.LAB: _("Lab, simulated on this computer"),
        TargetGroup.OTHER: _("In use, not saved"),
    }[group]


def listed_targets(
    saved: tuple[tuple[str, str], ...], scenarios: tuple[LabScenario, ...], in_use: str = ""
) -> tuple[ListedTarget, ...]:
    """Return every target to choose from, saved ones first; the one in use is always among them."""
    kept = (ListedTarget(target, TargetGroup.SAVED, name, target) for name, target in saved)
    shipped = (ListedTarget(s.target, TargetGroup.LAB, s.title or s.name, _describe(s)) for s in scenarios)
    listed = (*kept, *shipped)
    if not in_use or find_listed(listed, in_use) is not None:
        return listed
    return (*listed, ListedTarget(in_use, TargetGroup.OTHER, in_use, in_use))


def _describe(scenario: LabScenario) -> str:
    parts = [scenario.target]
    if scenario.agent_pairs is not None:
        parts.append(counted(scenario.agent_pairs, _("1 pair of agents"), _("{count} pairs of agents")))
    if scenario.bandwidth_kbps is not None:
        parts.append(_bandwidth(scenario.bandwidth_kbps))
    if scenario.rtt_ms:
        parts.append(_("{rtt:g} ms round trip").format(rtt=scenario.rtt_ms))
    return ", ".join(parts)


def _bandwidth(kbps: float) -> str:
    for unit, size in (("Gbit/s", 1e6), ("Mbit/s", 1e3)):
        if kbps >= size:
            return f"{kbps / size:g} {unit}"
    return f"{kbps:g} kbit/s"


def find_listed(listed: tuple[ListedTarget, ...], target: str, key: str = "") -> ListedTarget | None:
    """Return the entry of a target, the one of a key where several have it; None where it is not listed."""
    of_target = [entry for entry in listed if entry.target == target]
    return next((entry for entry in of_target if entry.key == key), of_target[0] if of_target else None)


def choose_listed(entered: Choices, current: Choices, target: str) -> Choices:
    """Return the choices with a target; going back to the one the page was entered with brings everything back.

    Moving through the list must not cost what was read and planned.
    """
    return entered if target == entered.target else choose_target(current, target)


def keep_test(current: Choices, target: str, reading: TargetReading) -> Choices:
    """Return the choices with what a test has read; unchanged where it is of another target, or read already."""
    if current.target != target or current.discovery is not None:
        return current
    return keep_reading(current, reading.discovery, reading.sites, reading.impossible)


# The form for a target that is not listed


@dataclass(frozen=True)
class TargetForm:
    """What was entered so far.

    Attributes:
        values: text of each field by its name; a field not touched is missing.
        name: None as long as the suggested one is taken over.
    """

    way: ConnectionWay
    values: tuple[tuple[str, str], ...] = ()
    name: str | None = None

    def value(self, field: str) -> str:
        """Return what stands in a field, without blanks around it."""
        return dict(self.values).get(field, "").strip()

    def with_value(self, field: str, text: str) -> "TargetForm":
        """Return the form with another text in a field."""
        return replace(self, values=tuple({**dict(self.values), field: text}.items()))

    def with_way(self, way: ConnectionWay) -> "TargetForm":
        """Return the form for another way to connect; what was entered for fields of the same name stays."""
        return replace(self, way=way)


@dataclass(frozen=True)
class FieldNote:
    """What stands beside a field: help as long as it is empty, an error as soon as there is one."""

    text: str
    is_error: bool


def field_note(field: ConnectionField, text: str) -> FieldNote:
    """Return what stands beside a field with this text in it."""
    error = _field_error(field, text.strip()) if text.strip() else ""
    return FieldNote(error or field.help, bool(error))


def _field_error(field: ConnectionField, text: str) -> str:
    return _port_error(text) if field.kind is FieldKind.PORT else _file_error(text, field.suffix)


def _port_error(text: str) -> str:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) <= _LAST_PORT:
        return _("A port is a whole number from 1 to {last}.").format(last=_LAST_PORT)
    return ""


def _file_error(text: str, suffix: str) -> str:
    path = Path(text).expanduser()
    if path.is_dir():
        return _("This is a folder; choose a file in it.")
    if not path.is_file():
        return _("There is no such file.")
    if suffix and path.suffix.lower() != suffix:
        return _("The file must end in {suffix}.").format(suffix=suffix)
    return ""


def form_target(form: TargetForm) -> str:
    """Return the target the form describes, "" as long as a field is empty or wrong."""
    texts = {field.name: form.value(field.name) for field in form.way.fields}
    if not all(texts.values()) or any(_field_error(field, texts[field.name]) for field in form.way.fields):
        return ""
    return form.way.pattern.format(**{field.name: _in_target(field, texts[field.name]) for field in form.way.fields})


def _in_target(field: ConnectionField, text: str) -> str:
    """A saved target must be found again from another folder; a port has one spelling."""
    return str(Path(text).expanduser().absolute()) if field.kind is FieldKind.FILE else str(int(text))


def form_name(form: TargetForm, saved: tuple[tuple[str, str], ...]) -> str:
    """Return the name to save the target under: the one entered, else a suggestion that is not taken."""
    if form.name is not None:
        return form.name.strip()
    if not form_target(form):
        return ""
    texts = {field.name: _in_name(field, form.value(field.name)) for field in form.way.fields}
    suggested = form.way.suggested_name.format(**texts)
    taken = dict(saved)
    numbered = (f"{suggested} ({number})" for number in itertools.count(2))
    return suggested if suggested not in taken else next(name for name in numbered if name not in taken)


def _in_name(field: ConnectionField, text: str) -> str:
    return Path(text).stem if field.kind is FieldKind.FILE else text


def name_note(form: TargetForm, saved: tuple[tuple[str, str], ...]) -> FieldNote:
    """Return what stands beside the name."""
    name = form_name(form, saved)
    if name in dict(saved):
        return FieldNote(_("A target of this name is saved already; give another name."), is_error=True)
    if form.name is not None and not name:
        return FieldNote(_("Give the target a name."), is_error=True)
    return FieldNote(_("It is listed under this name from then on."), is_error=False)


def can_save(form: TargetForm, saved: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether the form is complete and without errors."""
    return bool(form_target(form)) and bool(form_name(form, saved)) and not name_note(form, saved).is_error
