"""One lab for several connections: one statement at a time, time that may run by itself, and waits a client can end."""

from collections.abc import Mapping
from typing import Final, Protocol

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import Doorkeeper, Rows
from app.drivers.sqlserver.lab.mark_answers import MarkLocks
from app.drivers.sqlserver.lab.servers import LabServer, SimulatedServers
from app.drivers.sqlserver.lab.tables import LookUp
from app.drivers.sqlserver.lab.time_answers import delay_s
from app.drivers.sqlserver.session import Place
from app.lab.turns import Turns, Watch

WAIT_STATEMENT: Final = "lab_wait"
_MASTER: Final = "master"
_NO_WAIT: Final = "00:00:00"
_SLICE_S: Final = 30.0


class ServedSite(Protocol):
    """The servers of a lab and their addresses."""

    @property
    def servers(self) -> tuple[LabServer, ...]:
        """Every server."""
        ...


class ServedState(Protocol):
    """The state of a lab's servers.

    Attributes:
        addresses: where each server is reached, by name.
    """

    addresses: dict[str, str]

    @property
    def site(self) -> ServedSite:
        """Return the servers and their addresses."""
        ...

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        ...

    def instance_of(self, server: str) -> str:
        """Return the instance now at a server's address: another one breaks every connection made before."""
        ...

    def closed(self, server: str, database: str) -> SqlError | None:
        """Return a server's error instead of letting anybody into a database, None where it lets them in."""
        ...


class ServedLab(SimulatedServers, Protocol):
    """A lab of any kind that can stand on ports.

    Attributes:
        doors: who may do what there.
        look_ups: what scripts look into beside the statements it answers.
    """

    doors: Doorkeeper
    look_ups: dict[str, LookUp]

    @property
    def answered(self) -> frozenset[str]:
        """Names of the statements it answers."""
        ...

    @property
    def state(self) -> ServedState:
        """Return the state of the servers."""
        ...

    def server_there(self, place: Place) -> LabServer | None:
        """Return the server of a place, None where it does not answer; raises SqlError where it refuses or is off."""
        ...

    def product_version(self, server: str) -> str:
        """Return the product version of a server, four numbers."""
        ...


NOTHING_ABSENT: Final[Mapping[str, Rows]] = {}


class SharedLab:
    """The lab and its clock.

    Args:
        speed: virtual seconds that pass in a real one; None lets time pass by statements alone, at once.
        where_absent: rows of statements the lab does not know, of systems it has nothing of, by name.
    """

    def __init__(self, lab: ServedLab, speed: float | None, where_absent: Mapping[str, Rows] = NOTHING_ABSENT) -> None:
        self.lab = lab
        self.turns = Turns(lab.now_s, lab.state.advance, speed)
        self._where_absent = {name: rows for name, rows in where_absent.items() if name not in lab.answered}
        self.locks = MarkLocks()

    def is_on(self, server: str, watch: Watch) -> bool:
        """Tell whether a server answers, after the time it takes to find out that it does not.

        Raises:
            SqlError: it refuses every login.
            Exception: what `watch` raises.
        """
        with self.turns.taken(watch):
            self.turns.catch_up()
            try:
                found = self.lab.server_there(Place(server, _MASTER))
            except SqlError as error:
                if not is_lost(error):
                    raise
                found = None
            ahead_s = self.turns.ahead_s()
        if found is None:
            self.turns.wait_ahead(ahead_s, watch)
        return found is not None

    def run(self, statement: Statement, place: Place, values: Mapping[str, Value | None], watch: Watch) -> Rows:
        """Run a statement in its turn and return its rows.

        Raises:
            SqlError: what the lab reports.
            Exception: what `watch` raises; the statement has run then, or it has not.
        """
        if statement.name in self._where_absent:
            return self._where_absent[statement.name]
        given = {name: value for name, value in values.items() if value is not None}
        if statement.name == WAIT_STATEMENT and "delay" in given:
            self.let_pass(delay_s(str(given["delay"])), watch)
            given["delay"] = _NO_WAIT
        with self.turns.taken(watch):
            self.turns.catch_up()
            rows = self.lab.run(statement.name, place, given)
            ahead_s = self.turns.ahead_s()
        self.turns.wait_ahead(ahead_s, watch)
        return rows

    def rows_of(self, name: str, place: Place, watch: Watch) -> tuple[tuple[str, ...], Rows] | None:
        """Return columns and rows of a view or table that scripts look into, None where the lab has none such."""
        with self.turns.taken(watch):
            self.turns.catch_up()
            looked_up = self.lab.look_ups.get(name)
            return None if looked_up is None else (looked_up.columns, tuple(looked_up.rows(place)))

    def let_pass(self, seconds: float, watch: Watch) -> None:
        """Let time pass in slices, so that others get their turn and the client can end it."""
        if self.turns.speed is not None:
            watch(seconds / self.turns.speed)
            return
        left_s = seconds
        while left_s > 0:
            with self.turns.taken(watch):
                self.lab.state.advance(min(left_s, _SLICE_S))
            left_s -= _SLICE_S
            watch(0.0)


def is_lost(error: SqlError) -> bool:
    """Tell whether an error of the lab means that the connection breaks, or that the server is down."""
    return error.state.startswith("08")


def is_timeout(error: SqlError) -> bool:
    """Tell whether an error of the lab means that no answer comes."""
    return error.state == "HYT00"
