"""How a SQL Server is reached: address, sign-in, encryption and limits, read from the options of its URL."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeVar

from app.domain.connection import LONGEST_LIMIT_S, ServerUrl
from app.domain.errors import BadInput
from app.foundation.texts import _

LOGIN_LIMIT_S: Final = 15
STATEMENT_LIMIT_S: Final = 120

_ADDRESS: Final = re.compile(
    r"(?:tcp:)?\s*(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<name>(?!\(localdb\)|lpc:|np:)[^\s\\,;{}=\"']+?))"
    r"(?:\\(?P<instance>[^\s\\,;{}=\"']+))?\s*(?:,\s*(?P<port>\d{1,5}))?",
    re.IGNORECASE,
)
_LAST_PORT: Final = 65_535
# What a server calls itself where it stands on the same machine as the one asked.
_HERE: Final = frozenset({".", "(local)", "localhost"})
_LOCAL_DB: Final = "(localdb)"

_Choice = TypeVar("_Choice", bound=StrEnum)


class SignIn(StrEnum):
    """How this program proves who it is; Entra ones carry the driver's own name of them."""

    SQL = "sql"
    WINDOWS = "windows"
    ENTRA_INTERACTIVE = "entra-interactive"
    ENTRA_PASSWORD = "entra-password"
    ENTRA_INTEGRATED = "entra-integrated"
    ENTRA_SERVICE_PRINCIPAL = "entra-service-principal"

    @property
    def needs_password(self) -> bool:
        """Whether there is a password, or a service principal's secret."""
        return self in (SignIn.SQL, SignIn.ENTRA_PASSWORD, SignIn.ENTRA_SERVICE_PRINCIPAL)

    @property
    def is_entra(self) -> bool:
        """Whether Microsoft Entra ID signs in."""
        return self not in (SignIn.SQL, SignIn.WINDOWS)


class Encryption(StrEnum):
    """Encryption of the connection, as the driver's `Encrypt` takes it."""

    YES = "yes"
    STRICT = "strict"
    NO = "no"


@dataclass(frozen=True)
class ServerAddress:
    """Where one server is reached: host with a port, with a named instance, or alone (port 1433).

    Attributes:
        spn: name its account is registered by for Kerberos, "" for the one drivers make of the address.
    """

    host: str
    port: int | None = None
    instance: str = ""
    spn: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """The address as SQL Server's own tools write it, with a colon before the port."""
        host = f"[{self.host}]" if ":" in self.host and self.port is not None else self.host
        if self.port is not None:
            return f"{host}:{self.port}"
        return f"{host}\\{self.instance}" if self.instance else host

    @property
    def server_value(self) -> str:
        """The address as an ODBC connection string takes it: `host,port` or `host\\instance`."""
        if self.port is not None:
            return f"{self.host},{self.port}"
        return f"{self.host}\\{self.instance}" if self.instance else self.host


@dataclass(frozen=True)
class ConnectionSettings:
    """Everything but the password that a connection needs.

    Attributes:
        user: login, or client id of a service principal; "" for the account of this computer.
        trusts_certificate: the server's certificate is not verified, by explicit choice.
        certificate_host: name the certificate must carry instead of the host's, "" for the host's.
        certificate_file: the server's own certificate to compare with, "" for none.
        failover_partner: database mirroring partner, "" for none.
        driver: "" for the first that is there, else as `drivers.py` names them, or the path of a library.
        servers: addresses of other servers by their name in the topology, where theirs is not to be used.
        spns: service principal names of other servers by their name in the topology.
        database: the one that is meant where a server has several of a kind, "" where that needs no saying.
    """

    address: ServerAddress
    sign_in: SignIn
    user: str = ""
    encryption: Encryption = Encryption.YES
    trusts_certificate: bool = False
    certificate_host: str = ""
    certificate_file: str = ""
    failover_partner: str = ""
    is_multi_subnet: bool = False
    is_read_only: bool = False
    driver: str = ""
    login_limit_s: int = LOGIN_LIMIT_S
    statement_limit_s: int = STATEMENT_LIMIT_S
    servers: tuple[tuple[str, ServerAddress], ...] = field(default=())
    spns: tuple[tuple[str, str], ...] = field(default=())
    database: str = ""


def parse_address(text: str) -> ServerAddress | None:
    r"""Return a network name as `sys.servers` and connection strings write it, None where it is no such thing.

    Understood are `host`, `host,port`, `host\instance`, `tcp:host,port` and IPv6 in brackets; a port goes before an
    instance, as with the drivers. Named pipes, shared memory and LocalDB are none.
    """
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        return None
    port = None if match["port"] is None else int(match["port"])
    if port is not None and not 0 < port <= _LAST_PORT:
        return None
    host = match["six"] or match["name"]
    return ServerAddress("localhost" if host.lower() in _HERE else host, port, "" if port else match["instance"] or "")


