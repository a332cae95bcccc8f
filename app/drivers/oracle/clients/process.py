"""A database whose connections live in a process of their own; if that process ends, the connection is lost."""

import contextlib
import itertools
import multiprocessing
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial
from multiprocessing.connection import Connection
from typing import Final

from app.domain.statement import Access
from app.drivers.oracle.catalogue import ConnectionUse, Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import CellRows, Deadlines, no_answer
from app.drivers.oracle.clients.messages import (
    Cancel,
    Close,
    Done,
    Failed,
    LoadLibrary,
    Open,
    Opened,
    Reply,
    Request,
    Send,
)
from app.drivers.oracle.clients.worker import load_driver, serve
from app.drivers.oracle.errors import DRIVER_ENDED, OracleError, is_refused
from app.drivers.oracle.settings import OracleSettings
from app.foundation.secret import Secret
from app.foundation.worker import Abandoned, Worker

# Beyond the limit on connecting: to start a process and load a client library.
_START_EXTRA_S: Final = 30.0
_END_S: Final = 5.0


class ProcessDatabase:
    """Starts its process when first used, and again after that process has ended.

    A login it was refused is not asked again, in no other process either.

    The process keeps the deadlines of its statements itself. A client library that hangs and lets nothing else run
    there keeps none: the process is then ended from here.

    Args:
        load: loads the driver over there; anything that pickles by name.
        deadlines: when a driver is not waited for any longer, None for those of the settings' limits; it crosses, too.
    """

    def __init__(
        self,
        settings: OracleSettings,
        password: Secret | None,
        wallet_password: Secret | None,
        load: LoadLibrary = load_driver,
        deadlines: Deadlines | None = None,
    ) -> None:
        self._settings = settings
        self._secrets = (password, wallet_password)
        self._load = load
        self._deadlines = deadlines or Deadlines.of(settings)
        self._turn = threading.Lock()
        self._peer: _Peer | None = None
        self._refusal: OracleError | None = None

    @property
    def label(self) -> str:
        """The driver as a person knows it, once it is loaded."""
        return "" if self._peer is None else self._peer.label

    @property
    def process_id(self) -> int | None:
        """The process' id, None while there is none."""
        return None if self._peer is None else self._peer.process_id

    def connect(self) -> None:
        """Start the process and connect; raises OracleError."""
        self._connected()

    def send(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        """Run a statement; raises OracleError. A reading one is sent once more where the process had ended before."""
        peer, is_new = self._connected()
        try:
            return self._sent(peer, statement, binds)
        except OracleError as error:
            self._note(error)
            if error.code != DRIVER_ENDED:
                raise
            self._forget(peer)
            if is_new or statement.access is not Access.READ or statement.connection is ConnectionUse.LOAD:
                raise
        peer, _is_new = self._connected()
        return self._sent(peer, statement, binds)

    def _sent(self, peer: "_Peer", statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        try:
            return peer.send(statement, binds)
        except Abandoned as abandoned:
            peer.kill()
            self._forget(peer)
            raise no_answer(abandoned, peer.limit_of(statement)) from None

    def cancel(self) -> None:
        """Cancel whatever runs now, from another thread."""
        peer = self._peer
        if peer is not None:
            peer.cancel()

    def close(self) -> None:
        """Close every connection and end the process."""
        with self._turn:
            peer, self._peer = self._peer, None
        if peer is not None:
            peer.end()

    def _connected(self) -> tuple["_Peer", bool]:
        with self._turn:
            if self._peer is not None:
                return self._peer, False
            if self._refusal is not None:
                raise OracleError(self._refusal.code, self._refusal.text)
            peer = _Peer(self._deadlines)
            password, wallet_password = (None if secret is None else secret.reveal() for secret in self._secrets)
            try:
                peer.open(Open(self._settings, self._load, self._deadlines, password, wallet_password))
            except OracleError as error:
                self._note(error)
                raise
            self._peer = peer
            return peer, True

    def _note(self, error: OracleError) -> None:
        if is_refused(error):
            self._refusal = error

    def _forget(self, peer: "_Peer") -> None:
        with self._turn:
            if self._peer is peer:
                self._peer = None
        peer.end()


class _Peer:
    """One process and the pipe to it."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines
        self._awaited: set[Worker] = set()
        # spawned, not forked: a fork would take along locks and drivers of this process
        context = multiprocessing.get_context("spawn")
        self._pipe: Connection[Request, Reply]
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=serve, args=(far,), name="replitune-oracle", daemon=True)
        self._process.start()
        far.close()
        self.label = ""
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[CellRows]] = {}
        self._is_over = False
        self._turn = threading.Lock()
        self._listener = threading.Thread(target=self._listen, name="replitune-oracle-replies", daemon=True)

    @property
    def process_id(self) -> int | None:
        return self._process.pid

    def limit_of(self, statement: Statement) -> float:
        """Return how long a statement is waited for: as over there, with a new connection before and a grace behind."""
        deadlines = self._deadlines
        return deadlines.login_s + deadlines.limit_of(statement) + 2 * deadlines.grace_s

    def open(self, request: Open) -> None:
        """Have it connect; raises OracleError and ends the process where that fails."""
        try:
            self._pipe.send(request)
            if not self._pipe.poll(self._deadlines.login_s + _START_EXTRA_S):
                raise OracleError("ORA-12170", "ORA-12170: connect timeout")
            reply = self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            raise OracleError(DRIVER_ENDED, f"exit code {self._process.exitcode}") from None
        except OracleError:
            self.end()
            raise
        if isinstance(reply, Failed):
            self.end()
            raise OracleError(reply.code, reply.text)
        assert isinstance(reply, Opened)
        self.label = reply.label
        self._listener.start()

    def send(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        """Run a statement over there; raises OracleError, or Abandoned where the process keeps no time limit."""
        # what was cancelled is waited for a little over there, and a little longer here
        hurry_s = self._deadlines.hurry_s + self._deadlines.grace_s
        worker = Worker("replitune-oracle-process", hurry_s, self._deadlines.wait)
        self._awaited.add(worker)
        try:
            return worker.run(partial(self._send, statement.name, binds), self.limit_of(statement))
        finally:
            self._awaited.discard(worker)
            worker.dismiss()

    def _send(self, name: str, binds: Mapping[str, BindValue]) -> CellRows:
        answer: Future[CellRows] = Future()
        with self._turn:
            if self._is_over:
                raise OracleError(DRIVER_ENDED, "the process has ended")
            number = next(self._numbers)
            self._waiting[number] = answer
        self.tell(Send(number, name, tuple(binds.items())))
        return answer.result()

    def cancel(self) -> None:
        """Cancel whatever runs there, and have it waited for only a little longer."""
        self.tell(Cancel())
        for worker in tuple(self._awaited):
            worker.hurry()

    def kill(self) -> None:
        """End the process whatever it does, without waiting for it."""
        self._process.kill()

    def tell(self, request: Request) -> None:
        """Send a request; a process that has ended is noticed by the listener."""
        with contextlib.suppress(OSError), self._turn:
            self._pipe.send(request)

    def end(self) -> None:
        """Have the process close its connections and end; end it where it does not."""
        self.tell(Close())
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_END_S)
        if self._listener.is_alive():
            self._listener.join(_END_S)
        with contextlib.suppress(OSError):
            self._pipe.close()

    def _listen(self) -> None:
        try:
            while True:
                self._settle(self._pipe.recv())
        except (EOFError, OSError):
            self._fail_all()

    def _settle(self, reply: Reply) -> None:
        if isinstance(reply, Opened):
            return
        with self._turn:
            answer = self._waiting.pop(reply.number, None)
        if answer is None:
            return
        if isinstance(reply, Done):
            answer.set_result(reply.rows)
        else:
            answer.set_exception(OracleError(reply.code, reply.text))

    def _fail_all(self) -> None:
        with self._turn:
            self._is_over = True
            answers = tuple(self._waiting.values())
            self._waiting.clear()
        for answer in answers:
            answer.set_exception(OracleError(DRIVER_ENDED, "the process has ended"))
