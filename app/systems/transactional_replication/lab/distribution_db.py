"""The distribution database: its lock queue, the transactions each pair's Log Reader Agent has committed, and its
disk."""

import math
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.lab.clock import EventQueue
from app.systems.transactional_replication.lab.scenario import DistributionDbConstants
from app.systems.transactional_replication.lab.transactions import TransactionLog


@dataclass(frozen=True)
class _Request:
    asked_s: float
    is_exclusive: bool
    granted: Callable[[float], None]


class DistributionLocks:
    """One FIFO queue for the table every writer inserts into.

    A write transaction of up to `lock_escalation_commands` rows holds row locks, so several go on side by side and
    only meet at latches; a larger one ends up with the table lock, here taken at its start, and shuts out all others
    until it commits. Rows locked one by one before they escalate are left out: it would only add retries.
    """

    def __init__(self, constants: DistributionDbConstants, events: EventQueue) -> None:
        self._constants = constants
        self._events = events
        self._waiting: deque[_Request] = deque()
        self._writers = 0
        self._is_exclusive = False
        self._waited_s = 0.0

    @property
    def waited_s(self) -> float:
        """Seconds waited for locks since the lab was built, those still waiting included."""
        now_s = self._events.now_s
        return self._waited_s + sum(now_s - request.asked_s for request in self._waiting)

    def request(self, commands: int, granted: Callable[[float], None]) -> None:
        """Ask for the locks of a write transaction; `granted` gets the factor on its cost per command."""
        is_exclusive = commands > self._constants.lock_escalation_commands
        self._waiting.append(_Request(self._events.now_s, is_exclusive, granted))
        self._grant()

    def release(self) -> None:
        """Give up the locks of one write transaction."""
        self._writers -= 1
        self._is_exclusive = False
        self._grant()

    def _grant(self) -> None:
        while self._waiting and not self._is_exclusive:
            if self._waiting[0].is_exclusive and self._writers:
                return
            request = self._waiting.popleft()
            self._waited_s += self._events.now_s - request.asked_s
            self._is_exclusive = request.is_exclusive
            latches = self._constants.latch_share_per_writer * self._writers
            queueing = self._constants.queue_share_per_waiting_writer * len(self._waiting)
            self._writers += 1
            request.granted(1.0 + latches + queueing)


class StoredTransactions:
    """The transactions one Log Reader Agent has committed to the distribution database.

    Attributes:
        position: end of the committed transactions; only these are visible to the Distribution Agent.
    """

    def __init__(self) -> None:
        self.position = 0
        self._ends: list[int] = []
        self._commit_s: list[float] = []

    def commit(self, position: int, now_s: float) -> None:
        """Make everything before `position` visible."""
        self.position = position
        self._ends.append(position)
        self._commit_s.append(now_s)

    def stored_s(self, positions: Iterable[int]) -> list[float]:
        """Return when the (visible) transactions at these positions were committed to the distribution database."""
        ends, commit_s = self._ends, self._commit_s
        return [commit_s[bisect_right(ends, position)] for position in positions]

    def forget_before(self, position: int) -> None:
        """Drop the times of batches that lie wholly before a position."""
        drop = bisect_right(self._ends, position)
        del self._ends[:drop], self._commit_s[:drop]


class DataDisk:
    """Free space beside the distribution database; the clean-up job is taken to keep up with delivery."""

    def __init__(self, constants: DistributionDbConstants) -> None:
        self._bytes_per_command = constants.bytes_per_command
        self._free_when_empty_gb = constants.free_disk_gb

    def free_gb(self, stored_commands: int) -> float:
        """Return the space left while so many commands are stored, never below 0."""
        return max(0.0, self._free_when_empty_gb - stored_commands * self._bytes_per_command / 1e9)

    def set_free_gb(self, free_gb: float, stored_commands: int) -> None:
        """Make this the space left now, as if other files came or went."""
        self._free_when_empty_gb = free_gb + stored_commands * self._bytes_per_command / 1e9

    def room_for_commands(self, stored_commands: int) -> float:
        """Return how many more commands fit."""
        return math.floor(self.free_gb(stored_commands) * 1e9 / self._bytes_per_command)


