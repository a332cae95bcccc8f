"""What others do to a Streams pipeline while a session runs."""

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any, Final

from app.domain.ports import StatementSink
from app.domain.statement import Access
from app.domain.target import Target
from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_faults import FaultKind
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.systems.oracle_streams.lab_server.server import (
    APPLY_STOPPED,
    CAPTURE_STOPPED,
    PROPAGATION_STOPPED,
    LabClock,
    LabTransport,
)
from app.systems.oracle_streams.lab_server.state import EPOCH
from tests.labs import oracle_over
from tests.prove.happenings import Ground, Happening
from tests.prove.streams_session import KEY, PLANS, PosedStreams

_SETTLE_S: Final = 120.0


class StruckStreams(PosedStreams):
    """A lab with Streams that something happens to before one statement."""

    def __init__(self) -> None:
        super().__init__()
        self.strike: Any = None
        self.struck_at: datetime | None = None
        self.own_dbids = dict(self.state.dbids)
        self.set_elsewhere: list[str] = []

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, after what happens before it."""
        if self.strike and self.strike.is_due(len(self.calls) + 1):
            self.struck_at = self.now()
            self.strike.happen(self)
        if self.state.dbids[end] != self.own_dbids[end] and statement.access is Access.CHANGE:
            self.set_elsewhere.append(statement.name)
        return super().run(statement, end, binds)

    def move(self, end: End, *, back: bool = False) -> None:
        """Let what leads to a database lead to another one, or back to it."""
        self.state.dbids[end] = self.own_dbids[end] + (0 if back else 1)

    def now(self) -> datetime:
        """Return the lab's time of day."""
        return EPOCH + timedelta(seconds=self.state.lab.now_s)


def _open(lab: StruckStreams, on_statement: StatementSink) -> Target:
    return oracle_over(LabTransport(lab), LabClock(lab), on_statement, KEY, KEY)


def _happen(name: str, kind: str, *theirs: str, end: End = End.DESTINATION) -> Happening:
    return Happening(name, lambda lab: lab.happen(kind, end), frozenset(theirs), _SETTLE_S)


STREAMS: Final = Ground(PLANS, lambda: nullcontext(StruckStreams()), _open, KEY)

HAPPENINGS: Final = (
    _happen("apply stopped", APPLY_STOPPED, "states", "started"),
    _happen("capture stopped", CAPTURE_STOPPED, "states", "started"),
    _happen("propagation stopped", PROPAGATION_STOPPED, "states"),
    _happen("apply aborted", FaultKind.APPLY_ABORTS, "states", "started"),
    _happen("destination restarted", FaultKind.SERVER_RESTARTED),
    _happen("source restarted", FaultKind.SERVER_RESTARTED, end=End.SOURCE),
)
