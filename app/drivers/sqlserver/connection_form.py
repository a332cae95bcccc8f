"""The connection form of a SQL Server."""

from collections.abc import Mapping
from typing import Final

from app.domain.connection import (
    ConnectionField,
    ConnectionWay,
    FieldKind,
    FieldOption,
    ServerUrl,
    choice_field,
    optional_field,
    options_of,
    password_field,
    port_text,
    seconds_field,
    values_of,
)
from app.domain.errors import BadInput
from app.drivers.sqlserver.foreign_address import understand
from app.drivers.sqlserver.odbc.settings import (
    LOGIN_LIMIT_S,
    STATEMENT_LIMIT_S,
    Encryption,
    ServerAddress,
    SignIn,
    parse_address,
    read_settings,
)
from app.foundation.texts import _

_WITH_USER: Final = (
    SignIn.SQL.value,
    SignIn.ENTRA_PASSWORD.value,
    SignIn.ENTRA_INTERACTIVE.value,
    SignIn.ENTRA_SERVICE_PRINCIPAL.value,
)
_WITH_PASSWORD: Final = tuple(sign_in.value for sign_in in SignIn if sign_in.needs_password)


def make_target(values: Mapping[str, str]) -> str:
    r"""Return the URL the form's values make, such as `sqlserver://anna@db1:1433?trust=yes`.

    Raises:
        BadInput: the server is no address, or values exclude each other.
    """
    given = {name: value.strip() for name, value in values.items()}
    address = _address(given.get("server", ""))
    if address is None:
        raise BadInput(
            _(
                '"{server}" is no server; write host, host,port or host\\instance; named pipes, shared memory and '
                "LocalDB are not supported"
            ).format(server=values.get("server", ""))
        )
    sign_in = given.get("sign_in", "") or SignIn.SQL.value
    port = given.get("port", "")
    if port and address.instance:
        raise BadInput(_("give the port or the instance, not both"))
    options = options_of(_FIELDS, given)
    if given.get("sign_in") and not (sign_in == SignIn.SQL.value and given.get("user")):  # what a user means anyway
        options["auth"] = sign_in
    if sign_in != SignIn.WINDOWS.value:
        options.pop("spn", None)  # the field is not shown then
    if options.get("encrypt") == Encryption.STRICT.value:
        options.pop("trust", None)
    url = ServerUrl(
        engine="sqlserver",
        user=given.get("user", "") if sign_in in _WITH_USER else "",
        host=address.host.lower(),
        port=int(port) if port else address.port,
        instance=address.instance,
        options=tuple(sorted(options.items())),
    )
    read_settings(url)
    return url.text


def _address(text: str) -> ServerAddress | None:
    """Return the address that stands in the field for the server, also with a colon before the port."""
    address, found = parse_address(text), understand(text)
    if address is None and found is not None and not (found.password or found.url.user or found.url.options):
        return ServerAddress(found.url.host, found.url.port, found.url.instance)
    return address


def read_values(url: ServerUrl) -> Mapping[str, str]:
    """Return the form's values that make a URL; those of options the form does not have are left out."""
    given = values_of(_FIELDS, url)
    given["sign_in"] = dict(url.options).get("auth", SignIn.SQL.value if url.user else SignIn.WINDOWS.value)
    host = f"{url.host}\\{url.instance}" if url.instance else url.host
    return {**given, "server": host, "user": url.user, "port": port_text(url)}


_FIELDS: Final = (
    ConnectionField(
        "server",
        _("Server"),
        FieldKind.TEXT,
        _("Its network name, with \\instance where it has one."),
        example="sql01\\SALES",
        is_entry=True,
    ),
    optional_field(
        "port",
        _("Port"),
        _("Only where it is not 1433 and there is no instance name."),
        FieldKind.PORT,
        example="1433",
        option="",
    ),
    choice_field(
        "sign_in",
        _("Sign-in"),
        _("Windows uses the account you are signed in with on this computer."),
        FieldOption(SignIn.SQL.value, _("SQL Server login")),
        FieldOption(SignIn.WINDOWS.value, _("Windows account of this computer")),
        FieldOption(SignIn.ENTRA_INTERACTIVE.value, _("Microsoft Entra, in the browser")),
        FieldOption(SignIn.ENTRA_PASSWORD.value, _("Microsoft Entra, user and password")),
        FieldOption(SignIn.ENTRA_INTEGRATED.value, _("Microsoft Entra, account of this computer")),
        FieldOption(SignIn.ENTRA_SERVICE_PRINCIPAL.value, _("Microsoft Entra, service principal")),
        option="auth",
    ),
    ConnectionField(
        "user",
        _("User"),
        FieldKind.TEXT,
        _("The login's name; for a service principal, its client id."),
        example="anna",
        shown_for=("sign_in", _WITH_USER),
    ),
    password_field(_("Never kept in a file; leave empty to be asked each time."), ("sign_in", _WITH_PASSWORD)),
    choice_field(
        "encryption",
        _("Encryption"),
        _("Strict (TDS 8) needs SQL Server 2022 and a certificate."),
        FieldOption(Encryption.YES.value, _("Encrypted")),
        FieldOption(Encryption.STRICT.value, _("Strict")),
        FieldOption(Encryption.NO.value, _("Not encrypted")),
        option="encrypt",
    ),
    optional_field(
        "trust",
        _("Trust server certificate"),
        _("For servers with a self-signed certificate; the report says so."),
        FieldKind.CHECK,
        shown_for=("encryption", ("", Encryption.YES.value)),
    ),
    optional_field(
        "certificate_host",
        _("Name in the certificate"),
        _("Where the certificate is made out to another name than you connect by."),
        is_seldom=True,
    ),
    optional_field(
        "failover_partner",
        _("Failover partner"),
        _("The mirroring partner, where the database is mirrored."),
        is_seldom=True,
    ),
    optional_field(
        "multi_subnet_failover",
        _("Listener in several subnets"),
        _("Tries all addresses of the listener at once."),
        FieldKind.CHECK,
        is_seldom=True,
    ),
    optional_field(
        "spn",
        _("Service principal name"),
        _("Only from outside the domain, or by another name than the server is registered by."),
        example="MSSQLSvc/sql01.contoso.com:1433",
        is_seldom=True,
        shown_for=("sign_in", (SignIn.WINDOWS.value,)),
    ),
    optional_field(
        "driver",
        _("Driver"),
        _("Only where it is not to be the first one found on this computer."),
        example="mssql-python",
        is_seldom=True,
    ),
    optional_field(
        "database",
        _("Database"),
        _("Only where the server has several the program could mean; it says so then."),
        is_seldom=True,
    ),
    seconds_field("login_timeout", _("Time to connect, s"), _("Longest wait for a connection."), LOGIN_LIMIT_S),
    seconds_field(
        "statement_timeout", _("Time for a statement, s"), _("Longest wait for a result."), STATEMENT_LIMIT_S
    ),
)

CONNECTION_WAYS: Final[tuple[ConnectionWay, ...]] = (
    ConnectionWay(
        way_id="sqlserver",
        title=_("A SQL Server"),
        fields=_FIELDS,
        pattern="",
        suggested_name="{server}",
        make_target=make_target,
        read_values=read_values,
        understands=understand,
        engine="sqlserver",
        rank=10,
    ),
)
