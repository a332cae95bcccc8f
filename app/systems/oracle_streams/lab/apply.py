"""The apply process: reader, coordinator and servers under one status, with the error queue and the staging table."""

from typing import Final

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.apply_costs import ApplyCosts
from app.systems.oracle_streams.lab.apply_reader import ApplyReader
from app.systems.oracle_streams.lab.buffered_queue import BufferedQueue
from app.systems.oracle_streams.lab.coordinator import Coordinator, InjectedError
from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.messages import Batch, Transaction, scn_at, xid_of
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab.pool import StreamsPool
from app.systems.oracle_streams.lab.process import Process
from app.systems.oracle_streams.lab.progress import ApplyProgress
from app.systems.oracle_streams.lab.scenario import StreamsScenario
from app.systems.oracle_streams.lab.states import ApplyState, ServerState, SpilledTransaction, TransactionState

_POOL_OWNER: Final = "apply"
_BYTES_PER_MB: Final = 1024.0 * 1024.0
_ABORTED: Final = (26714, "ORA-26714: User error encountered while applying")


class Apply(Process):
    """Takes messages from the destination's queue until they are committed; they leave both queues when applied.

    Attributes:
        parameters: of the apply process.
        progress: what is applied for good.
        costs: durations of the servers.
        redo_bytes: redo of applied rows since the lab was built.
    """

    def __init__(
        self,
        scenario: StreamsScenario,
        parameters: ParameterSet,
        events: EventQueue,
        durations: Durations,
        source: BufferedQueue,
        destination: BufferedQueue,
        pool: StreamsPool,
        seed: int,
    ) -> None:
        super().__init__(events, scenario.apply.start_s, scenario.apply.stop_s)
        self._scenario = scenario
        self.parameters = parameters
        self._source = source
        self._destination = destination
        self._pool = pool
        self.progress = ApplyProgress()
        self.redo_bytes = 0.0
        self._staged: dict[int, Transaction] = {}
        self._is_forced = False
        chunk_lcrs = scenario.queues.batch_lcrs
        self.costs = ApplyCosts(scenario.apply, parameters, durations, scenario.destination.cpus)
        self._reader = ApplyReader(scenario.apply, parameters, events, durations, destination, chunk_lcrs, self)
        self._coordinator = Coordinator(
            scenario.apply, self.costs, parameters, events, chunk_lcrs, seed, self.progress, self
        )

    @property
    def staged_lcrs(self) -> int:
        """Messages written to the staging table since the lab was built."""
        return self._reader.all_spilled

    def stop(self, force: bool = False) -> None:
        """Ask it to stop: open work is rolled back and delivered again by the next start.

        Without `force`, transactions older than a committed one are applied first. A process that is stopping to
        restart itself does not start again; one that is not running does nothing.
        """
        self._is_restarting = False
        if self.phase == "STARTING":
            self.phase = "STOPPING"
            self._plan(self._stop_s, self._finish_stop)
        elif self.phase == "RUNNING":
            self.phase = "STOPPING"
            self._is_forced = force
            self._redeliver(*self._reader.halt())
            for transaction in self._coordinator.stop(force):
                self._redeliver(None, transaction)

    def change_parameter(self, name: str, value: str | None) -> None:
        """Set a parameter or put its default back; PARALLELISM from or to 1 restarts a running apply process.

        Raises:
            KeyError, ValueError: as `ParameterSet.set`.
        """
        is_parallelism = name == "PARALLELISM"
        before = self.parameters.number(name, 1.0) if is_parallelism else 0.0
        self.parameters.set(name, value)
        now = self.parameters.number(name, 1.0) if is_parallelism else 0.0
        if now == before or self.phase not in ("STARTING", "RUNNING"):
            return
        if self.phase == "RUNNING" and 1.0 in (before, now):
            self.stop()
            self._is_restarting = True
        else:
            self._coordinator.fit_servers()
            self._reserve()

    def abort(self, number: int, message: str) -> None:
        """Fault: stop at once with an error."""
        self.stop(force=True)
        self.set_status("ABORTED", number, message)

    def fail_next(self, number: int, message: str) -> None:
        """Fault: the next transaction meets this error when it commits."""
        self._coordinator.next_error = InjectedError(number, message)

    def delete_errors(self) -> None:
        """Empty the error queue."""
        self.progress.errors.clear()

    def state(self) -> ApplyState:
        """Return the process as it is now."""
        is_running = self.phase != "DOWN"
        is_starting = self.phase == "STARTING"
        progress = self.progress
        return ApplyState(
            status=self.status,
            error_number=self.error_number,
            error_message=self.error_message,
            is_running=is_running,
            startup_s=self.startup_s,
            reader=self._reader.state(is_starting) if is_running else None,
            coordinator=self._coordinator.state(self._phase_state()) if is_running else None,
            servers=self._servers(is_starting) if is_running else (),
            progress_message_number=scn_at(progress.low_created_s or 0.0),
            progress_apply_s=progress.low_s,
            progress_create_s=progress.low_created_s,
            spilled_transactions=tuple(_spilled(one) for one in self._staged.values() if one.staged_lcrs),
            transactions=tuple(self._transaction_state(one) for one in self._transactions()),
            errors=tuple(progress.errors),
        )

    def release(self, batch: Batch) -> None:
        """Let a batch that is applied or staged leave both queues."""
        self._destination.remove(batch.destination)
        self._source.remove(batch.source)

    def has_room(self) -> bool:
        """Whether the coordinator takes more transactions."""
        return self._coordinator.has_room()

    def staging(self, transaction: Transaction) -> None:
        """Note that a transaction has messages in the staging table."""
        self._staged[transaction.number] = transaction

    def deliver(self, transaction: Transaction) -> None:
        """Pass a complete transaction from the reader to the coordinator."""
        self._coordinator.receive(transaction)

    def applied(self, transaction: Transaction, lcrs: int, batch: Batch | None) -> None:
        """Count the redo of applied messages, and let their batch go."""
        redo = self._scenario.redo
        is_insert = transaction.change == "insert"
        self.redo_bytes += lcrs * (redo.insert_apply_bytes_per_lcr if is_insert else redo.update_apply_bytes_per_lcr)
        if batch is not None:
            self.release(batch)

    def finished(self, transaction: Transaction, error: InjectedError | None) -> None:
        """Forget a transaction that is committed or in the error queue; the first error may abort the process."""
        self._staged.pop(transaction.number, None)
        if error is None:
            return
        for batch in transaction.held:
            self.release(batch)
        if self.parameters.flag("DISABLE_ON_ERROR", absent=True):
            self.abort(*_ABORTED)

    def rolled_back(self, transaction: Transaction) -> None:
        """Let an undone transaction be read again."""
        self._redeliver(None, transaction)

    def drained(self) -> None:
        """All servers are done: the processes end."""
        if self.phase == "STOPPING" and self._event is None:
            self._plan(self._stop_s, self._finish_stop)

    def room_again(self) -> None:
        """Let a reader that waits go on."""
        self._reader.room_noticed()

    def _reset(self) -> None:
        self.parameters.note_start()
        self._is_forced = self._is_restarting = False
        self._reader.reset()
        self._coordinator.reset()
        self._reserve()

    def _work(self) -> None:
        self._event = None
        self._reader.work()

    def _cut_off(self) -> None:
        self._redeliver(*self._reader.halt())
        for transaction in self._coordinator.halt():
            self._redeliver(None, transaction)

    def _finish_stop(self) -> None:
        self._event = None
        if self._is_restarting and not self.is_hanging:
            self._end()
            self._begin()
        else:
            super()._finish_stop()

    def _end(self) -> None:
        super()._end()
        self._pool.reserve(_POOL_OWNER, 0.0)

    def _reserve(self) -> None:
        """Hold memory for the servers and the hash table of dependencies."""
        pool = self._scenario.pool
        hash_mb = self.parameters.started("_HASH_TABLE_SIZE", 0.0) * pool.bytes_per_hash_entry / _BYTES_PER_MB
        servers = len(self._coordinator.servers)
        self._pool.reserve(_POOL_OWNER, servers * pool.mb_per_apply_server + hash_mb)

    def _redeliver(self, batch: Batch | None, transaction: Transaction | None) -> None:
        """Bring back messages read or applied and not committed; staged ones stay staged, in whole batches."""
        batches = [] if batch is None else [batch]
        if transaction is not None:
            held = transaction.held
            batches = [*held, *batches]
            if held:
                transaction.staged_lcrs = held[0].end - held[0].lcrs
            transaction.read_lcrs = transaction.staged_lcrs
            transaction.held = []
            transaction.threshold = transaction.first_read_s = None
        sources = [one.source for one in batches if one.source is not None]
        destinations = [one.destination for one in batches if one.destination is not None]
        self._source.restore(sources)
        self._destination.restore(destinations)
        self._destination.unbrowse(destinations)

    def _phase_state(self) -> str | None:
        if self.phase == "STARTING":
            return "INITIALIZING"
        if self.phase == "STOPPING":
            return "ABORTING" if self._is_forced else "SHUTTING DOWN CLEANLY"
        return None

    def _servers(self, is_starting: bool) -> tuple[ServerState, ...]:
        return tuple(server.state(is_starting) for server in self._coordinator.servers)

    def _transactions(self) -> list[Transaction]:
        opened = [] if self._reader.open is None else [self._reader.open]
        return [*self._coordinator.in_hand(), *opened]

    def _transaction_state(self, transaction: Transaction) -> TransactionState:
        is_open = transaction is self._reader.open
        return TransactionState(
            xid=xid_of(transaction.number),
            cumulative_messages=transaction.read_lcrs if is_open else self._coordinator.applied_of(transaction),
            total_messages=transaction.read_lcrs,
            first_message_s=transaction.first_written_s,
        )


def _spilled(transaction: Transaction) -> SpilledTransaction:
    return SpilledTransaction(
        xid=xid_of(transaction.number),
        message_count=transaction.staged_lcrs,
    )