@dataclass
class _Token:
    """A tracer token: a transaction of its own in the log of one pair, and when it came where."""

    position: int
    published_s: float
    stored_s: float | None = None
    delivered_s: float | None = None


class TracerTokens:
    """Tracer tokens on their way; they are transactions like any other and queue behind the backlog."""

    def __init__(self) -> None:
        self._tokens: list[_Token] = []
        # of each pair, in the order of the log
        self._not_stored: defaultdict[int, deque[_Token]] = defaultdict(deque)
        self._not_delivered: defaultdict[int, deque[_Token]] = defaultdict(deque)

    def add(self, pair: int, position: int, now_s: float) -> int:
        """Follow the newest transaction of a pair, by its position; return the token's id, from 1."""
        token = _Token(position, now_s)
        for tokens in (self._tokens, self._not_stored[pair], self._not_delivered[pair]):
            tokens.append(token)
        return len(self._tokens)

    def times_s(self, token_id: int) -> tuple[float, float | None, float | None]:
        """Return when a token committed at Publisher, Distributor and Subscriber; raises IndexError if unknown."""
        if not 1 <= token_id <= len(self._tokens):
            raise IndexError(f"there is no tracer token {token_id}")
        token = self._tokens[token_id - 1]
        return token.published_s, token.stored_s, token.delivered_s

    def note_stored(self, pair: int, end: int, time_s: float) -> None:
        """Note that everything before `end` is in the distribution database."""
        waiting = self._not_stored[pair]
        while waiting and waiting[0].position < end:
            waiting.popleft().stored_s = time_s

    def note_delivered(self, pair: int, ends: Sequence[int], times_s: Sequence[float]) -> None:
        """Note for batches, oldest first, that everything before their ends is at the Subscriber, and since when."""
        waiting = self._not_delivered[pair]
        while waiting and waiting[0].position < ends[-1]:
            token = waiting.popleft()
            token.delivered_s = times_s[bisect_right(ends, token.position)]


class DistributionDatabase:
    """Locks, stored transactions of every pair, tracer tokens, and disk.

    Attributes:
        settlers: what brings the delivered positions up to now, one for each Distribution Agent.
    """

    def __init__(
        self, constants: DistributionDbConstants, events: EventQueue, logs: tuple[TransactionLog, ...]
    ) -> None:
        self.locks = DistributionLocks(constants, events)
        self.disk = DataDisk(constants)
        self.stored = tuple(StoredTransactions() for _log in logs)
        self.tokens = TracerTokens()
        self.settlers: list[Callable[[], None]] = []
        self._delivered = [0] * len(logs)
        self._logs = logs

    def commit(self, pair: int, position: int, now_s: float) -> None:
        """Make everything before `position` visible to the pair's Distribution Agent."""
        self.stored[pair].commit(position, now_s)
        self.tokens.note_stored(pair, position, now_s)

    def delivered(self, pair: int) -> int:
        """Return the position up to which deliveries have been counted."""
        return self._delivered[pair]

    def note_delivered(self, pair: int, ends: Sequence[int], times_s: Sequence[float]) -> None:
        """Count batches as committed at the Subscriber: for each the position after it, and when; at least one."""
        self._delivered[pair] = ends[-1]
        self.tokens.note_delivered(pair, ends, times_s)

    def settle(self) -> None:
        """Count every delivery up to now."""
        for settle in self.settlers:
            settle()

    def pending_commands(self, pair: int) -> int:
        """Return the commands of one pair stored and not yet delivered."""
        self.settle()
        return self._pending(pair)

    def _pending(self, pair: int) -> int:
        log = self._logs[pair]
        return log.commands_before(self.stored[pair].position) - log.commands_before(self._delivered[pair])

    def stored_commands(self) -> int:
        """Return the commands of all pairs stored and not yet delivered."""
        self.settle()
        return sum(self._pending(pair) for pair in range(len(self._logs)))

    def has_room_for(self, commands: int) -> bool:
        """Tell whether so many more commands fit on the disk."""
        return self.disk.room_for_commands(self.stored_commands()) >= commands
