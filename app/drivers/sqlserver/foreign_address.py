r"""Addresses of a SQL Server as other tools write them: `host:1433`, `host\SALES`, SSMS, ADO.NET, ODBC, JDBC; pure.

Sources: learn.microsoft.com/sql/connect/jdbc/building-the-connection-url,
learn.microsoft.com/sql/connect/odbc/dsn-connection-string-attribute,
learn.microsoft.com/dotnet/api/microsoft.data.sqlclient.sqlconnection.connectionstring,
jtds.sourceforge.net/faq.html#urlFormat, docs.sqlalchemy.org/dialects/mssql.html.
"""

import re
from collections.abc import Mapping
from ipaddress import AddressValueError, IPv6Address
from typing import Final
from urllib.parse import unquote

from app.domain.connection import ForeignAddress, ServerUrl
from app.domain.errors import BadInput
from app.drivers.sqlserver.command_line import read_command
from app.drivers.sqlserver.connection import ENGINE_ID
from app.drivers.sqlserver.odbc.settings import Encryption, ServerAddress, SignIn, parse_address
from app.foundation.secret import Secret
from app.foundation.texts import _

_JDBC: Final = re.compile(r"(?i)jdbc:(?:jtds:)?sqlserver://(?P<server>[^;/]*)(?:/[^;]*)?(?P<keywords>;.*)?")
_URL: Final = re.compile(
    r"(?i)mssql(?:\+\w+)?://(?:(?P<user>[^/?#]*)@)?(?P<server>[^/?#@]*)(?:/[^?#]*)?(?:\?(?P<options>[^#]*))?"
)
# One that says where: a port, an instance or the protocol; a bare word may be the name of anything.
_BARE: Final = re.compile(
    r"(?:(?P<user>[^\s/:;=]+)@)?(?P<server>(?i:tcp:)?[^\s@/;=:,\\]+(?:[:,\\][^\s@/;=]+)|\[.*\].*)"
)
# Ways to reach a server that are none here: protocols by their prefix, a pipe by its name.
_OTHER_WAY: Final = re.compile(r"(?i)(?:np|lpc|via|admin):(?!\d+\Z)|\(localdb\)|\\\\[^\\]+\\pipe\\")
_SIX: Final = re.compile(r"(?i)(?:tcp:)?(?P<six>[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)(?P<rest>\\[^:,\\]+|\s*,\s*\d{1,5})?")
_SERVER: Final = re.compile(
    r"(?P<host>(?i:tcp:)?(?:\[[^\]]*\]|[^:,\\]+))(?P<instance>\\[^:,\\]+)?\s*(?:[:,]\s*(?P<port>\d{1,5}))?"
)
_KEYWORD: Final = re.compile(
    r"""\s*(?P<name>[^=;]+?)\s*=\s*(?P<value>\{(?:[^}]|\}\})*\}|"(?:[^"]|"")*"|'(?:[^']|'')*'|[^;]*?)\s*(?:;|$)"""
)
_QUOTES: Final = {"{": "}", '"': '"', "'": "'"}
# A keyword in small letters without blanks and underscores: what it is called here.
_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("server", "datasource", "address", "addr", "networkaddress", "servername"), "server"),
    **dict.fromkeys(("port", "portnumber"), "port"),
    **dict.fromkeys(("instance", "instancename"), "instance"),
    **dict.fromkeys(("user", "userid", "uid", "username"), "user"),
    **dict.fromkeys(("password", "pwd"), "password"),
    **dict.fromkeys(("integratedsecurity", "trustedconnection"), "is_windows"),
    "authentication": "auth",
    "encrypt": "encrypt",
    "trustservercertificate": "trust",
    "hostnameincertificate": "certificate_host",
    "servercertificate": "certificate_file",
    "failoverpartner": "failover_partner",
    "multisubnetfailover": "multi_subnet_failover",
    "applicationintent": "intent",
    "serverspn": "spn",
}
_YES: Final = frozenset({"yes", "true", "sspi", "1"})
_ENCRYPTION: Final[Mapping[str, str]] = {
    **dict.fromkeys(("no", "false", "optional"), Encryption.NO.value),
    "strict": Encryption.STRICT.value,
}
_SIGN_IN: Final[Mapping[str, str]] = {
    "sqlpassword": SignIn.SQL.value,
    "activedirectoryintegrated": SignIn.ENTRA_INTEGRATED.value,
    "activedirectoryinteractive": SignIn.ENTRA_INTERACTIVE.value,
    "activedirectorypassword": SignIn.ENTRA_PASSWORD.value,
    "activedirectoryserviceprincipal": SignIn.ENTRA_SERVICE_PRINCIPAL.value,
}


