"""Opening a target through a driver: choosing it, connecting, and learning where the other servers are.

An address is no server: a listener leads to another one after a failover. So each connection to the server a target
was opened with, and each to one instance (`Place.is_instance`), asks for its name first.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from app.domain.connection import ServerUrl, ShownCertificate
from app.domain.errors import BadInput, ConnectionLost, NotTrusted, ServerBusy, TargetError
from app.domain.ports import StatementSink
from app.domain.setting import Value
from app.domain.statement import StatementRecord
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.errors import ConnectError, ServerNotReached, SqlError
from app.drivers.sqlserver.late_changes import TAKE_MARK
from app.drivers.sqlserver.odbc.addresses import AddressBook
from app.drivers.sqlserver.odbc.certificate_shown import certificate_shown
from app.drivers.sqlserver.odbc.connect_errors import Attempt, connect_error, refuse_old
from app.drivers.sqlserver.odbc.connection_string import connection_string
from app.drivers.sqlserver.odbc.drivers import Dialect, Driver, choose_driver, find_installed
from app.drivers.sqlserver.odbc.library import DriverLibrary, RawConnection
from app.drivers.sqlserver.odbc.reaching import SQL_PORT
from app.drivers.sqlserver.odbc.results import Cursor, read_result
from app.drivers.sqlserver.odbc.settings import ConnectionSettings, Encryption, ServerAddress, read_settings
from app.drivers.sqlserver.odbc.transport import Deadlines, OdbcTransport
from app.drivers.sqlserver.server_clock import ServerClock
from app.drivers.sqlserver.session import Place, RecordingSession, Rows
from app.foundation.asked import Asked
from app.foundation.clock import Clock, SystemClock
from app.foundation.rows import Cell
from app.foundation.secret import Secret
from app.foundation.texts import _


@dataclass(frozen=True)
class Connector:
    """Makes the connections of one target.

    The address of the target may be that of a listener, which leads to another server after a failover: what is meant
    for the one that was opened is sent to no other. Nor is what is meant for an instance, whoever says where it is.

    Attributes:
        record: told each statement that asks a server for its name.
    """

    library: DriverLibrary
    driver: Driver
    settings: ConnectionSettings
    password: Secret | None
    addresses: AddressBook
    record: StatementSink

    def __call__(self, place: Place) -> RawConnection:
        """Connect to a database of a server.

        Raises:
            ConnectError: it could not be made, the server is too old, or is not the one meant.
        """
        try:
            connection = self._connect(place, self.addresses.address_of(place.server))
            is_own = self.addresses.is_own(place.server)
            if not self.addresses.has_told or not (is_own or place.is_instance):
                return connection
            wanted = self.addresses.own_name if is_own else place.server
            found = self._names_of(connection, place)
            if _is_one_of(wanted, found):
                return connection
            self._close(connection)
            if is_own:
                return self._connect_by_name(place, found[0])
            raise self._leads_elsewhere(place.server, found[0])
        except BadInput as error:
            raise ConnectError(ServerNotReached, str(error), SqlError(0, str(error), "HY024")) from error

    def _connect_by_name(self, place: Place, found: str) -> RawConnection:
        """Connect to the own server where another one answers at the target's address now."""
        own = self.addresses.own_name
        told = SqlError(0, f"{self.settings.address.label} is {found}", "08001")
        moved = _(
            "{address} leads to {found} now and no longer to {server}, so nothing is sent there; to reach {server} "
            "itself, add server.{server}=host,port to the target"
        ).format(address=self.settings.address.label, found=found, server=own)
        try:
            connection = self._connect(place, self.addresses.own_address_of(own))
        except (BadInput, ConnectError) as error:
            raise ConnectError(ServerNotReached, moved, told) from error
        if not _is_one_of(own, self._names_of(connection, place)):
            self._close(connection)
            raise ConnectError(ServerNotReached, moved, told)
        return connection

    def _leads_elsewhere(self, server: str, found: str) -> ConnectError:
        """Return the error for another server's address at which one answers that is not meant."""
        address = self.addresses.address_of(server).label
        sentence = _(
            "{address} leads to {found} and not to {server}, so nothing is sent there; to reach {server} itself, add "
            "server.{server}=host,port to the target"
        ).format(address=address, found=found, server=server)
        return ConnectError(ServerNotReached, sentence, SqlError(0, f"{address} is {found}", "08001"))

    def _names_of(self, connection: RawConnection, place: Place) -> tuple[str, ...]:
        """Return the names of the server that answers, () where it has none; raises ConnectError."""
        row = self._asked(connection, place, "server_name")[0]
        return tuple(name for name in (row.text("server_name"), row.text("instance_name")) if name)

    def mark(self, connection: RawConnection, place: Place) -> None:
        """Have a server tell until when something may arrive over a connection; raises ConnectError."""
        if not self._asked(connection, place, TAKE_MARK)[0].whole("is_held"):
            self._close(connection)
            sentence = _("{server} is being restored by somebody else right now; wait until that has ended").format(
                server=place.server
            )
            raise ConnectError(ServerBusy, sentence, SqlError(0, "the mark of changes is not free", "HYT00"))

    def _asked(self, connection: RawConnection, place: Place, statement: str) -> Rows:
        """Return a server's answer over a connection that nobody else has yet, and close it where that fails."""
        asked = RecordingSession(_OverOne(self.library, connection, place.server), SystemClock(), self.record)
        try:
            return asked.run(statement, place)
        except TargetError as error:
            self._close(connection)
            raise ConnectError(type(error), str(error), SqlError(0, error.server_error, "08001")) from None

    def _certificate_at(self, address: ServerAddress) -> ShownCertificate | None:
        """Return the certificate of a server; an instance without a port is not asked where it listens."""
        if address.instance and address.port is None:
            return None
        return certificate_shown(address.host, address.port or SQL_PORT)

    def _close(self, connection: RawConnection) -> None:
        with suppress(*self.library.errors):
            connection.close()

    def _connect(self, place: Place, address: ServerAddress) -> RawConnection:
        text = connection_string(self.driver, self.settings, self.password, address, place.database)
        tells = self.driver.dialect is not Dialect.FREETDS
        attempt = Attempt(place.server, address, place.database, self.driver.label, self.settings, tells)
        settings = self.settings
        try:
            connection = self.library.connect(text, settings.login_limit_s, settings.statement_limit_s)
            version = self.library.server_version(connection)
        except self.library.errors as error:
            failed = connect_error(self.library.to_sql_error(error, None), attempt, self.password)
            if issubclass(failed.kind, NotTrusted) and settings.encryption is not Encryption.STRICT:
                failed.certificate = self._certificate_at(address)
            raise failed from None
        too_old = refuse_old(version, attempt)
        if too_old is not None:
            connection.close()
            raise too_old
        return connection


