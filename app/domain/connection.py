"""How a target is reached: the address of a server as `--target` takes it, and the ways to connect as data for a form.

A way says how its fields become a target as `--target` accepts it; an engine folder lists its own ways in these terms.
A password is never part of an address or a target.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final
from urllib.parse import quote

from app.foundation.secret import Secret
from app.foundation.texts import _


@dataclass(frozen=True)
class ServerUrl:
    """The address of a server of some engine, parsed; its options are interpreted by the engine's folder alone.

    Attributes:
        engine: id of the engine's folder, such as "sqlserver".
        user: "" where the sign-in needs none or the account of this computer is used.
        host: network name or address, IPv6 without brackets, lower case.
        port: None where none is given.
        instance: named instance behind a backslash, "" for none.
        path: what stands behind the address' slash, without it, such as an Oracle service.
        options: name and value of each, by name.
    """

    engine: str
    user: str
    host: str
    port: int | None = None
    instance: str = ""
    path: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def login(self) -> str:
        """Whom a password belongs to: the address without its options."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        instance = f"\\{self.instance}" if self.instance else ""
        port = "" if self.port is None else f":{self.port}"
        path = f"/{quote(self.path)}" if self.path else ""
        return f"{self.engine}://{user}{host}{instance}{port}{path}"

    @property
    def text(self) -> str:
        """The address in its one spelling, as accepted by `--target`; holds no password."""
        return f"{self.login}{written_options(self.options)}"


def written_options(options: Iterable[tuple[str, str]]) -> str:
    """Return options as they stand behind an address, "" for none."""
    written = "&".join(f"{quote(name, safe='.')}={quote(value, safe=',.:/')}" for name, value in sorted(options))
    return f"?{written}" if written else ""


@dataclass(frozen=True)
class ShownCertificate:
    """The certificate a server shows, for a person who decides whether it is the server meant.

    Attributes:
        where: the address it was shown at.
        subject, issuer: whom it names and who vouches for that.
        sha256: its fingerprint, as "0A:1B:…".
        trusting: name and value of the option of an address that takes it unverified.
    """

    where: str
    subject: str
    issuer: str
    is_self_signed: bool
    valid_until_utc: datetime
    sha256: str
    trusting: tuple[str, str]


@dataclass(frozen=True)
class ToChoose:
    """Several things of one kind at a server, for a person who chooses the one that is meant.

    Attributes:
        refused: why nothing is chosen for that person, with the names and how to say which one is meant.
        question: the same in one short sentence, for whoever is shown the names beside it.
        option: of an address, which says the one that is meant.
        names: of those there are.
    """

    refused: str
    question: str
    option: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class ForeignAddress:
    """What an address of another tool says, such as a JDBC string.

    Attributes:
        password: that stands in it, None for none.
    """

    url: ServerUrl
    password: Secret | None = None


class FieldKind(StrEnum):
    """The type of a connection field, which decides how it is entered and checked."""

    FILE = "file"
    PORT = "port"
    TEXT = "text"
    WHOLE = "whole"
    PASSWORD = "password"
    CHOICE = "choice"
    CHECK = "check"


LONGEST_LIMIT_S: Final = 3_600
"""Longest time limit of a connection or a statement a person can set."""

CHECKED = "yes"
"""Value of a ticked CHECK, as a URL's options write it; one that is not ticked is ""."""


@dataclass(frozen=True)
class FieldOption:
    """One value of a CHOICE, and how a person calls it.

    Attributes:
        option: the option of the address that says it, where that is not the field's own.
    """

    value: str
    label: str
    option: str = ""