def understand(text: str) -> ForeignAddress | None:
    """Return the server an address of another tool names, None where it is none of a SQL Server.

    Raises:
        BadInput: it is reached in another way than TCP, or is a command that names no server.
    """
    if (command := read_command(text)) is not None:
        return _made(command)
    plain = text.strip().strip("\"'").strip()
    if match := _JDBC.fullmatch(plain):
        return _made({"server": match["server"]} | _keywords(match["keywords"] or ""))
    if match := _URL.fullmatch(plain):
        user, _colon, password = (match["user"] or "").partition(":")
        given = {"user": unquote(user), "password": unquote(password), "server": match["server"]}
        return _made(given | _keywords((match["options"] or "").replace("&", ";")))
    return _made(_keywords(plain)) if "=" in plain else _bare(plain)


def _bare(text: str) -> ForeignAddress | None:
    """Read a server without keywords; IPv6 needs no brackets."""
    if _OTHER_WAY.match(text) or _is_ipv6(text):
        return _made({"server": text})
    match = _BARE.fullmatch(text)
    return _made({"user": match["user"] or "", "server": match["server"]}) if match else None


def _keywords(text: str) -> dict[str, str]:
    """Return what a connection string says, by the name it has here; what says nothing of the way is left out."""
    found: dict[str, str] = {}
    for match in _KEYWORD.finditer(text):
        name = _NAMES.get(re.sub(r"[\s_]", "", match["name"]).lower())
        if name is not None:
            found[name] = _unquoted(match["value"])
    return found


def _unquoted(value: str) -> str:
    closing = _QUOTES.get(value[:1])
    return value[1:-1].replace(closing * 2, closing) if closing and value.endswith(closing) else value


def _made(given: Mapping[str, str]) -> ForeignAddress | None:
    address = _address(given)
    if address is None:
        return None
    is_windows = given.get("is_windows", "").lower() in _YES
    auth = SignIn.WINDOWS.value if is_windows else _sign_in(given.get("auth", ""))
    has_user = not is_windows and auth != SignIn.ENTRA_INTEGRATED.value
    url = ServerUrl(
        ENGINE_ID,
        given.get("user", "") if has_user else "",
        address.host.lower(),
        address.port,
        address.instance,
        options=tuple(sorted({"auth": auth, **_options(given)}.items() if auth else _options(given).items())),
    )
    password = given.get("password", "")
    return ForeignAddress(url, Secret(password) if password else None)


def _is_ipv6(text: str) -> bool:
    """Tell whether a text is a bare IPv6 address, with a port or an instance behind it or without."""
    six = _SIX.fullmatch(text)
    try:
        return six is not None and bool(IPv6Address(six["six"]))
    except AddressValueError:
        return False


def _address(given: Mapping[str, str]) -> ServerAddress | None:
    """Return where the server is reached; raises BadInput where that is not over TCP."""
    server = given.get("server", "").strip()
    if _OTHER_WAY.match(server):
        raise BadInput(
            _(
                "Servers are reached over TCP here, not by named pipes (np:), shared memory (lpc:), LocalDB or the "
                "connection for administrators (admin:); write host, host:port or host\\instance"
            )
        )
    if _is_ipv6(server):
        server = _SIX.sub(r"[\g<six>]\g<rest>", server)
    match = _SERVER.fullmatch(server)
    if match is None:
        return None
    instance = match["instance"] or (f"\\{given['instance']}" if given.get("instance") else "")
    port = match["port"] or given.get("port", "")
    return parse_address(f"{match['host']}{instance},{port}" if port else f"{match['host']}{instance}")


def _sign_in(text: str) -> str:
    """Return the sign-in a keyword names; one this program does not know is passed on, so that it can be told."""
    plain = re.sub(r"\s", "", text).lower()
    return "" if plain == "notspecified" else _SIGN_IN.get(plain, plain)


def _options(given: Mapping[str, str]) -> dict[str, str]:
    options = {name: given[name] for name in ("certificate_host", "certificate_file", "failover_partner", "spn")
               if given.get(name)}  # fmt: skip
    encryption = _ENCRYPTION.get(given.get("encrypt", "").lower(), "")
    if encryption:
        options["encrypt"] = encryption
    if given.get("trust", "").lower() in _YES and encryption != Encryption.STRICT.value:
        options["trust"] = "yes"
    if given.get("multi_subnet_failover", "").lower() in _YES:
        options["multi_subnet_failover"] = "yes"
    if given.get("intent", "").lower() == "readonly":
        options["intent"] = "readonly"
    return options
