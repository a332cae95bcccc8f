"""What is read at a gentle pace while agents run: tracer tokens, and the commands Replication Monitor counts."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from app.domain.errors import ConnectionLost, PermissionDenied, StatementCancelled, StatementTimeout, TargetError
from app.domain.measurement import Sample
from app.domain.ports import ReplicationAgents
from app.domain.topology import Agent, TracerLatency

# A token is a transaction of its own in the log of the publication database: few, so that they are no load.
TOKEN_EVERY_S: Final = 30.0
# Where it is, the server knows to the millisecond; looking is a round trip of its own.
LOOK_EVERY_S: Final = 5.0
# Replication Monitor's count reads the commands one by one; Microsoft calls it costly on a long queue.
PENDING_EVERY_S: Final = 120.0
# How the series are named: the agent's name, then one of these.
TO_DISTRIBUTOR: Final = ": token to the Distributor"
TO_SUBSCRIBER: Final = ": token to the Subscriber"
PENDING: Final = ": pending commands"

_log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass
class _Token:
    """A token under way: whose, when it was posted, and what is known of it."""

    agent: Agent
    token_id: int
    posted_offset_s: float
    known: TracerLatency

    @property
    def has_arrived(self) -> bool:
        """Whether both legs are known."""
        return self.known.to_distributor_s is not None and self.known.to_subscriber_s is not None


@dataclass
class SlowReadings:
    """Slow readings of one trial; used by one thread.

    A reading this login may not do, or this server does not have, is left out for the rest of the run: it explains what
    was measured and is not needed for it.

    Attributes:
        deliverers: Distribution Agents; one token goes by each.
        refused: names of readings that were refused; shared by the trials of a run.
        with_tokens: only a steady load has tokens: behind a backlog one measures the backlog.
    """

    agents: ReplicationAgents
    deliverers: tuple[Agent, ...]
    refused: set[str]
    with_tokens: bool
    _tokens: list[_Token] = field(default_factory=list)
    _next_token_s: float = 0.0
    _next_look_s: float = 0.0
    _next_pending_s: float = PENDING_EVERY_S
    _turn: int = 0

    def tick(self, offset_s: float) -> tuple[Sample, ...]:
        """Read what is due and return it; a token that arrived is told at the moment it was posted."""
        return (*self._tick_tokens(offset_s), *self._tick_pending(offset_s))

    def arrived(self, since_s: float) -> tuple[TracerLatency, ...]:
        """Return the tokens posted from a moment on that arrived."""
        return tuple(t.known for t in self._tokens if t.has_arrived and t.posted_offset_s >= since_s)

    def take_back(self) -> None:
        """Delete every token of this trial; one that cannot be goes with the history the server keeps."""
        for token in self._tokens:
            try:
                self.agents.delete_tracer_token(token.agent, token.token_id)
            except TargetError as error:
                _log.info("tracer token %d stays until the history is cleaned up: %s", token.token_id, error)

    def _tick_tokens(self, offset_s: float) -> list[Sample]:
        if not self.with_tokens:
            return []
        taken: list[Sample] = []
        if offset_s >= self._next_look_s:
            self._next_look_s = offset_s + LOOK_EVERY_S
            taken = [sample for token in self._tokens if not token.has_arrived for sample in self._look_at(token)]
        if offset_s >= self._next_token_s:
            self._next_token_s = offset_s + TOKEN_EVERY_S
            for agent in self.deliverers:
                token_id = self._allowed("tokens", partial(self.agents.post_tracer_token, agent))
                if token_id is not None:
                    self._tokens.append(_Token(agent, token_id, offset_s, TracerLatency(token_id, None, None)))
        return taken

    def _look_at(self, token: _Token) -> list[Sample]:
        """Read a token under way and return the legs that are known since."""
        before = token.known
        now = self._allowed("tokens", lambda: self.agents.read_tracer_token(token.agent, token.token_id))
        if now is None:
            return []
        token.known = now
        legs = (
            (TO_DISTRIBUTOR, before.to_distributor_s, now.to_distributor_s),
            (TO_SUBSCRIBER, before.to_subscriber_s, now.to_subscriber_s),
        )
        name, at_s = token.agent.name, token.posted_offset_s
        return [Sample(f"{name}{leg}", at_s, s, "s") for leg, known_s, s in legs if known_s is None and s is not None]

    def _tick_pending(self, offset_s: float) -> list[Sample]:
        if offset_s < self._next_pending_s or not self.deliverers:
            return []
        self._next_pending_s = offset_s + PENDING_EVERY_S
        agent = self.deliverers[self._turn % len(self.deliverers)]
        self._turn += 1
        found = self._allowed("pending", lambda: self.agents.read_pending(agent))
        return [] if found is None else [Sample(f"{agent.name}{PENDING}", offset_s, found.commands, "commands")]

    def _allowed(self, what: str, read: Callable[[], T]) -> T | None:
        """Return what was read, None where it is refused here, for the rest of the run."""
        if what in self.refused:
            return None
        try:
            return read()
        except (ConnectionLost, StatementTimeout, StatementCancelled):
            raise
        except TargetError as error:
            level = logging.DEBUG if isinstance(error, PermissionDenied) else logging.INFO
            _log.log(level, "%s are not read in this run: %s", what, error)
            self.refused.add(what)
            return None
