"""The connection form of an Oracle target: the source database, and how its destination is named."""

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
from app.drivers.oracle.foreign_address import understand
from app.drivers.oracle.settings import DEFAULT_PORT, LOGIN_LIMIT_S, STATEMENT_LIMIT_S, DriverChoice, SignIn
from app.drivers.oracle.url import DESTINATION_OPTION, ENGINE_ID, read_settings
from app.foundation.texts import _

BY_SERVICE: Final = "service"
BY_SID: Final = "sid"


def make_target(values: Mapping[str, str]) -> str:
    """Return the URL that host, port and service or SID make.

    Raises:
        BadInput: a value cannot be used, or values exclude each other.
    """
    given = {name: value.strip() for name, value in values.items()}
    if not given.get("host") or not given.get("database"):
        raise BadInput(_("give the host and the service or SID of the source database"))
    port = given.get("port", "")
    if port and not port.isdigit():
        raise BadInput(_('"{port}" is no port; it is a whole number').format(port=port))
    is_sid = given.get("database_by") == BY_SID
    return _checked(
        ServerUrl(
            engine=ENGINE_ID,
            user=_user(given),
            host=given["host"].lower(),
            port=int(port) if port else None,
            path="" if is_sid else given["database"],
            options=_sorted(options_of(_LISTENER, given) | ({"sid": given["database"]} if is_sid else {})),
        )
    )


def make_alias_target(values: Mapping[str, str]) -> str:
    """Return the URL that an alias of tnsnames.ora makes; raises BadInput as `make_target` does."""
    given = {name: value.strip() for name, value in values.items()}
    if not given.get("alias"):
        raise BadInput(_("give the alias of the source database in tnsnames.ora"))
    return _checked(
        ServerUrl(
            engine=ENGINE_ID,
            user=_user(given),
            host=given["alias"].lower(),
            options=_sorted(options_of(_ALIAS, given)),
        )
    )


def read_values(url: ServerUrl) -> Mapping[str, str]:
    """Return the form's values that make a URL of a listener; those of options the form does not have are left out."""
    sid = dict(url.options).get("sid", "")
    return {
        **values_of(_LISTENER, url),
        "user": url.user,
        "host": url.host,
        "port": port_text(url),
        "database_by": BY_SID if sid else BY_SERVICE,
        "database": sid or url.path,
    }


def read_alias_values(url: ServerUrl) -> Mapping[str, str]:
    """Return the form's values that make a URL of an alias."""
    return {**values_of(_ALIAS, url), "user": url.user, "alias": url.host}


def _user(given: Mapping[str, str]) -> str:
    return "" if given.get("sign_in") == SignIn.EXTERNAL.value else given.get("user", "")


def _sorted(options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(options.items()))


def _checked(url: ServerUrl) -> str:
    read_settings(url)
    return url.text


_PASSWORD_SIGN_IN: Final = ("sign_in", ("", SignIn.PASSWORD.value))