def _is_one_of(server: str, names: tuple[str, ...]) -> bool:
    return not names or server.casefold() in {name.casefold() for name in names}


@dataclass
class _OverOne:
    """Sends over one connection, which somebody else waits for."""

    library: DriverLibrary
    connection: RawConnection
    own_server: str

    def send(
        self, statement: Statement, _place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement without parameters; raises SqlError."""
        cursor: Cursor | None = None
        try:
            cursor = self.library.open_cursor(self.connection, statement.limit_s)
            cursor.execute(bound_text(statement), tuple(parameters.values()))
            return read_result(cursor, statement)
        except self.library.errors as error:
            raise self.library.to_sql_error(error, cursor) from None
        finally:
            if cursor is not None:
                with suppress(*self.library.errors):
                    cursor.close()

    def close(self) -> None:
        """Leave it open: whoever made it closes it."""


@dataclass(frozen=True)
class OpenedTransport:
    """A transport that knows its own server, and the facts gathered while opening."""

    transport: OdbcTransport
    driver: Driver


def open_transport(
    settings: ConnectionSettings, password: Secret | None, sink: StatementSink, clock: Clock
) -> OpenedTransport:
    """Connect to the server a target names, and read its name and the addresses of the others.

    Raises:
        BadInput: the driver asked for is not there, or cannot do what is asked.
        TargetError: the server cannot be reached, refuses the login, or is too old.
    """
    driver = choose_driver(settings, find_installed())
    library = load_library(driver)
    addresses = AddressBook(settings)
    connect = Connector(library, driver, settings, password, addresses, sink)
    deadlines = Deadlines(statement_s=settings.statement_limit_s, login_s=settings.login_limit_s)
    transport = OdbcTransport(library, connect, addresses.own_name, deadlines=deadlines, mark=connect.mark)
    try:
        session = RecordingSession(transport, clock, sink)
        addresses.learn(session.run("server_addresses", Place(addresses.own_name, "master")))
    except BaseException:
        transport.close()
        raise
    transport.own_server = addresses.own_name
    return OpenedTransport(transport, driver)


def load_library(driver: Driver) -> DriverLibrary:
    """Import a driver's module, only now: the program works without any of them."""
    if driver.dialect is Dialect.MSSQL_PYTHON:
        from app.drivers.sqlserver.odbc.mssql_python_library import MssqlPythonLibrary

        return MssqlPythonLibrary()
    from app.drivers.sqlserver.odbc.pyodbc_library import PyodbcLibrary

    return PyodbcLibrary()


def open_server(url: ServerUrl, password: Secret | None, on_statement: StatementSink) -> SqlServerConnection:
    """Open the SQL Server a URL names; its clock is this computer's.

    Args:
        password: None where the sign-in needs none.
        on_statement: receives a record of every statement.

    Raises:
        BadInput: the URL's options cannot be used.
        TargetError: the server cannot be reached, refuses the login, or is too old.
    """
    settings, clock = read_settings(url), SystemClock()
    opened = open_transport(settings, password, on_statement, clock)
    return SqlServerConnection(
        opened.transport,
        clock,
        on_statement,
        target_key(url),
        opened.transport.own_server,
        cancel=opened.transport.cancel,
        losses=opened.transport.count_losses,
        end_changing=opened.transport.end_changing,
        describe=opened.transport.describe,
        database=settings.database,
        facts=connection_facts(opened.driver, settings),
    )


def connect_lab(
    host: str, port: int, on_statement: StatementSink, options: tuple[tuple[str, str], ...] = ()
) -> SqlServerConnection:
    """Open a lab another process serves on this machine; its clock is the lab's own.

    Args:
        options: as of a server's URL, such as the driver; the lab's certificate is trusted in any case.

    Raises:
        BadInput: an option cannot be used.
        ConnectionLost: no lab answers there.
        TargetError: what answers is none.
    """
    trusting = tuple(sorted({**dict(options), "trust": "yes"}.items()))
    settings = read_settings(ServerUrl("sqlserver", _LAB_USER, host, port, options=trusting))
    try:
        opened = open_transport(settings, Secret(_LAB_PASSWORD, is_public=True), on_statement, SystemClock())
    except ConnectionLost as error:
        raise ConnectionLost(
            _("no lab answers at {host}:{port}; start a lab server on this port, then connect again").format(
                host=host, port=port
            ),
            error.server_error,
        ) from error
    # the clock's own statements are timed by this computer's, and are no part of a session's record
    asked = Asked()
    clock = ServerClock(RecordingSession(opened.transport, SystemClock(), ignore_statement, asked=asked))
    key = f"lab@{host}:{port}"
    return SqlServerConnection(
        clock.watch(opened.transport),
        clock,
        on_statement,
        key,
        key,
        is_lab=True,
        asked=asked,
        cancel=opened.transport.cancel,
        losses=opened.transport.count_losses,
        end_changing=opened.transport.end_changing,
        describe=opened.transport.describe,
        database=settings.database,
        facts=connection_facts(opened.driver, settings),
    )


# Every lab has this login; nothing but the simulation is behind it.
_LAB_USER: Final = "replitune"
_LAB_PASSWORD: Final = "lab"


def target_key(url: ServerUrl) -> str:
    """Return a key to reach a server again, also from another computer: without parts that belong to this one."""
    kept = tuple(
        (name, value)
        for name, value in url.options
        if name not in _OF_THIS_COMPUTER and not (name == "driver" and ("/" in value or "\\" in value))
    )
    return replace(url, options=kept).text


_OF_THIS_COMPUTER: Final = frozenset({"login_timeout", "statement_timeout"})


def connection_facts(driver: Driver, settings: ConnectionSettings) -> tuple[tuple[str, str], ...]:
    """Return the connection's facts for a report: driver, sign-in, encryption, verified or not."""
    return (
        (_("Driver"), driver.label),
        (_("Sign-in"), settings.sign_in.value),
        (_("Encryption"), _encryption_words(settings, driver)),
    )


def _encryption_words(settings: ConnectionSettings, driver: Driver) -> str:
    if settings.encryption is Encryption.NO:
        return _("none beyond the login, by choice")
    if driver.dialect is Dialect.FREETDS:
        # src/tds/login.c of FreeTDS, tds7_login: an answer "login only" ends the encryption behind the login, whatever
        # was asked for, and no certificate shows who answered
        return _("asked for, but not assured: FreeTDS verifies nobody, and goes on in clear text where it is told to")
    if settings.trusts_certificate:
        return _("encrypted, server certificate not verified, by choice")
    return _("encrypted, server certificate verified")


def ignore_statement(_record: StatementRecord) -> None:
    """For statements that belong to no session, such as those of a clock."""
