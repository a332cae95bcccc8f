"""The syntax of `--target`, parsed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from app.domain.connection import ServerUrl, written_options
from app.domain.errors import BadInput
from app.foundation.secret import decoded, holds_password, is_secret_name, without_password
from app.foundation.texts import _

LAB = "lab"
_REMOTE = re.compile(r"lab@(?P<host>127\.0\.0\.1|localhost):(?P<port>\d{1,5})(?:\?(?P<options>[^#]*))?")
_SERVER: Final = re.compile(
    r"(?P<engine>[a-z][a-z0-9]*)://(?P<address>[^/?#]*)(?:/(?P<path>[^?#]*))?(?:\?(?P<options>[^#]*))?"
)
_HOST: Final = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<name>[^\s\[\]\\:;,=@{}%\"']+))"
    r"(?:\\(?P<instance>[^\s\\:;,=@{}%\"']+))?(?:[:,](?P<port>\d{1,5}))?"
)
_LAST_PORT: Final = 65_535
# Options of these beginnings name a server of the topology, which may be called anything.
_OF_SERVERS: Final = ("server.", "spn.")


@dataclass(frozen=True)
class LabSpec:
    """A lab inside this program.

    Attributes:
        scenario: shipped scenario name, path of a scenario file, or None for the default one.
    """

    scenario: str | None


@dataclass(frozen=True)
class RemoteLabSpec:
    """A lab that runs as a process of its own on this machine and outlives this program.

    Attributes:
        options: name and value of each, by name, as a server's: the driver, limits, encryption.
    """

    host: str
    port: int
    options: tuple[tuple[str, str], ...] = ()


TargetSpec = LabSpec | RemoteLabSpec | ServerUrl


def parse_target(text: str) -> TargetSpec:
    """Parse a target; no server is asked, and a server's options are not checked.

    Raises:
        BadInput: no target is spelled like that; a password that was written into it is not repeated.
    """
    if text == LAB:
        return LabSpec(None)
    if text.startswith("lab:") and len(text) > len("lab:"):
        if holds_password(text[len("lab:") :]):
            raise refused_password(without_password(text))
        return LabSpec(text[len("lab:") :])
    remote = _REMOTE.fullmatch(text)
    if remote and 0 < int(remote["port"]) <= _LAST_PORT:
        options = _options(remote["options"] or "", without_password(text))
        return RemoteLabSpec("127.0.0.1", int(remote["port"]), options)
    if "://" in text:
        return parse_server(text)
    raise BadInput(
        _(
            'unknown target "{text}"; give lab, lab:SCENARIO (a shipped name or a .toml file), lab@127.0.0.1:PORT '
            "(a lab started with `replitune lab serve`), sqlserver://user@host:port, oracle://user@host:port/service, "
            "or the name of a saved target"
        ).format(text=without_password(text, is_address=True))
    )


def parse_server(text: str) -> ServerUrl:
    r"""Take the address of a server apart, such as `sqlserver://anna@db1:1433?trust=yes` or `sqlserver://@db1\SALES`.

    A user name that holds one of `@ : / ?` is written with its percent code; the last @ ends it.

    Raises:
        BadInput: it is not spelled like that, or holds a password.
    """
    shown = without_password(text)
    match = _SERVER.fullmatch(text) if text.isprintable() else None
    if match is None:
        raise BadInput(_('"{text}" is no address of a server; write engine://user@host:port').format(text=shown))
    user, _at, address = match["address"].rpartition("@")
    path = match["path"] or ""
    if re.search("[:/]", decoded(user)) or "@" in decoded(path):
        raise refused_password(shown)
    host = _host_of(address, shown)
    return ServerUrl(
        engine=match["engine"],
        user=unquote(user),
        host=(host["six"] or host["name"]).lower(),
        port=None if host["port"] is None else int(host["port"]),
        instance=host["instance"] or "",
        path=unquote(path),
        options=_options(match["options"] or "", shown),
    )


def _host_of(address: str, shown: str) -> re.Match[str]:
    host = _HOST.fullmatch(address)
    if host is None and _HOST.fullmatch(address.rpartition(":")[0]):
        raise BadInput(_('"{text}": a port is a whole number from 1 to {last}').format(text=shown, last=_LAST_PORT))
    if host is None:
        raise BadInput(
            _('"{text}" names no host; write host, host:port or host\\instance after the last @').format(text=shown)
        )
    if host["port"] is not None and not 0 < int(host["port"]) <= _LAST_PORT:
        raise BadInput(_('"{text}": a port is a whole number from 1 to {last}').format(text=shown, last=_LAST_PORT))
    return host


def _options(query: str, shown: str) -> tuple[tuple[str, str], ...]:
    options: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        written, equals, value = part.partition("=")
        name = unquote(written)
        if is_secret_name(name) and not name.startswith(_OF_SERVERS):
            raise refused_password(shown)
        if not equals or not name or name in options:
            raise BadInput(_('"{text}": each option is written once, as name=value').format(text=shown))
        _check_value(value, shown)
        options[name] = unquote(value)
    return tuple(sorted(options.items()))


def _check_value(value: str, shown: str) -> None:
    """Refuse a password in the value of an option, such as the address of another server."""
    if "://" in unquote(value):
        parse_server(unquote(value))
    elif holds_password(value):
        raise refused_password(shown)


def refused_password(shown: str) -> BadInput:
    """Return the error for a password in a target, which is shown without it."""
    return BadInput(
        _(
            '"{text}": a target holds no password; leave it out, and give it when asked, with '
            "`replitune target add`, or in REPLITUNE_PASSWORD"
        ).format(text=shown)
    )


def find_scenario(spec: LabSpec, shipped: Mapping[str, Path]) -> Path:
    """Return the scenario file a lab target names.

    Args:
        shipped: scenarios that can be named without their path.

    Raises:
        BadInput: neither a shipped name nor an existing file, or no scenario is named.
    """
    name = spec.scenario or ""
    if name in shipped:
        return shipped[name]
    given = Path(name)
    if name and given.is_file():
        return given
    raise BadInput(
        _('lab scenario "{name}" is neither a file nor one of {names}').format(
            name=without_password(name), names=", ".join(shipped)
        )
    )


def with_option(target: str, name: str, value: str) -> str:
    """Return the target with an option said, in place of what it said before; a lab of this process as it is."""
    spec = parse_target(target)
    if isinstance(spec, LabSpec):
        return target
    options = tuple({**dict(spec.options), name: value}.items())
    if isinstance(spec, ServerUrl):
        return replace(spec, options=options).text
    return f"{LAB}@{spec.host}:{spec.port}{written_options(options)}"


def server_of(target: str) -> str:
    """Return the part that two targets on the same server share: no login, no options.

    One server under two names (an alias, an address) is not recognised.
    """
    try:
        spec = parse_target(target)
    except BadInput:
        return target
    if isinstance(spec, ServerUrl):
        return replace(spec, user="", instance=spec.instance.lower(), path=spec.path.lower(), options=()).login
    return f"{LAB}@{spec.host}:{spec.port}" if isinstance(spec, RemoteLabSpec) else target


def host_of(target: str) -> str:
    """Return where a server is reached, without engine, user and options; any other target as it is."""
    try:
        spec = parse_target(target)
    except BadInput:
        return target
    return replace(spec, user="", options=()).login.partition("://")[2] if isinstance(spec, ServerUrl) else target


def is_lab(target: str) -> bool:
    """Tell whether a target is simulated, in this program or in a process of its own."""
    try:
        return isinstance(parse_target(target), LabSpec | RemoteLabSpec)
    except BadInput:
        return False


def name_of_lab(target: str) -> str:
    """Return what a lab is called in a title: its scenario, but no address where another process serves it."""
    return target if is_lab_of_this_process(target) else LAB


def is_lab_of_this_process(target: str) -> bool:
    """Tell whether a target is a lab that is made anew each time it is opened."""
    return is_lab(target) and isinstance(parse_target(target), LabSpec)