_SIGN_IN: Final = (
    ConnectionField(
        "user",
        _("User"),
        FieldKind.TEXT,
        _("The login's name; user[schema] for a proxy user. SYS is not needed."),
        example="strmadmin",
        shown_for=_PASSWORD_SIGN_IN,
    ),
    password_field(
        _("Never kept in a file; leave empty to be asked each time."),
        _PASSWORD_SIGN_IN,
    ),
    optional_field(
        DESTINATION_OPTION,
        _("Destination"),
        _(
            "The database that applies the changes: the name of a saved target, or its address; "
            "leave empty where one database is both ends."
        ),
        example="oracle://strmadmin@db2:1521/DST",
    ),
)
_MORE: Final = (
    choice_field(
        "driver",
        _("Driver"),
        _("The built-in driver reaches 12.1 and later; older databases need an Oracle Client."),
        FieldOption("", _("Built in (12.1+)")),
        FieldOption(DriverChoice.THICK.value, _("Oracle Client")),
        FieldOption(DriverChoice.CX_ORACLE.value, _("Oracle Client (cx_Oracle)")),
    ),
    optional_field(
        "client",
        _("Oracle Client folder"),
        _("Folder of the client's libraries: 12.1 for databases from 10.2 on, 19 for those from 11.2 on."),
        example="/opt/instantclient_12_1",
        shown_for=("driver", (DriverChoice.THICK.value, DriverChoice.CX_ORACLE.value)),
    ),
    choice_field(
        "sign_in",
        _("Sign-in"),
        _("External uses the account or wallet of this computer and needs an Oracle Client."),
        FieldOption(SignIn.PASSWORD.value, _("User and password")),
        FieldOption(SignIn.EXTERNAL.value, _("External")),
        is_seldom=True,
    ),
    optional_field(
        "load_schema",
        _("Schema of the test table"),
        _("A replicated one; empty for the login's own."),
        example="SCOTT",
        is_seldom=True,
    ),
    seconds_field("login_timeout", _("Time to connect, s"), _("Longest wait for a connection."), LOGIN_LIMIT_S),
    seconds_field(
        "statement_timeout", _("Time for a statement, s"), _("Longest wait for a result."), STATEMENT_LIMIT_S
    ),
)
_LISTENER: Final = (
    ConnectionField(
        "host",
        _("Source host"),
        FieldKind.TEXT,
        _("The source database's host, or a cluster's SCAN."),
        example="db1",
        is_entry=True,
    ),
    optional_field(
        "port",
        _("Port"),
        _("Only where its listener is not at 1521, or 2484 for TCPS."),
        FieldKind.PORT,
        example=str(DEFAULT_PORT),
        option="",
    ),
    choice_field(
        "database_by",
        _("Known by"),
        _("A service is the usual way; a SID names one instance."),
        FieldOption(BY_SERVICE, _("Service")),
        FieldOption(BY_SID, _("SID"), option="sid"),
        option="",
    ),
    ConnectionField("database", _("Service or SID"), FieldKind.TEXT, _("As its listener knows it."), example="SRC"),
    *_SIGN_IN,
    *_MORE,
    choice_field(
        "protocol",
        _("Encryption"),
        _("TCPS where the listener has an encrypted port."),
        FieldOption("tcp", _("None, unless an Oracle Client agrees on it")),
        FieldOption("tcps", _("TCPS")),
        is_seldom=True,
    ),
    optional_field(
        "wallet", _("Wallet folder"), _("With ewallet.pem, or cwallet.sso for an Oracle Client."), is_seldom=True
    ),
    optional_field(
        "certificate_dn", _("Name in the certificate"), _("Where it is made out to another name."), is_seldom=True
    ),
    optional_field(
        "addresses",
        _("Further listeners"),
        _("Of a cluster, tried in order, with commas."),
        example="db2:1521,db3:1521",
        is_seldom=True,
    ),
)
_ALIAS: Final = (
    ConnectionField(
        "alias", _("Source alias"), FieldKind.TEXT, _("As tnsnames.ora spells it."), example="SRC", is_entry=True
    ),
    optional_field("tns_admin", _("Folder of tnsnames.ora"), _("Empty for the one TNS_ADMIN names.")),
    *_SIGN_IN,
    *_MORE,
)

CONNECTION_WAYS: Final[tuple[ConnectionWay, ...]] = (
    ConnectionWay(
        way_id="oracle",
        title=_("An Oracle database"),
        fields=_LISTENER,
        pattern="",
        suggested_name="{host}",
        make_target=make_target,
        read_values=read_values,
        understands=understand,
        engine=ENGINE_ID,
        rank=20,
    ),
    ConnectionWay(
        way_id="oracle_alias",
        title=_("An Oracle database, by TNS alias"),
        fields=_ALIAS,
        pattern="",
        suggested_name="{alias}",
        make_target=make_alias_target,
        read_values=read_alias_values,
        understands=understand,
        engine=ENGINE_ID,
        rank=20,
    ),
    ConnectionWay(
        way_id="oracle_lab_server",
        title=_("A lab server for Oracle on this computer"),
        fields=(
            ConnectionField(
                "port",
                _("Port"),
                FieldKind.PORT,
                _("The port that the lab server printed when it was started."),
                example="51521",
            ),
        ),
        pattern=f"lab@127.0.0.1:{{port}}?engine={ENGINE_ID}",
        suggested_name=_("Oracle lab server {port}"),
        rank=91,
    ),
)
