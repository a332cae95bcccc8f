"""One client's session on one server of the lab: who it is, its database, transaction and prepared statements."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import RequestHeld
from app.drivers.sqlserver.lab.logins import ADMIN, LabLogin, Rows
from app.drivers.sqlserver.lab.mark_answers import MARK_STATEMENTS
from app.drivers.sqlserver.lab.own_cost import CONNECTION_STATEMENTS, OwnCost
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.lab.tables import OwnTable
from app.drivers.sqlserver.late_changes import AWAIT, TAKE_MARK
from app.drivers.sqlserver.reading_cost import OWN_COST
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.wire.batches import Batch, OtherText
from app.drivers.sqlserver.wire.driver_answers import ResultSet, typed_result
from app.drivers.sqlserver.wire.shared_lab import SharedLab
from app.lab.held_requests import HeldRequest
from app.lab.turns import Watch

DEFAULT_DATABASE: Final = "master"
_CLOSING_S: Final = 2.0
_LOOK_EVERY_S: Final = 0.01
PASSWORD: Final = "lab"  # the same for every login, printed with the ports: nothing but the simulation is behind it


@dataclass
class ClientSession:
    """The state of one client's session.

    Attributes:
        packet_bytes: size of the packets of replies.
        transaction: descriptor of the open transaction, empty where there is none.
        prepared: statements by handle.
        cost: what the connection cost the server.
        own_tables: temporary tables by name in capitals. is_off: no batch is executed (SET NOEXEC).
    """

    shared: SharedLab
    server: LabServer
    user: str = ADMIN
    database: str = DEFAULT_DATABASE
    packet_bytes: int = 4096
    transaction: bytes = b""
    prepared: dict[int, Batch | OtherText] = field(default_factory=dict)
    cost: OwnCost = field(default_factory=OwnCost)
    own_tables: dict[str, OwnTable] = field(default_factory=dict)
    is_off: bool = False
    _held: HeldRequest | None = None
    _login_database: str = DEFAULT_DATABASE
    _instance: str = ""
    _transactions: int = 0
    _handles: int = 0

    def __post_init__(self) -> None:
        self._instance = self._instance_now

    def log_in(self, user: str, password: str, database: str) -> None:
        """Check who it is and enter the database, master where none is named.

        Raises:
            SqlError: wrong user or password (18456), no such database or no way into it (4060), or it is closed to all.
        """
        if user.lower() not in self.shared.lab.doors.logins or password != PASSWORD:
            raise SqlError(18456, f"Login failed for user '{user}'.", "28000")
        self.user = user.lower()
        name = self._database_called(database or DEFAULT_DATABASE)
        if name is None or not self.login.enters(self.server.name, name):
            raise SqlError(
                4060, f'Cannot open database "{database}" requested by the login. The login failed.', "42000"
            )
        self._enter_open(name)
        self.database = self._login_database = name

    def use(self, database: str) -> None:
        """Enter a database; raises SqlError where there is none of that name, or this login has no user there."""
        name = self._database_called(database)
        if name is None:
            raise SqlError(911, f"Database '{database}' does not exist. Make sure that the name is entered correctly.")
        self.shared.lab.doors.enter(self.login, self.server.name, name)
        self._enter_open(name)
        self.database = name

    def _enter_open(self, database: str) -> None:
        if (closed := self.shared.lab.state.closed(self.server.name, database)) is not None:
            raise closed

    @property
    def login(self) -> LabLogin:
        """Return the login, with its present rights."""
        return self.shared.lab.doors.logins[self.user]

    def reset(self) -> None:
        """Be as after login, as pools want a connection they hand out again."""
        self.database = self._login_database
        self.transaction = b""
        self.prepared.clear()
        self.own_tables.clear()
        self.is_off = False
        self.shared.locks.drop(self)

    def leave(self) -> None:
        """Drop the server's state for this connection, which has ended; not yet where its request has not."""
        if self._held is None or self._held.is_over:
            self._drop_locks()

    def _drop_locks(self) -> None:
        self.shared.locks.drop(self)

    def _is_alone(self, watch: Watch) -> bool:
        """Tell whether no connection changes anything here, waiting a little for those that are being closed."""
        deadline_s = time.perf_counter() + _CLOSING_S
        while is_changing := self.shared.locks.is_changing(self._instance):
            if time.perf_counter() > deadline_s:
                break
            watch(_LOOK_EVERY_S)
        return not is_changing

    def run(self, statement: Statement, values: Mapping[str, Value | None], watch: Watch) -> ResultSet:
        """Run a statement of the catalogue here, as `rows_of` does, and return its rows as they travel."""
        return typed_result(statement, self.rows_of(statement, values, watch))

    def rows_of(self, statement: Statement, values: Mapping[str, Value | None], watch: Watch) -> Rows:
        """Run a statement of the catalogue here and return its rows.

        Raises:
            SqlError: this login may not use an object it names, what the lab reports, or that the connection broke: the
                server was restarted, or another one stands at its address.
        """
        self._need_connection()
        place, doors = Place(self.server.name, self.database), self.shared.lab.doors
        doors.check(self.login, statement, place)
        self.cost.count()
        asked_at = Place(place.server, DEFAULT_DATABASE) if statement.name in CONNECTION_STATEMENTS else place
        try:
            rows = self.shared.run(statement, asked_at, values, watch)
        except RequestHeld as error:
            self._held = error.request
            self._held.when_over = self._drop_locks
            raise
        self._need_connection()
        rows = self._as_connection(statement, values, rows, watch)
        if (held := doors.rights(self.login, statement, place)) is not None:
            rows = held
        return () if doors.sees_nothing(self.login, statement, place) else rows

    def _as_connection(
        self, statement: Statement, values: Mapping[str, Value | None], rows: Rows, watch: Watch
    ) -> Rows:
        """Return the answer to a statement that is about this connection and others, else its rows."""
        if statement.name == OWN_COST:
            return self.cost.rows()
        if statement.name in MARK_STATEMENTS:
            return self.shared.locks.answer(statement.name, self._instance, str(values["owner"]), self)
        if statement.name == TAKE_MARK:
            self.shared.locks.mark_changing(self._instance, self)
        if statement.name == AWAIT and rows != ((0,),):
            return ((int(self._is_alone(watch)),),)
        return rows

    @property
    def _instance_now(self) -> str:
        return self.shared.lab.state.instance_of(self.server.name)

    def _need_connection(self) -> None:
        if self._instance_now != self._instance:
            raise SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01")

    def prepare(self, batch: Batch | OtherText) -> int:
        """Keep a statement and return its handle."""
        self._handles += 1
        self.prepared[self._handles] = batch
        return self._handles

    def prepared_as(self, handle: object) -> Batch | OtherText:
        """Return the statement of a handle; raises SqlError (8179) where there is none."""
        batch = self.prepared.get(handle) if isinstance(handle, int) else None
        if batch is None:
            raise SqlError(8179, f"Could not find prepared statement with handle {handle}.", "42000")
        return batch

    def begin(self) -> bytes:
        """Open a transaction and return its descriptor."""
        self._transactions += 1
        self.transaction = self._transactions.to_bytes(8, "little")
        return self.transaction

    def end(self) -> bytes:
        """End the transaction and return the descriptor it had, empty where none was open."""
        ended, self.transaction = self.transaction, b""
        return ended

    def _database_called(self, name: str) -> str | None:
        """Return a database's own spelling."""
        return self.server.database_called(name)
