"""Addresses of an Oracle database as other tools write them: Easy Connect, JDBC, a descriptor of tnsnames.ora; pure.

Sources: docs.oracle.com/en/database/oracle/oracle-database/19/netag (Easy Connect Plus; connect descriptors),
docs.oracle.com/en/database/oracle/oracle-database/19/jjdbc/data-sources-and-URLs.html,
docs.sqlalchemy.org/dialects/oracle.html.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl, unquote

from app.domain.connection import ForeignAddress, ServerUrl
from app.drivers.oracle.command_line import read_logon
from app.drivers.oracle.settings import DEFAULT_PORT, DEFAULT_TCPS_PORT
from app.drivers.oracle.url import ENGINE_ID
from app.foundation.secret import Secret

_JDBC: Final = re.compile(r"(?i)jdbc:oracle:(?:thin|oci8?):")
_URL: Final = re.compile(
    r"(?i)oracle\+\w+://(?:(?P<login>[^/?#]*)@)?(?P<host>[^/?#@:]+)(?::(?P<port>\d{1,5}))?"
    r"(?:/(?P<sid>[^?#]*))?(?:\?(?P<options>[^#]*))?"
)
_HOSTS: Final = r"(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?:,(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::\d{1,5})?)*"
_EASY: Final = re.compile(
    rf"(?i)(?:(?P<protocol>tcps?):)?(?P<slashes>//)?(?P<hosts>{_HOSTS})(?::(?P<port>\d{{1,5}}))?"
    r"(?:/(?P<service>[\w.$#-]+)(?::\w+)?(?:/\w+)?|:(?P<sid>[\w$#]+))?(?:\?(?P<options>.*))?"
)
_ALIAS: Final = re.compile(r"(?P<alias>[\w.-]+)(?:\?(?P<options>.*))?")
_ADDRESS: Final = re.compile(r"(?i)\(\s*ADDRESS\s*=((?:\s*\([^()]*\))+)\s*\)")
_LEAF: Final = re.compile(r"\(\s*(\w+)\s*=\s*(\"[^\"]*\"|[^()]*?)\s*\)")
_COMMENT: Final = re.compile(r"(?m)^\s*#.*$")
_PROTOCOLS: Final = ("tcp", "tcps")
_LAST_PORT: Final = 65_535
# What a descriptor's SECURITY and parameters of Easy Connect Plus name, and the option each becomes.
_OF_SECURITY: Final[Mapping[str, str]] = {
    "wallet_location": "wallet",
    "ssl_server_cert_dn": "certificate_dn",
}
_PARAMETERS: Final[Mapping[str, str]] = {**_OF_SECURITY, "tns_admin": "tns_admin"}

_Place = tuple[str, int | None]


def understand(text: str) -> ForeignAddress | None:
    """Return the database an address of another tool names, None where it is none of an Oracle database.

    Raises:
        BadInput: it is a command that names no database.
    """
    if (logon := read_logon(text)) is not None:
        return _of_logon(logon)
    plain = _COMMENT.sub("", text).strip().strip("\"'").strip()
    if match := _URL.fullmatch(plain):
        return _of_url(match)
    jdbc = _JDBC.match(plain)
    login, rest = _split(plain[jdbc.end() :] if jdbc else plain)
    found = _descriptor(rest) if "(" in rest else _easy(rest, is_sure=jdbc is not None or bool(login))
    if found is None and jdbc and (match := _ALIAS.fullmatch(rest)):
        found = ServerUrl(ENGINE_ID, "", match["alias"].lower(), options=_sorted(_known(match["options"])))
    return None if found is None else _with_login(found, login, "/")


def _of_logon(logon: str) -> ForeignAddress | None:
    """Read the logon of sqlplus; behind its @ stands an Easy Connect string, a descriptor or an alias."""
    login, rest = _split(logon)
    found = _descriptor(rest) if "(" in rest else _easy(rest, is_sure=True)
    if found is None and (match := _ALIAS.fullmatch(rest)):
        found = ServerUrl(ENGINE_ID, "", match["alias"].lower())
    return None if found is None else _with_login(found, login, "/")


def _split(text: str) -> tuple[str, str]:
    """Split a login from what stands behind its @; that of a descriptor may hold another one, in a name."""
    if "(" in text:
        before, _bracket, rest = text.partition("(")
        return before.rstrip().removesuffix("@") if before.rstrip().endswith("@") else "", f"({rest}"
    login, _at, rest = text.rpartition("@")
    return login, rest


def _with_login(url: ServerUrl, login: str, between: str) -> ForeignAddress:
    user, _slash, password = login.partition(between)
    made = ServerUrl(ENGINE_ID, user.strip('"'), url.host, url.port, "", url.path, url.options)
    return ForeignAddress(made, Secret(password) if password else None)


def _easy(text: str, *, is_sure: bool) -> ServerUrl | None:
    """Read an Easy Connect string.

    Args:
        is_sure: it stands where only an Oracle database can; else slashes or a port before the name tell it.
    """
    match = _EASY.fullmatch(text)
    if match is None or not (is_sure or match["slashes"] or match["port"]):
        return None
    is_tcps = str(match["protocol"]).lower() == "tcps"
    return _made(_places(match), match["service"] or "", match["sid"] or "", _known(match["options"]), is_tcps=is_tcps)


def _places(match: re.Match[str]) -> list[_Place]:
    """Return the listeners of an Easy Connect string; the port of the last one is that of those without one."""
    hosts = match["hosts"] + (f":{match['port']}" if match["port"] else "")
    places = [_place(host) for host in hosts.split(",")]
    return [(host, port or places[-1][1]) for host, port in places]


def _place(text: str) -> _Place:
    host, colon, port = text.rpartition(":") if "]" not in text or "]:" in text else (text, "", "")
    return (host.strip("[]"), int(port)) if colon else (text.strip("[]"), None)


def _descriptor(text: str) -> ServerUrl | None:
    """Read a connect descriptor, as tnsnames.ora holds it."""
    listeners = [_leaves(body) for body in _ADDRESS.findall(text)]
    reached = [one for one in listeners if one.get("protocol", "tcp").lower() in _PROTOCOLS]
    if not reached or not all(one.get("port", "0").isdigit() for one in reached):
        return None
    said = _leaves(text)
    options = {option: said.get(name, "") for name, option in _OF_SECURITY.items()}
    places = [(one.get("host", ""), int(one["port"]) if "port" in one else None) for one in reached]
    is_tcps = "tcps" in [one.get("protocol", "").lower() for one in reached]
    return _made(places, said.get("service_name", ""), said.get("sid", ""), options, is_tcps=is_tcps)


def _leaves(text: str) -> dict[str, str]:
    """Return what brackets that hold no others say, by name in small letters."""
    return {name.lower(): value.strip('"') for name, value in _LEAF.findall(text)}


def _of_url(match: re.Match[str]) -> ForeignAddress | None:
    options = dict(parse_qsl(match["options"] or ""))
    port = int(match["port"]) if match["port"] else None
    named, known = options.get("service_name", ""), _known(match["options"])
    url = _made([(match["host"], port)], named, match["sid"] or "", known, is_tcps=False)
    return None if url is None else _with_login(url, unquote(match["login"] or ""), ":")


def _made(
    places: Sequence[_Place], service: str, sid: str, options: Mapping[str, str], *, is_tcps: bool
) -> ServerUrl | None:
    """Return the address of listeners and a database; a service goes before a SID, and without one of them is none."""
    if not (service or sid) or not all(map(_is_place, places)):
        return None
    (host, port), *others = dict.fromkeys(places)
    usual = DEFAULT_TCPS_PORT if is_tcps else DEFAULT_PORT
    more = {
        "protocol": "tcps" if is_tcps else "",
        "sid": "" if service else sid,
        "addresses": ",".join(f"{name}:{number or usual}" for name, number in others),
    }
    return ServerUrl(ENGINE_ID, "", host.lower(), port, "", service, _sorted({**options, **more}))


def _is_place(place: _Place) -> bool:
    return bool(place[0]) and (place[1] is None or 0 < place[1] <= _LAST_PORT)


def _known(options: str | None) -> dict[str, str]:
    return {_PARAMETERS[name.lower()]: value for name, value in parse_qsl(options or "") if name.lower() in _PARAMETERS}


def _sorted(options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in options.items() if value))