def read_settings(url: ServerUrl) -> ConnectionSettings:
    """Return the settings in the URL of a SQL Server.

    Raises:
        BadInput: an option is unknown or has no such value, or options exclude each other.
    """
    options = dict(url.options)
    spn = options.pop("spn", "")
    options_read = {name: read for name, read in _OPTIONS.items() if name in options}
    for name in options:
        if name not in _OPTIONS and not name.startswith((_SERVER_PREFIX, _SPN_PREFIX)):
            raise BadInput(
                _('{target}: there is no option "{name}"; there are {known}, server.NAME and spn.NAME').format(
                    target=url.login, name=name, known=", ".join(sorted([*_OPTIONS, "spn"]))
                )
            )
    values = {}
    for name, (attribute, read) in options_read.items():
        try:
            values[attribute] = read(options[name])
        except ValueError as error:
            raise BadInput(f"{url.login}: {name}: {error}") from error
    if url.path:
        raise BadInput(
            _("{target}: leave out the database; the program goes to those it needs by itself").format(target=url.login)
        )
    if url.host == _LOCAL_DB:
        raise BadInput(
            _("{target}: LocalDB is not supported; name an instance of SQL Server by its host").format(target=url.login)
        )
    if url.port is not None and url.instance:
        raise BadInput(_("{target}: give the port or the instance, not both").format(target=url.login))
    values.setdefault("sign_in", SignIn.SQL if url.user else SignIn.WINDOWS)
    settings = ConnectionSettings(
        address=ServerAddress("localhost" if url.host in _HERE else url.host, url.port, url.instance, spn),
        user=url.user,
        servers=tuple((name, _other_address(url, name, text)) for name, text in _others(options, _SERVER_PREFIX)),
        spns=tuple(_others(options, _SPN_PREFIX)),
        **values,  # type: ignore[arg-type]  # each value is of the type its reader returns
    )
    _check(url, settings)
    return settings


def needs_password(url: ServerUrl) -> bool:
    """Tell whether the sign-in of a URL needs a password; raises BadInput as `read_settings` does."""
    return read_settings(url).sign_in.needs_password


_SERVER_PREFIX: Final = "server."
_SPN_PREFIX: Final = "spn."


def _others(options: Mapping[str, str], prefix: str) -> list[tuple[str, str]]:
    return [(name.removeprefix(prefix), text) for name, text in options.items() if name.startswith(prefix)]


def _other_address(url: ServerUrl, name: str, text: str) -> ServerAddress:
    address = parse_address(text.replace(":", ",") if text.count(":") == 1 and not text.startswith("tcp:") else text)
    if address is None or not name:
        raise BadInput(
            _("{target}: server.{name} is no address; write server.NAME=host,port").format(target=url.login, name=name)
        )
    return address


def _check(url: ServerUrl, settings: ConnectionSettings) -> None:
    """Refuse values with which no server could be reached."""
    sign_in = settings.sign_in
    problem = ""
    if sign_in.needs_password and not settings.user:
        problem = _("sign-in {sign_in} needs a user before the @").format(sign_in=sign_in)
    elif sign_in in (SignIn.WINDOWS, SignIn.ENTRA_INTEGRATED) and settings.user:
        problem = _("sign-in {sign_in} uses the account of this computer; leave out the user").format(sign_in=sign_in)
    elif sign_in is not SignIn.WINDOWS and (settings.address.spn or settings.spns):
        problem = _("an SPN is for Windows sign-in; leave out spn=, or use auth=windows without a user")
    elif settings.encryption is Encryption.STRICT and settings.trusts_certificate:
        problem = _("encrypt=strict always verifies the certificate; leave out trust=yes")
    elif settings.encryption is Encryption.NO and (settings.certificate_host or settings.certificate_file):
        problem = _("without encryption there is no certificate to check; leave out encrypt=no")
    elif settings.failover_partner and settings.is_multi_subnet:
        problem = _("failover_partner= and multi_subnet_failover=yes exclude each other; give the one this site has")
    if problem:
        raise BadInput(f"{url.login}: {problem}")


def _one_of(kind: type[_Choice]) -> Callable[[str], _Choice]:
    def read(text: str) -> _Choice:
        try:
            return kind(text.lower())
        except ValueError as error:
            raise ValueError(_("must be one of {values}").format(values=", ".join(kind))) from error

    return read


def _is_yes(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ValueError(_("must be yes or no"))
    return text.lower() == "yes"


def _is_read_only(text: str) -> bool:
    if text.lower() not in ("readonly", "readwrite"):
        raise ValueError(_("must be readonly or readwrite"))
    return text.lower() == "readonly"


def _seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= LONGEST_LIMIT_S:
        raise ValueError(_("must be whole seconds, 1 to {longest}").format(longest=LONGEST_LIMIT_S))
    return int(text)


def _text(text: str) -> str:
    if not text or "\0" in text:
        raise ValueError(_("must not be empty"))
    return text


# Option: attribute it gives, and what reads it. A reader raises ValueError with what the value must be.
_OPTIONS: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "auth": ("sign_in", _one_of(SignIn)),
    "encrypt": ("encryption", _one_of(Encryption)),
    "trust": ("trusts_certificate", _is_yes),
    "certificate_host": ("certificate_host", _text),
    "certificate_file": ("certificate_file", _text),
    "failover_partner": ("failover_partner", _text),
    "multi_subnet_failover": ("is_multi_subnet", _is_yes),
    "intent": ("is_read_only", _is_read_only),
    "database": ("database", _text),
    "driver": ("driver", _text),
    "login_timeout": ("login_limit_s", _seconds),
    "statement_timeout": ("statement_limit_s", _seconds),
}
