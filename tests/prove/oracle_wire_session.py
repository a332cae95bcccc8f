"""Sessions on Streams through python-oracledb over a socket, in which something goes wrong at one statement."""

import contextlib
import socket
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.domain.ports import StatementSink
from app.domain.target import Target
from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import Deadlines
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_faults import RequestHeld
from app.drivers.oracle.session import End
from app.drivers.oracle.wire.connection import refuse
from app.drivers.oracle.wire.packets import Channel, Disconnected
from app.drivers.oracle.wire.server import TnsServer
from app.drivers.oracle.wire.shared_lab import Rows
from app.foundation.rows import Cell
from app.lab.turns import Watch
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle
from tests.e2e.oracle_wire import OraclePort, SilentLab, served
from tests.labs import oracle_over
from tests.patience import PAUSE_S
from tests.prove.group_faults import Case, run_case
from tests.prove.group_session import Call, Due
from tests.prove.streams_session import KEY, PosedStreams
from tests.prove.streams_session import PLANS as LONG_PLANS

_SILENT: Final = "LAB-00001"

# Fewer trials than the sessions in this process have, with every statement they send.
PLANS: Final = {
    name: text.replace("PARALLELISM = [1, 4]\n", "").replace("confirm_blocks = 1", "confirm_blocks = 0")
    for name, text in LONG_PLANS.items()
}


class WireKind(StrEnum):
    """What goes wrong at one statement; "after" means that the database has run it by then."""

    LOST_BEFORE = "connection lost before"
    LOST_AFTER = "connection lost after"
    TIMEOUT_BEFORE = "timeout before"
    TIMEOUT_AFTER = "timeout after"
    CANCELLED_BEFORE = "cancelled before"
    CANCELLED_AFTER = "cancelled after"
    LATE_LOST = "lost before, carried out late"
    LATE_TIMEOUT = "timeout before, carried out late"
    LATE_CANCELLED = "cancelled before, carried out late"
    BLACK_HOLE = "not a byte any more"
    KILLED_BY_DBA_BEFORE = "ORA-00028 before"
    KILLED_BY_DBA_AFTER = "ORA-00028 after"
    NOT_CONNECTED = "ORA-03114"
    NO_TABLE = "ORA-00942"
    DENIED = "ORA-01031"
    STAYS_DENIED = "ORA-01031 for good"
    DEADLOCK = "ORA-00060"
    DISTRIBUTED_LOCK = "ORA-02049"
    DDL_LOCK = "ORA-04021"
    BUSY = "ORA-00054"
    LOCKED_OUT = "lost before, then ORA-28000"
    EXPIRED = "lost before, then ORA-28001"
    BAD_PASSWORD = "lost before, then ORA-01017"
    DOOR_SHUT = "lost before, then hung up on"
    NO_ANSWER = "lost before, then ORA-12170"
    NO_SERVICE = "lost before, then ORA-12514"
    NO_LISTENER = "lost before, then ORA-12541"

    @property
    def comes_after(self) -> bool:
        """Whether the statement runs first."""
        return self.value.endswith(" after")

    @property
    def is_late(self) -> bool:
        """Whether the database runs it when nobody waits for it any more."""
        return self.value.endswith("carried out late")

    @property
    def cancels(self) -> bool:
        """Whether somebody cancels what runs."""
        return self.value.startswith("cancelled")

    @property
    def times_out(self) -> bool:
        """Whether the client's time limit is over before there is an answer."""
        return self.value.startswith("timeout")

    @property
    def refusal(self) -> str:
        """The error the next connect meets, "" for none."""
        return self.value.partition("then ")[2]

    def error(self) -> OracleError:
        """Return what the lab then reports: that, nothing in time, or nothing ever."""
        if self.value.startswith("ORA-"):
            return OracleError.of_text(f"{self.value.split()[0]}: posed")
        if self is WireKind.BLACK_HOLE:
            return OracleError(_SILENT, "not a byte any more")
        if self.cancels or self.times_out:
            return OracleError.of_text("DPY-4024: call timeout exceeded")
        return OracleError.of_text("ORA-03113: end-of-file on communication channel")


