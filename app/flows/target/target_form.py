"""The form for a target that is not listed: its questions, their mistakes, and the target it makes."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from app.domain.connection import ConnectionField, ConnectionWay, FieldKind, ForeignAddress, ServerUrl
from app.domain.errors import BadInput
from app.domain.system import System, in_order
from app.flows.system_views import views_of
from app.flows.words import sentence
from app.foundation.secret import Secret
from app.foundation.texts import _, local_number
from app.services.target.foreign_addresses import understand
from app.services.target.target_spec import parse_target

# TCP: port 0 cannot be connected to, a port is a 16-bit number.
_LAST_PORT: Final = 65_535

# RFC 1123: letters, digits and hyphens in labels; Windows takes underscores, too.
_HOST: Final = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63})*")


def ways_of(systems: Collection[System], ways: Sequence[ConnectionWay]) -> tuple[ConnectionWay, ...]:
    """Return ways to connect: where an engine has several systems, one for each, asking for the server it means."""
    of_engine: dict[str, list[System]] = {}
    for system in in_order(systems):
        of_engine.setdefault(system.engine, []).append(system)
    made: list[ConnectionWay] = []
    for way in ways:
        ours = of_engine.get(way.engine, [])
        made += [_way_of(way, system, is_only=len(ours) == 1) for system in ours] or [way]
    return tuple(made)


def _way_of(way: ConnectionWay, system: System, *, is_only: bool) -> ConnectionWay:
    views = views_of(system)
    fields = tuple(
        replace(asked, label=asked.label if is_only else views.entry, help=f"{asked.help} {views.opened_at}")
        if asked.is_entry
        else asked
        for asked in way.fields
    )
    if is_only:
        return replace(way, fields=fields)
    title = _("{engine}: {entry}").format(engine=way.title, entry=views.entry)
    return replace(way, way_id=f"{way.way_id}.{system.system_id}", title=title, fields=fields)


@dataclass(frozen=True)
class TargetForm:
    """The entries so far.

    Attributes:
        values: text of each field by its name; a field not touched is missing. Never shown: a password is among them.
        name: None as long as the suggested one is taken over.
        shows_seldom: the fields few need are in sight.
    """

    way: ConnectionWay
    values: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    name: str | None = None
    shows_seldom: bool = False

    def value(self, name: str) -> str:
        """Return a field's content, the usual value before anything was entered.

        A password is taken as it is, other texts without blanks around them.
        """
        asked = next(each for each in self.way.fields if each.name == name)
        text = dict(self.values).get(name, asked.usual)
        return text if asked.kind is FieldKind.PASSWORD else text.strip()

    def with_value(self, name: str, text: str) -> "TargetForm":
        """Return the form with another text in a field."""
        return replace(self, values=tuple({**dict(self.values), name: text}.items()))

    def with_way(self, way: ConnectionWay) -> "TargetForm":
        """Return the form for another way to connect; entries in fields of the same name stay."""
        return replace(self, way=way)

    @property
    def asked(self) -> tuple[ConnectionField, ...]:
        """Return the fields that matter given the entries in the others, those few need included."""
        values = {each.name: self.value(each.name) for each in self.way.fields}
        return tuple(each for each in self.way.fields if each.is_shown(values))

    @property
    def shown(self) -> tuple[ConnectionField, ...]:
        """The fields in sight."""
        return tuple(each for each in self.asked if self.shows_seldom or not each.is_seldom)

    @property
    def has_seldom(self) -> bool:
        """Whether there are fields few need."""
        return any(each.is_seldom for each in self.asked)


@dataclass(frozen=True)
class FieldNote:
    """The note beside a field: help as long as it is right, an error as soon as it is not."""

    text: str
    is_error: bool


def field_note(asked: ConnectionField, text: str) -> FieldNote:
    """Return the note beside a field with this text in it."""
    error = _field_error(asked, text.strip()) if text.strip() else ""
    return FieldNote(error or asked.help, bool(error))


def _field_error(asked: ConnectionField, text: str) -> str:
    if asked.kind is FieldKind.PORT:
        return _port_error(text)
    if asked.kind is FieldKind.WHOLE:
        return _whole_error(text, asked.limits)
    return _file_error(text, asked.suffix) if asked.kind is FieldKind.FILE else ""


def _port_error(text: str) -> str:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) <= _LAST_PORT:
        return _("A port is a whole number from 1 to {last}.").format(last=_LAST_PORT)
    return ""


def _whole_error(text: str, limits: tuple[int, int] | None) -> str:
    if not (text.isascii() and text.isdigit()):
        return _("Give a whole number.")
    if limits is not None and not limits[0] <= int(text) <= limits[1]:
        return _("Give a whole number from {low} to {high}.").format(low=limits[0], high=local_number(f"{limits[1]:,}"))
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


def _is_complete(form: TargetForm) -> bool:
    texts = [(each, form.value(each.name)) for each in form.asked]
    missing = any(each.is_needed and not text for each, text in texts)
    return not missing and not any(text and _field_error(each, text) for each, text in texts)


def _make(form: TargetForm) -> tuple[str, str]:
    """Return the target the form describes and the error of it as a whole; one of them, or both, are empty."""
    if not _is_complete(form):
        return "", ""
    entered = {each.name: form.value(each.name) for each in form.asked if each.kind is not FieldKind.PASSWORD}
    if form.way.make_target is None:
        values = {each.name: _in_target(each, entered[each.name]) for each in form.asked if each.name in entered}
        return form.way.pattern.format(**values), ""
    try:
        made = form.way.make_target(entered)
        parse_target(made)  # refuses a password that was entered as part of something else
        return made, ""
    except BadInput as problem:
        return "", sentence(str(problem))


def _in_target(asked: ConnectionField, text: str) -> str:
    """A saved target must be found again from another folder; a port has one spelling."""
    if asked.kind is FieldKind.FILE:
        return str(Path(text).expanduser().absolute())
    return str(int(text)) if asked.kind is FieldKind.PORT else text


def form_target(form: TargetForm) -> str:
    """Return the target the form describes, "" as long as a needed field is empty, or anything is wrong."""
    return _make(form)[0]


def form_problem(form: TargetForm) -> str:
    """Return the error of the fields together, "" where there is none, or a field tells it itself."""
    return _make(form)[1]


def form_of(target: str, ways: Sequence[ConnectionWay], name: str = "") -> TargetForm | None:
    """Return the form that makes a target, filled in; None where none makes exactly it.

    Args:
        name: it is saved under.
    """
    for way in ways:
        values = _values_of(target, way)
        form = TargetForm(way, tuple(values.items()), name or None)
        if values and form_target(form) == target:
            is_seldom = any(each.is_seldom and form.value(each.name) not in ("", each.usual) for each in form.asked)
            return replace(form, shows_seldom=is_seldom)
    return None


def _values_of(target: str, way: ConnectionWay) -> dict[str, str]:
    if way.read_values is None:
        names = {each.name: f"(?P<{each.name}>.+)" for each in way.fields}
        found = re.fullmatch(re.escape(way.pattern).replace(r"\{", "{").replace(r"\}", "}").format(**names), target)
        return found.groupdict() if found is not None else {}
    try:
        spec = parse_target(target)
    except BadInput:
        return {}  # kept by an older version
    is_ours = isinstance(spec, ServerUrl) and spec.engine == way.engine
    return dict(way.read_values(spec)) if isinstance(spec, ServerUrl) and is_ours else {}


def form_understood(text: str, form: TargetForm, ways: Sequence[ConnectionWay]) -> TargetForm | None:
    """Return the form filled from an address of another tool: `host:1433`, JDBC, SSMS and TNS strings.

    The way stays where it fits. What the text does not say stays as entered; a password in it goes into its field.

    Returns:
        None where no engine understands the text.
    """
    found = understand(text, ways)
    if found is None:
        return None
    fitting = [way for way in ways if way.engine == found.url.engine and way.read_values is not None]
    way = form.way if form.way in fitting else fitting[0]
    return replace(form.with_way(way), values=tuple({**dict(form.values), **_said(found, way)}.items()))


def target_understood(text: str) -> str:
    """Return the target a text names as this program writes it: `lab`, `sqlserver://…`, "" where it is none."""
    try:
        parse_target(text)
    except BadInput:
        return ""
    return text


def form_pasted(text: str, ways: Sequence[ConnectionWay]) -> TargetForm | None:
    """Return the form filled from a pasted address; a word that could be a host is the server of the first way.

    Returns:
        None where no address is in it.

    Raises:
        BadInput: it is known what it is, and cannot be connected to.
    """
    empty = TargetForm(ways[0])
    found = form_understood(text, empty, ways)
    if found is not None:
        return found
    entry = next((each for each in ways[0].fields if each.is_entry), None)
    return empty.with_value(entry.name, text) if entry is not None and _HOST.fullmatch(text) else None


def _said(found: ForeignAddress, way: ConnectionWay) -> dict[str, str]:
    """Return the values an address gives to a form's fields; one that says no more than where leaves the sign-in."""
    assert way.read_values is not None
    is_where_alone = not (found.url.user or found.url.options)
    blank = way.read_values(ServerUrl(found.url.engine, "", "")) if is_where_alone else {}
    said = {name: value for name, value in way.read_values(found.url).items() if value and value != blank.get(name)}
    if found.password is None:
        return said
    return said | {each.name: found.password.reveal() for each in way.fields if each.kind is FieldKind.PASSWORD}


