"""The connection string of each driver, every value in braces so that none can add a keyword."""

from typing import Final

from app.domain.errors import BadInput
from app.drivers.sqlserver.odbc.drivers import Dialect, Driver
from app.drivers.sqlserver.odbc.settings import ConnectionSettings, Encryption, ServerAddress, SignIn
from app.foundation.secret import Secret
from app.foundation.texts import _

APPLICATION: Final = "Replitune"
_SQL_PORT: Final = 1433

# As the drivers name them: MicrosoftDocs/sql-docs:docs/connect/odbc/using-azure-active-directory.md
_ENTRA: Final = {
    SignIn.ENTRA_INTERACTIVE: "ActiveDirectoryInteractive",
    SignIn.ENTRA_PASSWORD: "ActiveDirectoryPassword",
    SignIn.ENTRA_INTEGRATED: "ActiveDirectoryIntegrated",
    SignIn.ENTRA_SERVICE_PRINCIPAL: "ActiveDirectoryServicePrincipal",
}

Keywords = list[tuple[str, str]]


def connection_string(
    driver: Driver,
    settings: ConnectionSettings,
    password: Secret | None,
    address: ServerAddress,
    database: str,
) -> str:
    """Return the connection string for one database of one server.

    Args:
        password: None where the sign-in needs none.
        address: of this server; failover partner and intent are those of the server the target was opened with.

    Raises:
        BadInput: a value holds a character no driver can take.
    """
    is_main = address == settings.address
    if driver.dialect is Dialect.FREETDS:
        keywords = _freetds(settings, address)
    else:
        keywords = _microsoft(settings, address)
        if is_main and settings.failover_partner:
            keywords.append(("Failover_Partner", settings.failover_partner))
    if driver.dialect is not Dialect.MSSQL_PYTHON:  # which sets its own, and refuses these two
        keywords = [("DRIVER", driver.name), *keywords, ("APP", APPLICATION)]
    if is_main and settings.is_read_only:
        keywords.append(("ApplicationIntent", "ReadOnly"))
    keywords += [("DATABASE", database), *_sign_in(settings, password, address)]
    quote = quoted_for_freetds if driver.dialect is Dialect.FREETDS else quoted
    return ";".join(f"{keyword}={quote(value)}" for keyword, value in keywords) + ";"


def quoted(value: str) -> str:
    """Return a value in braces, closing ones doubled, as the ODBC connection string grammar has it.

    Raises:
        BadInput: it holds a NUL character, where a driver would stop reading.
    """
    _refuse_nul(value)
    return "{" + value.replace("}", "}}") + "}"


def quoted_for_freetds(value: str) -> str:
    """Return a value in braces as FreeTDS 1.3 reads them: it knows no doubled brace, and ends a value at `};`.

    Raises:
        BadInput: it holds just that, or a NUL character.
    """
    _refuse_nul(value)
    if "};" in value:
        raise BadInput(
            _("FreeTDS cannot take a user name, password or address with }; in it; use Microsoft's ODBC Driver 18")
        )
    return "{" + value + "}"


def _refuse_nul(value: str) -> None:
    if "\0" in value:
        raise BadInput(_("a user name, password or address must not hold a NUL character"))


def _microsoft(settings: ConnectionSettings, address: ServerAddress) -> Keywords:
    keywords = [
        ("SERVER", address.server_value),
        ("Encrypt", settings.encryption.value),
        ("TrustServerCertificate", "yes" if settings.trusts_certificate else "no"),
        # A connection that broke is made anew by this program, which knows what may have run; never by the driver.
        ("ConnectRetryCount", "0"),
    ]
    if settings.certificate_host:
        keywords.append(("HostNameInCertificate", settings.certificate_host))
    if settings.certificate_file:
        keywords.append(("ServerCertificate", settings.certificate_file))
    if settings.is_multi_subnet:
        keywords.append(("MultiSubnetFailover", "Yes"))
    return keywords


def _freetds(settings: ConnectionSettings, address: ServerAddress) -> Keywords:
    encryption = "off" if settings.encryption is Encryption.NO else "require"
    keywords = [("TDS_Version", "7.4"), ("Encryption", encryption), ("ClientCharset", "UTF-8")]
    if address.instance and address.port is None:
        return [("SERVER", f"{address.host}\\{address.instance}"), *keywords]
    return [("SERVER", address.host), ("PORT", str(address.port or _SQL_PORT)), *keywords]


def _sign_in(settings: ConnectionSettings, password: Secret | None, address: ServerAddress) -> Keywords:
    if settings.sign_in is SignIn.WINDOWS:
        # MicrosoftDocs/sql-docs:docs/connect/odbc/dsn-connection-string-attribute.md; the same name in FreeTDS
        return [("Trusted_Connection", "Yes"), *([("ServerSPN", address.spn)] if address.spn else [])]
    keywords = []
    if settings.sign_in in _ENTRA:
        keywords.append(("Authentication", _ENTRA[settings.sign_in]))
    if settings.user:
        keywords.append(("UID", settings.user))
    if password is not None and settings.sign_in.needs_password:
        keywords.append(("PWD", password.reveal()))
    return keywords
