"""How one Oracle database is reached: address, sign-in, encryption, driver and limits, as its URL says; pure."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

DEFAULT_PORT: Final = 1521
DEFAULT_TCPS_PORT: Final = 2484
LOGIN_LIMIT_S: Final = 15
STATEMENT_LIMIT_S: Final = 60


class DriverChoice(StrEnum):
    """Which driver carries the connection; AUTOMATIC is thin unless something asked for needs a client library."""

    AUTOMATIC = ""
    THIN = "thin"
    THICK = "thick"
    CX_ORACLE = "cx_Oracle"


class SignIn(StrEnum):
    """How this program proves who it is."""

    PASSWORD = "password"
    EXTERNAL = "external"


@dataclass(frozen=True)
class HostPort:
    """One address of a listener; IPv6 without brackets."""

    host: str
    port: int

    @property
    def label(self) -> str:
        """The address with a colon before the port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True)
class OracleSettings:
    """Everything but the passwords that a connection needs.

    Attributes:
        user: login; with `schema` a proxy user, who works as that schema. "" for external sign-in.
        addresses: listeners tried in order; () where `alias` names an entry of tnsnames.ora.
        service, sid: exactly one, unless `alias` is given.
        tns_admin: folder of tnsnames.ora and sqlnet.ora, "" for the environment's TNS_ADMIN.
        is_encrypted: TCPS. wallet: folder of the wallet, "" for none. certificate_dn: name its certificate must carry.
        trusts_certificate: the server's name is not compared with its certificate's, by explicit choice.
        is_sysdba: asked for in so many words.
        client: folder of the Oracle Client library, "" for the system's search path.
        load_schema: schema of the test table, "" for the one the connection works in.
    """

    user: str = ""
    schema: str = ""
    addresses: tuple[HostPort, ...] = ()
    service: str = ""
    sid: str = ""
    alias: str = ""
    tns_admin: str = ""
    is_encrypted: bool = False
    wallet: str = ""
    certificate_dn: str = ""
    trusts_certificate: bool = False
    sign_in: SignIn = SignIn.PASSWORD
    is_sysdba: bool = False
    driver: DriverChoice = DriverChoice.AUTOMATIC
    client: str = ""
    load_schema: str = ""
    login_limit_s: int = LOGIN_LIMIT_S
    statement_limit_s: int = STATEMENT_LIMIT_S

    @property
    def label(self) -> str:
        """How a person writes the database; holds neither user nor password."""
        if self.alias:
            return self.alias
        first = self.addresses[0].label
        return f"{first}/{self.service}" if self.service else f"{first} (SID {self.sid})"

    @property
    def name(self) -> str:
        """The database as a person calls it, wherever it is."""
        return self.alias or self.service or self.sid

    @property
    def login_name(self) -> str:
        """The user as a driver takes it: a proxy user with the schema in brackets."""
        return f"{self.user}[{self.schema}]" if self.schema else self.user


# What may stand in a descriptor: nothing that ends a value or begins another, and no quote.
PLAIN: Final = re.compile(r"[A-Za-z0-9_.$#:/\\ %+~,-]+")


def connect_descriptor(settings: OracleSettings) -> str:
    """Return a driver's connect string: the alias, or a descriptor with the addresses and limits on connecting.

    Values were checked against `PLAIN` when the settings were read. Parameters: Oracle Database Net Services Reference,
    chapter Local Naming Parameters; clients that do not know TRANSPORT_CONNECT_TIMEOUT pass it over.
    """
    if settings.alias:
        return settings.alias
    protocol = "tcps" if settings.is_encrypted else "tcp"
    listeners = "".join(
        f"(ADDRESS=(PROTOCOL={protocol})(HOST={address.host})(PORT={address.port}))" for address in settings.addresses
    )
    wanted = f"(SERVICE_NAME={settings.service})" if settings.service else f"(SID={settings.sid})"
    limits = f"(CONNECT_TIMEOUT={settings.login_limit_s})(TRANSPORT_CONNECT_TIMEOUT={settings.login_limit_s})"
    return (
        f"(DESCRIPTION={limits}(RETRY_COUNT=0)(ADDRESS_LIST=(LOAD_BALANCE=OFF)(FAILOVER=ON){listeners})"
        f"(CONNECT_DATA={wanted}){_security(settings)})"
    )


def _security(settings: OracleSettings) -> str:
    if not settings.is_encrypted:
        return ""
    parts = ["(SSL_SERVER_DN_MATCH=OFF)" if settings.trusts_certificate else "(SSL_SERVER_DN_MATCH=ON)"]
    if settings.certificate_dn:
        parts.append(f'(SSL_SERVER_CERT_DN="{settings.certificate_dn}")')
    if settings.wallet:
        parts.append(f"(MY_WALLET_DIRECTORY={settings.wallet})")
    return f"(SECURITY={''.join(parts)})"