def form_server(form: TargetForm) -> ServerUrl | None:
    """Return the address of the server the form describes, None where it describes none or a lab."""
    target = form_target(form)
    spec = parse_target(target) if target else None
    return spec if isinstance(spec, ServerUrl) else None


def form_password(form: TargetForm) -> Secret | None:
    """Return the password entered, None where none is asked for or none was entered."""
    entered = [form.value(each.name) for each in form.asked if each.kind is FieldKind.PASSWORD]
    return Secret(entered[0]) if entered and entered[0] else None


def asks_password(form: TargetForm) -> bool:
    """Tell whether a password is among the fields in sight."""
    return any(each.kind is FieldKind.PASSWORD for each in form.shown)


def keep_password_text(*, can_keep: bool) -> str:
    """Return the text of the box beside the password."""
    if can_keep:
        return _("&Keep the password in the keyring of this computer")
    return _("This computer has no keyring: the password is asked for again next time")


def form_name(form: TargetForm, saved: tuple[tuple[str, str], ...]) -> str:
    """Return the name to save the target under: the one entered, else a suggestion that is not taken."""
    if form.name is not None:
        return form.name.strip()
    if not form_target(form):
        return ""
    asked = [each for each in form.way.fields if each.kind is not FieldKind.PASSWORD]
    suggested = form.way.suggested_name.format(**{each.name: _in_name(each, form.value(each.name)) for each in asked})
    numbered = (f"{suggested} ({number})" for number in itertools.count(2))
    return suggested if not _is_taken(suggested, saved) else next(n for n in numbered if not _is_taken(n, saved))


def _in_name(asked: ConnectionField, text: str) -> str:
    return Path(text).stem if asked.kind is FieldKind.FILE else text


def _is_taken(name: str, saved: tuple[tuple[str, str], ...]) -> bool:
    return name.casefold() in {taken.casefold() for taken, _target in saved}


def name_note(form: TargetForm, saved: tuple[tuple[str, str], ...]) -> FieldNote:
    """Return the note beside the name."""
    name = form_name(form, saved)
    if _is_taken(name, saved):
        return FieldNote(_("A target of this name is saved already; give another name."), is_error=True)
    if form.name is not None and not name:
        return FieldNote(_("Give the target a name."), is_error=True)
    return FieldNote(_("It is listed under this name from then on."), is_error=False)


def can_save(form: TargetForm, saved: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether the form is complete and without errors."""
    return bool(form_target(form)) and bool(form_name(form, saved)) and not name_note(form, saved).is_error