@dataclass(frozen=True)
class ConnectionField:
    """One field.

    Attributes:
        name: its name in the way's pattern, such as "port".
        label: as shown beside it, without a mnemonic.
        help: one sentence on what to enter.
        example: shown while it is empty.
        suffix: ending a file must have, such as ".toml"; "" for any.
        options: values of a CHOICE, the usual one first.
        usual: value as long as nobody entered one; "" for none.
        is_needed: whether the form is incomplete without a value, where the field is shown.
        is_seldom: belongs behind "more", because few need it.
        shown_for: name of another field, and the values of it for which this one is asked; None for always.
        limits: lowest and highest value of a WHOLE, inclusive.
        is_entry: it names the server that is connected to; which one that is each system says.
        option: the option of the address it becomes, unless it holds what is usual; "" for none.
    """

    name: str
    label: str
    kind: FieldKind
    help: str
    example: str = ""
    suffix: str = ""
    options: tuple[FieldOption, ...] = ()
    usual: str = ""
    is_needed: bool = True
    is_seldom: bool = False
    shown_for: tuple[str, tuple[str, ...]] | None = None
    limits: tuple[int, int] | None = None
    is_entry: bool = False
    option: str = ""

    def is_shown(self, values: Mapping[str, str]) -> bool:
        """Tell whether the field is asked with these values in the others."""
        return self.shown_for is None or values.get(self.shown_for[0], "") in self.shown_for[1]


Shown = tuple[str, tuple[str, ...]] | None


def seconds_field(name: str, label: str, text: str, usual_s: int) -> ConnectionField:
    """Return a field for a time limit, which few need."""
    field = optional_field(name, label, text, FieldKind.WHOLE, is_seldom=True)
    return replace(field, usual=str(usual_s), limits=(1, LONGEST_LIMIT_S))


def choice_field(
    name: str, label: str, text: str, *options: FieldOption, is_seldom: bool = False, option: str | None = None
) -> ConnectionField:
    """Return a field for one of several values, the usual one first; `option` is its name where that is not given."""
    field = optional_field(name, label, text, FieldKind.CHOICE, is_seldom=is_seldom, option=option)
    return replace(field, options=options, usual=options[0].value)


def optional_field(
    name: str,
    label: str,
    text: str,
    kind: FieldKind = FieldKind.TEXT,
    *,
    example: str = "",
    is_seldom: bool = False,
    shown_for: Shown = None,
    option: str | None = None,
) -> ConnectionField:
    """Return a field that may be left empty, for the option of its own name where no other is given."""
    return ConnectionField(
        name,
        label,
        kind,
        text,
        example,
        is_needed=False,
        is_seldom=is_seldom,
        shown_for=shown_for,
        option=name if option is None else option,
    )


def password_field(text: str, shown_for: Shown) -> ConnectionField:
    """Return the field for a password, which no address holds."""
    return optional_field("password", _("Password"), text, FieldKind.PASSWORD, shown_for=shown_for, option="")


def options_of(fields: Iterable[ConnectionField], given: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the address that values of a form make, by name."""
    return {f.option: given[f.name] for f in fields if f.option and given.get(f.name) and given[f.name] != f.usual}


def values_of(fields: Iterable[ConnectionField], url: ServerUrl) -> dict[str, str]:
    """Return the values that make the options of an address, by field; those no field stands for are left out."""
    options = dict(url.options)
    return {field.name: options[field.option] for field in fields if field.option in options}


def port_text(url: ServerUrl) -> str:
    """Return the port of an address as a form holds it, "" for the usual one."""
    return "" if url.port is None else str(url.port)


@dataclass(frozen=True)
class ConnectionWay:
    """One way to reach a target.

    Attributes:
        way_id: stable id.
        title: as a person calls it.
        fields: in the order they are asked for.
        pattern: the target made of the fields' values, such as "lab@127.0.0.1:{port}"; "" where `make_target` makes it.
        suggested_name: a name to save it under, made of the fields' values; of a file, of its name without ending.
        read_values: the fields' values that make an address, by name, to change one; None where `pattern` tells.
        make_target: the target made of the fields' values by name, PASSWORD fields left out; raises BadInput.
        understands: the server an address of another tool names (`services.target.foreign_addresses`), None for none.
        note: one sentence shown above the form, such as the driver that will be used; "" for none.
        engine: id of the engine's folder it belongs to, "" for the lab.
        rank: where it stands in a list of ways, the smallest first; those of equal rank stay as they were found.
    """

    way_id: str
    title: str
    fields: tuple[ConnectionField, ...]
    pattern: str
    suggested_name: str
    make_target: Callable[[Mapping[str, str]], str] | None = None
    read_values: Callable[[ServerUrl], Mapping[str, str]] | None = None
    understands: Callable[[str], ForeignAddress | None] | None = None
    note: str = ""
    engine: str = ""
    rank: int = 50
