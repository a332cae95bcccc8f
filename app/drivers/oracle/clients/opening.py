"""Opening the two databases of a pipeline: which driver each gets, and one Transport over both."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import CellRows, Database, Deadlines, LocalDatabase
from app.drivers.oracle.clients.library import DriverLibrary, RawConnection, load_thin, oracle_error_of
from app.drivers.oracle.clients.process import ProcessDatabase
from app.drivers.oracle.errors import CONNECTING, OracleError, to_target_error
from app.drivers.oracle.session import End
from app.drivers.oracle.settings import DriverChoice, OracleSettings, SignIn
from app.foundation.interruption import PATIENCE_S
from app.foundation.secret import Secret


@dataclass(frozen=True)
class DatabaseAccess:
    """One database with the passwords it takes; printing it shows neither."""

    settings: OracleSettings
    password: Secret | None = None
    wallet_password: Secret | None = None


def needs_client(settings: OracleSettings) -> bool:
    """Tell whether a client library is needed: asked for, or for external sign-in, which thin mode lacks."""
    if settings.driver is DriverChoice.AUTOMATIC:
        return bool(settings.client) or settings.sign_in is SignIn.EXTERNAL
    return settings.driver is not DriverChoice.THIN


def make_database(access: DatabaseAccess) -> Database:
    """Return a database over the driver its settings ask for; nothing is connected yet.

    Raises:
        OracleError: python-oracledb is not installed.
    """
    if needs_client(access.settings):
        return ProcessDatabase(access.settings, access.password, access.wallet_password)
    return local_database(load_thin(), access)


def local_database(
    library: DriverLibrary, access: DatabaseAccess, deadlines: Deadlines | None = None, patience_s: float = PATIENCE_S
) -> LocalDatabase:
    """Return a database whose connections live in this process.

    Args:
        deadlines: None for those of the limits its settings name.
        patience_s: how long a statement runs at least before its driver is told to end it.
    """
    settings, secrets = access.settings, (access.password, access.wallet_password)
    deadlines = deadlines or Deadlines.of(settings)

    def connect() -> RawConnection:
        try:
            return library.connect(settings, *secrets)
        except library.errors as error:
            raise oracle_error_of(error, secrets) from None

    return LocalDatabase(library, connect, deadlines, patience_s)


class PipelineTransport:
    """Sends statements to the database of an end; both ends may be one database."""

    def __init__(self, databases: Mapping[End, Database], labels: Mapping[End, str]) -> None:
        self._databases = dict(databases)
        self._labels = dict(labels)

    def server_of(self, end: End) -> str:
        """Return how a person writes a database."""
        return self._labels[end]

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> CellRows:
        """Run the statement; raises OracleError."""
        return self._databases[end].send(statement, binds)

    def cancel(self) -> None:
        """Cancel whatever statements run now."""
        for database in set(self._databases.values()):
            database.cancel()

    def close(self) -> None:
        """Close every connection."""
        for database in set(self._databases.values()):
            database.close()


def open_transport(source: DatabaseAccess, destination: DatabaseAccess | None) -> PipelineTransport:
    """Connect to both databases of a pipeline; without a destination, one database is both ends.

    Raises:
        TargetError: one of them cannot be reached, refuses the login, or needs a driver that is not here.
    """
    opened: list[Database] = []
    try:
        first = _opened(source, opened)
        second = first if destination is None else _opened(destination, opened)
    except BaseException:
        for database in opened:
            database.close()
        raise
    labels = {
        End.SOURCE: source.settings.label,
        End.DESTINATION: (destination or source).settings.label,
    }
    return PipelineTransport({End.SOURCE: first, End.DESTINATION: second}, labels)


def _opened(access: DatabaseAccess, opened: list[Database]) -> Database:
    try:
        database = make_database(access)
        opened.append(database)
        database.connect()
    except OracleError as error:
        raise to_target_error(error, CONNECTING, "CREATE SESSION", access.settings.label) from None
    return database
