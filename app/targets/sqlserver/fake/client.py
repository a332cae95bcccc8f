"""The client of a lab in another process: a transport and a clock over one socket, connected again after a loss."""

import socket
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from app.domain.errors import ConnectionLost
from app.domain.setting import Value
from app.foundation.texts import _
from app.targets.sqlserver.catalogue import Statement
from app.targets.sqlserver.errors import SqlError
from app.targets.sqlserver.fake.state import moment_utc
from app.targets.sqlserver.fake.wire import Disconnected, Message, decode_rows, receive_message, send_message
from app.targets.sqlserver.rows import Cell
from app.targets.sqlserver.session import Place

_LIMIT_S: Final = 120.0


class LabConnection:
    """One connection; every reply carries the lab's time, which moves only by what this client asks for."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket: socket.socket | None = None
        self.now_s = 0.0
        self.distributor = str(self.ask({"op": "hello"})["distributor"])

    def ask(self, request: Message) -> Message:
        """Send a request and return the reply.

        Raises:
            SqlError: what the lab reported, or the connection broke (state 08S01) or cannot be made (08001).
        """
        peer = self._connected()
        try:
            send_message(peer, request)
            reply = receive_message(peer)
        except (OSError, Disconnected) as error:
            self.close()
            raise SqlError(0, f"the connection to the lab broke: {error}", "08S01") from error
        self.now_s = float(reply["now_s"])
        problem = reply.get("error")
        if problem is not None:
            raise SqlError(int(problem["number"]), str(problem["text"]), str(problem["state"]))
        return reply

    def close(self) -> None:
        """Close the socket; the next request connects again."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connected(self) -> socket.socket:
        if self._socket is None:
            try:
                self._socket = socket.create_connection(self._address, timeout=_LIMIT_S)
            except OSError as error:
                raise SqlError(0, f"no lab answers: {error}", "08001") from error
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket


class SocketTransport:
    """Sends statements by name to a lab process."""

    def __init__(self, connection: LabConnection) -> None:
        self.distributor = connection.distributor
        self._connection = connection

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement by name."""
        reply = self._connection.ask(
            {
                "op": "run",
                "name": statement.name,
                "server": place.server,
                "database": place.database,
                "parameters": dict(parameters),
            }
        )
        return decode_rows(statement, reply["rows"])

    def close(self) -> None:
        """Close the socket; the lab goes on."""
        self._connection.close()


class SocketClock:
    """The virtual clock of a lab process."""

    def __init__(self, connection: LabConnection) -> None:
        self._connection = connection

    def now_utc(self) -> datetime:
        """Return the lab's time of day."""
        return moment_utc(self._connection.now_s)

    def monotonic_s(self) -> float:
        """Return seconds since the lab was built."""
        return self._connection.now_s

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of virtual time pass; raises ConnectionLost where the lab is gone."""
        try:
            self._connection.ask({"op": "sleep", "seconds": seconds})
        except SqlError as error:
            raise ConnectionLost(_("the lab went away; start it again and restore"), str(error)) from error
