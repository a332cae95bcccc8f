"""Opening the pipeline a URL names, over drivers."""

from dataclasses import replace
from typing import Final

from app.domain.connection import ServerUrl
from app.domain.errors import BadInput, ConnectionLost
from app.domain.ports import StatementSink
from app.domain.statement import StatementRecord
from app.drivers.oracle.clients.opening import DatabaseAccess, needs_client, open_transport
from app.drivers.oracle.connection import OracleConnection
from app.drivers.oracle.error_table import ConnectFailed
from app.drivers.oracle.lab_clock import ServedLabClock
from app.drivers.oracle.session import End, RecordingSession
from app.drivers.oracle.settings import DriverChoice, OracleSettings
from app.drivers.oracle.url import ENGINE_ID, LAB_PASSWORD, LAB_USER, destination_of, read_settings
from app.foundation.asked import Asked
from app.foundation.clock import SystemClock
from app.foundation.secret import Secret
from app.foundation.texts import _

_OF_THIS_COMPUTER: Final = frozenset({"login_timeout", "statement_timeout"})


def open_server(
    url: ServerUrl,
    password: Secret | None,
    on_statement: StatementSink,
    destination: ServerUrl | None = None,
    destination_password: Secret | None = None,
) -> OracleConnection:
    """Open the pipeline whose source database a URL names.

    Args:
        password: None where the sign-in needs none.
        on_statement: receives a record of every statement.
        destination: what `destination_of(url)` names, taken apart; None where one database is both ends.

    Raises:
        BadInput: the URL's options cannot be used, or it names a destination that was not given.
        TargetError: a database cannot be reached, refuses the login, or needs a driver that is not here.
    """
    source = read_settings(url)
    if destination is None and destination_of(url):
        raise BadInput(_("{target}: its destination was not opened with it").format(target=url.login))
    if destination is not None and destination_of(destination):
        raise BadInput(
            _("{target} is a destination and names one of its own; leave that out").format(target=destination.login)
        )
    other = None if destination is None else read_settings(destination)
    transport = open_transport(
        DatabaseAccess(source, password),
        None if other is None else DatabaseAccess(other, destination_password),
    )
    label = source.name if other is None else f"{source.name} → {other.name}"
    return OracleConnection(
        transport,
        SystemClock(),
        on_statement,
        target_key(url),
        label,
        load_schema=source.load_schema,
        facts=(*_facts(_("Source"), source), *(() if other is None else _facts(_("Destination"), other))),
    )


def connect_lab(
    host: str, port: int, on_statement: StatementSink, options: tuple[tuple[str, str], ...] = ()
) -> OracleConnection:
    """Open a lab another process serves on this machine; its clock is the lab's own.

    Args:
        options: as of a database's URL, such as limits.

    Raises:
        BadInput: an option cannot be used.
        TargetError: no lab answers there, or what answers is none.
    """
    ends = [read_settings(ServerUrl(ENGINE_ID, LAB_USER, host, port, path=end.value, options=options)) for end in End]
    try:
        transport = open_transport(
            *(DatabaseAccess(settings, Secret(LAB_PASSWORD, is_public=True)) for settings in ends)
        )
    except ConnectFailed as error:
        raise ConnectionLost(
            _("no lab answers at {host}:{port}; start a lab server on this port, then connect again").format(
                host=host, port=port
            ),
            error.server_error,
        ) from error
    # the clock's own statements are timed by this computer's, and are no part of a session's record
    asked = Asked()
    clock = ServedLabClock(RecordingSession(transport, SystemClock(), _ignore_statement, asked=asked))
    key = f"lab@{host}:{port}?engine={ENGINE_ID}"
    source, destination = ends
    return OracleConnection(
        clock.watch(transport),
        clock,
        on_statement,
        key,
        key,
        facts=(*_facts(_("Source"), source), *_facts(_("Destination"), destination)),
        asked=asked,
        is_lab=True,
    )


def _ignore_statement(_record: StatementRecord) -> None:
    """Keep no record."""


def target_key(url: ServerUrl) -> str:
    """Return how to reach a pipeline again, its destination included; holds no password."""
    return replace(url, options=tuple(pair for pair in url.options if pair[0] not in _OF_THIS_COMPUTER)).text


def _facts(role: str, settings: OracleSettings) -> tuple[tuple[str, str], ...]:
    driver, encryption = _("python-oracledb, thin"), _("none: what is asked and answered can be read on the way")
    if needs_client(settings):
        is_former = settings.driver is DriverChoice.CX_ORACLE
        driver = _("cx_Oracle, Oracle Client") if is_former else _("python-oracledb, Oracle Client")
        # https://docs.oracle.com/en/database/oracle/oracle-database/19/dbseg/ "Configuring Oracle Database Native
        # Network Encryption": both ends accept it and neither asks for it unless sqlnet.ora says so
        encryption = _("none, unless sqlnet.ora of the database or of this computer asks for it")
    if settings.alias:
        encryption = _("as its entry in tnsnames.ora says: none, unless that names TCPS")
    if settings.is_encrypted:
        encryption = _("TCPS, name in the certificate not compared, by choice")
        if not settings.trusts_certificate:
            encryption = _("TCPS, certificate verified")
    rights = _("SYSDBA, by choice") if settings.is_sysdba else _("ordinary account")
    return (
        (_("{role}: driver").format(role=role), driver),
        (_("{role}: sign-in").format(role=role), f"{settings.sign_in.value}, {rights}"),
        (_("{role}: encryption").format(role=role), encryption),
    )
