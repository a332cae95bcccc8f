"""The coordinator of an apply process: gives transactions to servers, keeps commit order and watermarks."""

from collections import deque
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.apply_costs import ApplyCosts
from app.systems.oracle_streams.lab.apply_server import ApplyServer
from app.systems.oracle_streams.lab.messages import Batch, Transaction, scn_at
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab.process import TimeShares
from app.systems.oracle_streams.lab.progress import ApplyProgress
from app.systems.oracle_streams.lab.scenario import ApplyConstants
from app.systems.oracle_streams.lab.states import CoordinatorState

_DEPENDENCY_STREAM: Final = 11
_AUTO_TXN_BUFFER_PER_SERVER: Final = 10  # where _TXN_BUFFER_SIZE is not set; assumed from health check advice


@dataclass(frozen=True)
class InjectedError:
    """An error the next transaction to commit will meet."""

    number: int
    message: str


class CoordinatorOwner(Protocol):
    """The coordinator's interface to its apply process."""

    def applied(self, transaction: Transaction, lcrs: int, batch: Batch | None) -> None:
        """Messages are applied: a whole batch of the queues, or staged ones."""
        ...

    def finished(self, transaction: Transaction, error: InjectedError | None) -> None:
        """A transaction is committed, or in the error queue."""
        ...

    def rolled_back(self, transaction: Transaction) -> None:
        """A transaction is undone and must be delivered again."""
        ...

    def drained(self) -> None:
        """After `stop`, no server has a transaction."""
        ...

    def room_again(self) -> None:
        """There is room for transactions; a reader that waits for it goes on."""
        ...


