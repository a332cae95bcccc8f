"""The other end of the pipe: a process around a driver that needs a client library, and around nothing else.

Thin or thick is decided once for a process, and a client library that crashes takes its process along.
"""

import signal
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from threading import Lock

from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.clients.database import LocalDatabase
from app.drivers.oracle.clients.library import DriverLibrary, RawConnection, load_with_client, oracle_error_of
from app.drivers.oracle.clients.messages import Cancel, Close, Done, Failed, Open, Opened, Reply, Request, Send
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.settings import DriverChoice, OracleSettings
from app.foundation.console_events import outlast_the_console
from app.foundation.secret import Secret

_STATEMENTS_AT_ONCE = 2  # one for control, one of the load


def load_driver(settings: OracleSettings) -> DriverLibrary:
    """Load the driver a person asked for, with its client library; raises OracleError."""
    choice = DriverChoice.CX_ORACLE if settings.driver is DriverChoice.CX_ORACLE else DriverChoice.THICK
    return load_with_client(choice, settings.client, settings.tns_admin)


def serve(pipe: "Connection[Reply, Request]") -> None:
    """Answer requests until the other side closes the pipe or goes away."""
    # Ctrl+C, Ctrl+Break and a closed terminal reach this process, too; the program decides what they mean. It ends with
    # the pipe, and by SIGTERM.
    for name in ("SIGINT", "SIGHUP", "SIGBREAK"):
        if name in signal.Signals.__members__:
            signal.signal(signal.Signals[name], signal.SIG_IGN)
    outlast_the_console()
    try:
        opening = pipe.recv()
        if isinstance(opening, Open):
            _Served(pipe, opening).run()
    except (EOFError, OSError):
        return  # the program is gone


class _Served:
    def __init__(self, pipe: "Connection[Reply, Request]", opening: Open) -> None:
        self._pipe = pipe
        self._opening = opening
        self._turn = Lock()

    def run(self) -> None:
        try:
            database, label = self._open()
        except OracleError as error:
            self._reply(Failed(0, error.code, error.text))
            return
        self._reply(Opened(label))
        try:
            with ThreadPoolExecutor(_STATEMENTS_AT_ONCE) as pool:
                self._listen(database, pool)
        finally:
            database.close()

    def _open(self) -> tuple[LocalDatabase, str]:
        settings = self._opening.settings
        library = self._opening.load(settings)
        password, wallet_password = _secret(self._opening.password), _secret(self._opening.wallet_password)

        def connect() -> RawConnection:
            try:
                return library.connect(settings, password, wallet_password)
            except library.errors as error:
                raise oracle_error_of(error, (password, wallet_password)) from None

        database = LocalDatabase(library, connect, self._opening.deadlines)
        database.connect()
        return database, library.label

    def _listen(self, database: LocalDatabase, pool: ThreadPoolExecutor) -> None:
        while True:
            try:
                request = self._pipe.recv()
            except (EOFError, OSError):
                request = Close()
            if isinstance(request, Close):
                database.cancel()
                return
            if isinstance(request, Cancel):
                database.cancel()
            elif isinstance(request, Send):
                pool.submit(self._run, database, request)

    def _run(self, database: LocalDatabase, request: Send) -> None:
        try:
            rows = database.send(catalogue()[request.name], dict(request.binds))
            self._reply(Done(request.number, rows))
        except OracleError as error:
            self._reply(Failed(request.number, error.code, error.text))
        except (TypeError, ValueError, AssertionError) as error:  # a fault of the program; the other side reports it
            self._reply(Failed(request.number, "", f"{type(error).__name__}: {error}"))

    def _reply(self, reply: Reply) -> None:
        with self._turn:
            self._pipe.send(reply)


def _secret(value: str | None) -> Secret | None:
    return None if value is None else Secret(value)