class PosedOracle(PosedStreams):
    """A lab of 12.1 that has things go wrong as they do over a network."""

    def __init__(self) -> None:
        super().__init__("streams-12c")
        self.refusal = ""
        self.cancel: Callable[[], None] = _nothing
        self.end_silent: Callable[[], None] = _nothing

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, unless this is where something goes wrong."""
        mishap, self.mishap = self.mishap, None
        try:
            if mishap is None or not self._is_due(mishap, statement.name):
                return super().run(statement, end, binds)
            kind = WireKind(mishap.kind)
            if kind.comes_after:
                super().run(statement, end, binds)
            else:
                self.calls.append(Call(statement.name, statement.access))
            self.refusal = kind.refusal
            if kind.cancels:
                self.cancel()
            if kind.is_late:
                raise RequestHeld(
                    self.held.hold(end.value, partial(LabOracle.run, self, statement, end, dict(binds))), kind.error()
                )
            raise kind.error()
        finally:
            self.mishap = mishap

    def settle(self, seconds: float) -> None:
        """Let time pass, in which a database notices that nobody is at the end of a silent connection any more."""
        super().settle(seconds)
        self.end_silent()

    def _is_due(self, mishap: Due, name: str) -> bool:
        """Tell whether the next statement is met: the n-th, and each later one of its name where that is for good."""
        number = len(self.calls) + 1
        is_again = WireKind(mishap.kind) is WireKind.STAYS_DENIED and mishap.at < number
        return number == mishap.at or (is_again and self.calls[mishap.at - 1].name == name)

    @property
    def times_out_next(self) -> bool:
        """Whether the next statement is to meet a time-out."""
        mishap = self.mishap
        return mishap is not None and mishap.at == len(self.calls) + 1 and WireKind(mishap.kind).times_out

    def refuses(self, *refusals: str) -> str:
        """Return how the next connect is refused, once, where it is in one of these ways; "" where not."""
        refusal = self.refusal if self.refusal in refusals else ""
        if refusal:
            self.refusal = ""
        return refusal


def _nothing() -> None:
    """Nobody cancels."""


class PosedShared(SilentLab):
    """Falls silent, and lets nobody in, where the lab says so."""

    def __init__(self, lab: PosedOracle) -> None:
        super().__init__(lab)
        self.posed = lab

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue], watch: Watch) -> Rows:
        """Run a statement, or answer nothing more on its connection."""
        try:
            return super().run(statement, end, binds, watch)
        except OracleError as error:
            if error.code != _SILENT:
                raise
        self.be_silent()

    def login_problem(self, end: End) -> tuple[int, str] | None:
        """Refuse the next logon where it is to be refused."""
        del end
        refusal = self.posed.refuses("ORA-28000", "ORA-28001", "ORA-01017", "hung up on")
        if refusal == "hung up on":
            raise Disconnected
        return (int(refusal.partition("-")[2]), f"{refusal}: posed") if refusal else None


class PosedListener(TnsServer):
    """A listener that knows no such service, or says nothing, where the lab says so."""

    def _serve_client(self, peer: socket.socket) -> None:
        shared = self._shared
        assert isinstance(shared, PosedShared)
        refusal = shared.posed.refuses("ORA-12170", "ORA-12514")
        if refusal == "ORA-12170":
            with contextlib.closing(peer), contextlib.suppress(Disconnected):
                shared.be_silent()
        elif refusal == "ORA-12514":
            with contextlib.closing(Channel(peer)) as channel:
                channel.read()
                refuse(channel, 12514)
        else:
            super()._serve_client(peer)


class PosedDeadlines(Deadlines):
    """The usual limits, and a short real one where a time-out is posed; nobody waits for a lab that is silent."""

    def __init__(self, shared: PosedShared) -> None:
        super().__init__(wait=shared.wait)
        object.__setattr__(self, "_shared", shared)

    def limit_of(self, statement: Statement) -> float:
        """Return the limit of a statement."""
        shared: PosedShared = self._shared  # type: ignore[attr-defined]  # frozen
        return PAUSE_S if shared.posed.times_out_next else super().limit_of(statement)


class WireBench:
    """A lab on a port that outlives the targets opened on it, as databases do."""

    def __init__(self) -> None:
        self.lab = PosedOracle()
        self.key = KEY
        self.shared = PosedShared(self.lab)
        self.lab.end_silent = self.shared.end
        self._serving = served(self.shared, make_server=PosedListener)
        self._port: OraclePort = self._serving.__enter__()

    def open(self, _target: str, _seed: int, on_statement: StatementSink) -> Target:
        """Open a target on it, through the driver."""
        transport = self._port.timed_transport(PosedDeadlines(self.shared), before_connect=self._before_connect)
        self.lab.cancel = transport.cancel
        return oracle_over(transport, LabClock(self.lab), on_statement, KEY, KEY)

    def _before_connect(self) -> AbstractContextManager[None]:
        """Close the port for one attempt to connect, where nothing is to listen there."""
        return self._port.closed() if self.lab.refuses("ORA-12541") else nullcontext()

    def close(self) -> None:
        """Serve no more."""
        self.shared.end()
        self._serving.__exit__(None, None, None)


def run_wire_case(case: Case, out: Path) -> tuple[bool, bool]:
    """Run a session into its fault on a port of its own; see `run_case`."""
    benches: list[WireBench] = []

    def make_bench() -> Any:
        benches.append(WireBench())
        return benches[-1]

    try:
        return run_case(Case(case.plan, case.number, case.call, case.kind, make_bench), out)
    finally:
        for bench in benches:
            bench.close()