class Coordinator:
    """Assigns complete transactions in commit order to idle servers; one transaction stays with one server.

    Attributes:
        servers: the apply servers.
        next_error: fault: what the next commit meets.
    """

    def __init__(
        self,
        constants: ApplyConstants,
        costs: ApplyCosts,
        parameters: ParameterSet,
        events: EventQueue,
        piece_lcrs: int,
        seed: int,
        progress: ApplyProgress,
        owner: CoordinatorOwner,
    ) -> None:
        self._constants = constants
        self._costs = costs
        self._parameters = parameters
        self._events = events
        self._piece_lcrs = piece_lcrs
        self._draws = np.random.default_rng([seed, _DEPENDENCY_STREAM])
        self._progress = progress
        self._owner = owner
        self.next_error: InjectedError | None = None
        self.servers: list[ApplyServer] = []
        self._waiting: deque[Transaction] = deque()
        self.reset()

    def reset(self) -> None:
        """Count from zero with fresh servers, at the start of the apply process."""
        self._received = self._applied = self._errors = 0
        self._wait_deps = self._wait_commits = 0
        self._is_stopping = False
        self._hwm_s: float | None = None
        self._hwm_created_s: float | None = None
        self._lwm_s: float | None = None
        self._times = TimeShares(("busy", "idle"))
        self._times.switch("idle", self._events.now_s)
        self._waiting.clear()
        self.servers = []
        self.fit_servers()

    def fit_servers(self) -> None:
        """Have as many servers as PARALLELISM says; one that is busy goes when its transaction is done."""
        wanted = int(self._parameters.number("PARALLELISM", 1.0))
        while len(self.servers) < wanted:
            number = len(self.servers) + 1
            self.servers.append(ApplyServer(number, self._constants, self._events, self._piece_lcrs, self))
        while len(self.servers) > wanted and self.servers[-1].transaction is None:
            self.servers.pop()
        self._assign()

    @property
    def txn_buffer_size(self) -> int:
        """How many complete transactions may wait for a server, by _TXN_BUFFER_SIZE or automatically."""
        size = self._parameters.started_if_set("_TXN_BUFFER_SIZE")
        return _AUTO_TXN_BUFFER_PER_SERVER * len(self.servers) if size is None else int(size)

    def has_room(self) -> bool:
        """Whether the reader may read on: fewer complete transactions wait than the transaction buffer holds."""
        return sum(transaction.count for transaction in self._waiting) < self.txn_buffer_size

    def receive(self, transaction: Transaction) -> None:
        """Take a complete transaction from the reader."""
        self._received += transaction.count
        share = self._costs.dependent_share() if len(self.servers) > 1 else 0.0
        transaction.dependent = int(self._draws.binomial(transaction.count, share)) if share else 0
        self._waiting.append(transaction)
        self._assign()

    def message_s(self, transaction: Transaction) -> float:
        """Return the time to apply one message now."""
        return self._costs.message_s(transaction, sum(1 for server in self.servers if server.is_executing))

    def applied(self, transaction: Transaction, lcrs: int, batch: Batch | None) -> None:
        """Pass on a server's applied changes."""
        self._owner.applied(transaction, lcrs, batch)

    def executed(self, server: ApplyServer) -> None:
        """A server has applied its transaction: commit, or wait for earlier ones under full serialization."""
        transaction = server.transaction
        assert transaction is not None
        if self._may_commit(transaction):
            self._commit(server)
        else:
            self._wait_commits += transaction.count
            server.wait_to_commit()

    def stop(self, force: bool) -> list[Transaction]:
        """Assign nothing more and roll back; return the transactions that were waiting.

        Without `force`, transactions older than one already committed are finished first, so that no gap stays. The
        owner is told when no server has a transaction.
        """
        self._is_stopping = True
        waiting = list(self._waiting)
        self._waiting.clear()
        for server in self.servers:
            transaction = server.transaction
            if transaction is not None and (force or transaction.number >= self._progress.newest_end):
                self._roll_back(server, transaction)
        self._check_drained()
        return waiting

    def halt(self) -> list[Transaction]:
        """Stop at once; return every transaction in hand."""
        in_hand = self.in_hand()
        for server in self.servers:
            server.free()
        self._waiting.clear()
        return in_hand

    def in_hand(self) -> list[Transaction]:
        """Return the transactions with a server or waiting for one, in commit order."""
        assigned = [server.transaction for server in self.servers if server.transaction is not None]
        return sorted([*assigned, *self._waiting], key=lambda transaction: transaction.number)

    def applied_of(self, transaction: Transaction) -> int:
        """Return how many messages of a transaction are applied."""
        return sum(server.applied_lcrs for server in self.servers if server.transaction is transaction)

    def state(self, phase_state: str | None) -> CoordinatorState:
        """Return the coordinator as it is now; `phase_state` replaces its state while starting or stopping."""
        now_s = self._events.now_s
        low_created_s = self._progress.low_created_s
        return CoordinatorState(
            state=phase_state or ("APPLYING" if self._times.current == "busy" else "IDLE"),
            total_received=self._received,
            total_applied=self._applied,
            total_wait_deps=self._wait_deps,
            total_wait_commits=self._wait_commits,
            total_errors=self._errors,
            lwm_message_number=scn_at(low_created_s or 0.0),
            lwm_message_create_s=low_created_s if self._lwm_s is not None else None,
            hwm_s=self._hwm_s,
            hwm_message_number=scn_at(self._hwm_created_s or 0.0),
            hwm_message_create_s=self._hwm_created_s,
            elapsed_schedule_s=self._times.seconds("busy", now_s),
            elapsed_idle_s=self._times.seconds("idle", now_s),
        )

    def _assign(self) -> None:
        if self._is_stopping:
            return
        for server in self.servers:
            if not self._waiting:
                break
            if server.transaction is None:
                self._give(server, self._waiting.popleft())
        is_busy = bool(self._waiting) or any(server.transaction is not None for server in self.servers)
        self._times.switch("busy" if is_busy else "idle", self._events.now_s)
        if self.has_room():
            self._owner.room_again()

    def _give(self, server: ApplyServer, transaction: Transaction) -> None:
        server.assign(transaction)
        if transaction.dependent and self._has_earlier(transaction):
            self._wait_deps += transaction.dependent
            server.wait_for_dependency()
        else:
            server.execute()

    def _has_earlier(self, transaction: Transaction) -> bool:
        """Whether the transaction just before it is still with a server."""
        return any(
            server.transaction is not None and server.transaction.end == transaction.number for server in self.servers
        )

    def _may_commit(self, transaction: Transaction) -> bool:
        if self._parameters.started_text("COMMIT_SERIALIZATION", "FULL") != "FULL":
            return True
        return all(
            server.transaction is None or server.transaction.number >= transaction.number for server in self.servers
        )

    def _commit(self, server: ApplyServer) -> None:
        if self.next_error is None:
            server.commit(lambda: self._committed(server))
        else:
            error, self.next_error = self.next_error, None
            server.roll_back(lambda: self._failed(server, error))

    def _committed(self, server: ApplyServer) -> None:
        transaction = server.transaction
        assert transaction is not None
        now_s = self._events.now_s
        self._applied += transaction.count
        self._hwm_s, self._hwm_created_s = now_s, transaction.committed_s
        if self._progress.applied(transaction, now_s):
            self._lwm_s = now_s
        self._leave(server, None)

    def _failed(self, server: ApplyServer, error: InjectedError) -> None:
        transaction = server.transaction
        assert transaction is not None
        self._errors += transaction.count
        if self._progress.failed(transaction, error.number, error.message, self._events.now_s):
            self._lwm_s = self._events.now_s
        self._leave(server, error)

    def _leave(self, server: ApplyServer, error: InjectedError | None) -> None:
        """A transaction is done with: others may now commit, execute or be assigned."""
        transaction = server.transaction
        assert transaction is not None
        server.free()
        self._owner.finished(transaction, error)
        for other in self.servers:
            if other.transaction is None:
                continue
            if other.is_waiting_to_commit and self._may_commit(other.transaction):
                self._commit(other)
            elif other.is_waiting_for_dependency and not self._has_earlier(other.transaction):
                other.execute()
        self.fit_servers()
        self._check_drained()

    def _roll_back(self, server: ApplyServer, transaction: Transaction) -> None:
        if not server.is_rolling_back:
            server.roll_back(lambda: self._rolled_back(server, transaction))

    def _rolled_back(self, server: ApplyServer, transaction: Transaction) -> None:
        server.free()
        self._owner.rolled_back(transaction)
        self._check_drained()

    def _check_drained(self) -> None:
        if self._is_stopping and all(server.transaction is None for server in self.servers):
            self._owner.drained()
