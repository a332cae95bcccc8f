"""One apply server: executes one transaction after the other."""

from collections.abc import Callable
from typing import Protocol

from app.lab.clock import Event, EventQueue
from app.systems.oracle_streams.lab.messages import Batch, Transaction, xid_of
from app.systems.oracle_streams.lab.process import TimeShares
from app.systems.oracle_streams.lab.scenario import ApplyConstants
from app.systems.oracle_streams.lab.states import ServerState

_STATES = {
    "idle": "IDLE",
    "busy": "EXECUTE TRANSACTION",
    "dependency": "WAIT DEPENDENCY",
    "commit": "WAIT COMMIT",
    "rollback": "ROLLBACK TRANSACTION",
}


class ServerOwner(Protocol):
    """A server's interface to its coordinator."""

    def message_s(self, transaction: Transaction) -> float:
        """Return the time to apply one message now."""
        ...

    def applied(self, transaction: Transaction, lcrs: int, batch: Batch | None) -> None:
        """Messages are applied: a whole batch of the queues, or staged ones."""
        ...

    def executed(self, server: "ApplyServer") -> None:
        """All messages of the server's transaction are applied."""
        ...


class ApplyServer:
    """Applies staged messages first, then those held in memory; a batch leaves the queues when it is applied.

    Attributes:
        server_id: from 1.
        transaction: in hand; None when idle.
        applied_lcrs: messages of it applied so far.
        total_applied: messages applied since the start.
    """

    def __init__(
        self, server_id: int, constants: ApplyConstants, events: EventQueue, piece_lcrs: int, owner: ServerOwner
    ) -> None:
        self.server_id = server_id
        self._constants = constants
        self._events = events
        self._piece_lcrs = piece_lcrs
        self._owner = owner
        self._event: Event | None = None
        self._next_held = 0
        self._read_back_s = 0.0
        self._times = TimeShares(tuple(_STATES))
        self._switch("idle")
        self.transaction: Transaction | None = None
        self.applied_lcrs = 0
        self.total_applied = 0

    @property
    def is_waiting_for_dependency(self) -> bool:
        """It has a transaction that depends on one not yet committed."""
        return self._times.current == "dependency"

    @property
    def is_waiting_to_commit(self) -> bool:
        """It has applied a transaction that must not commit yet."""
        return self._times.current == "commit"

    @property
    def is_executing(self) -> bool:
        """It applies messages now."""
        return self._times.current == "busy"

    @property
    def is_rolling_back(self) -> bool:
        """Tell whether it undoes its applied changes."""
        return self._times.current == "rollback"

    def assign(self, transaction: Transaction) -> None:
        """Take a transaction; `execute` or `wait_for_dependency` must follow."""
        self.transaction = transaction

    def wait_for_dependency(self) -> None:
        """Wait until `execute`."""
        self._switch("dependency")

    def wait_to_commit(self) -> None:
        """Wait until `commit`."""
        self._switch("commit")

    def execute(self) -> None:
        """Begin to apply."""
        self.applied_lcrs = self._next_held = 0
        self._switch("busy")
        self._apply_next()

    def commit(self, done: Callable[[], None]) -> None:
        """Commit; `done` is called when it is written."""
        assert self.transaction is not None
        self._switch("busy")
        self._plan(self._constants.commit_ms * 1e-3 * self.transaction.count, done)

    def roll_back(self, done: Callable[[], None]) -> None:
        """Undo the applied changes; `done` is called when none is left."""
        self._cancel()
        self._switch("rollback")
        self._plan(self.applied_lcrs * self._constants.rollback_us_per_lcr * 1e-6, done)

    def free(self) -> None:
        """Be idle, without a transaction."""
        self._cancel()
        self.transaction = None
        self.applied_lcrs = 0
        self._switch("idle")

    def state(self, is_starting: bool) -> ServerState:
        """Return the server as it is now."""
        now_s = self._events.now_s
        transaction = self.transaction
        return ServerState(
            server_id=self.server_id,
            state="INITIALIZING" if is_starting else _STATES[self._times.current or "idle"],
            xid=None if transaction is None else xid_of(transaction.number),
            message_sequence=self.applied_lcrs,
            total_messages_applied=self.total_applied,
            elapsed_apply_s=self._times.seconds("busy", now_s) - self._read_back_s,
            elapsed_dequeue_s=self._read_back_s,
            elapsed_wait_dependency_s=self._times.seconds("dependency", now_s),
            elapsed_wait_commit_s=self._times.seconds("commit", now_s),
            elapsed_idle_s=self._times.seconds("idle", now_s),
        )

    def _apply_next(self) -> None:
        """Apply the next piece: of the staged messages while there are any, then the next held batch."""
        transaction = self.transaction
        assert transaction is not None
        message_s = self._owner.message_s(transaction)
        if self.applied_lcrs < transaction.staged_lcrs:
            lcrs = min(self._piece_lcrs, transaction.staged_lcrs - self.applied_lcrs)
            read_back_s = lcrs * self._constants.read_back_us_per_lcr * 1e-6
            self._plan(lcrs * message_s + read_back_s, lambda: self._applied(lcrs, read_back_s, None))
        elif self._next_held < len(transaction.held):
            batch = transaction.held[self._next_held]
            self._next_held += 1
            lcrs = batch.end - self.applied_lcrs
            self._plan(lcrs * message_s, lambda: self._applied(lcrs, 0.0, batch))
        else:
            self._owner.executed(self)

    def _applied(self, lcrs: int, read_back_s: float, batch: Batch | None) -> None:
        transaction = self.transaction
        assert transaction is not None
        self.applied_lcrs += lcrs
        self.total_applied += lcrs
        self._read_back_s += read_back_s
        self._owner.applied(transaction, lcrs, batch)
        self._apply_next()

    def _switch(self, way: str) -> None:
        self._times.switch(way, self._events.now_s)

    def _plan(self, delay_s: float, action: Callable[[], None]) -> None:
        self._event = self._events.after(delay_s, action)

    def _cancel(self) -> None:
        if self._event is not None:
            self._event.cancelled = True
            self._event = None
