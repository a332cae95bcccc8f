"""Tracer tokens of one trial: posted now and then under a steady load, followed, and taken back under the journal."""

import logging
from dataclasses import dataclass, field, replace
from typing import Final

from app.domain.change import Change
from app.domain.errors import ConnectionLost, StatementCancelled, TargetError
from app.domain.measurement import Sample
from app.domain.rig import Changer
from app.domain.target import Target
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import TO_DISTRIBUTOR, TO_SUBSCRIBER
from app.systems.transactional_replication.topology import Agent, TokenClocks, TracerLatency

# A token is a transaction of its own in the log of the publication database: few, so that they are no load.
TOKEN_EVERY_S: Final = 30.0
# Where it is, the server knows to the millisecond; looking is a round trip of its own.
LOOK_EVERY_S: Final = 5.0
_READING: Final = "tracer_tokens"
_NOT_ARRIVED: Final = TracerLatency(None, None)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Token:
    """A posted token: its change, when in the trial it was posted, and its progress."""

    agent: Agent
    posted: Change
    offset_s: float
    latency: TracerLatency = _NOT_ARRIVED


@dataclass
class TracerTokens:
    """The tokens of one trial; used by one thread.

    They explain what was measured and are not needed for it: where the login may not post any, the server has none, or
    it takes too long, the rest of the run goes without. A token is deleted as soon as it has arrived; whatever fails
    stays in the undo journal, and the end of the run takes it back.

    Attributes:
        deliverers: Distribution Agents; one token goes by each.
        refused: names of readings that were refused; shared by the trials of a run.
        clocks: of the servers each agent's tokens pass, by agent id; shared by the trials of a run.
    """

    target: Target
    changer: Changer
    deliverers: tuple[Agent, ...]
    refused: set[str]
    clocks: dict[int, TokenClocks]
    _under_way: list[_Token] = field(default_factory=list)
    _arrived: list[_Token] = field(default_factory=list)
    _next_token_s: float = 0.0
    _next_look_s: float = 0.0

    def tick(self, offset_s: float) -> tuple[Sample, ...]:
        """Look at the tokens under way, post the one that is due, and return the new readings.

        What a token tells is dated to the moment it was posted.

        Raises:
            ConnectionLost, StatementCancelled: the connection broke, or the run is cancelled.
        """
        taken: tuple[Sample, ...] = ()
        if offset_s >= self._next_look_s:
            self._next_look_s = offset_s + LOOK_EVERY_S
            taken = self._look()
        if offset_s >= self._next_token_s:
            self._next_token_s = offset_s + TOKEN_EVERY_S
            for agent in self.deliverers:
                self._post(agent, offset_s)
        return taken

    def finish(self) -> tuple[Sample, ...]:
        """Look a last time, remove every token of this trial, and return the new readings; raises as `tick`."""
        taken = self._look()
        for token in self._under_way:
            self._take_back(token.posted)
        self._under_way.clear()
        return taken

    def arrived(self, since_s: float) -> tuple[TracerLatency, ...]:
        """Return the legs of the tokens that were posted from a moment of the trial on and arrived."""
        return tuple(token.latency for token in self._arrived if token.offset_s >= since_s)

    def _post(self, agent: Agent, offset_s: float) -> None:
        if _READING in self.refused:
            return
        try:
            if agent.agent_id not in self.clocks:
                self.clocks[agent.agent_id] = agent_ports(self.target).agents.read_token_clocks(agent)
            planned = agent_ports(self.target).agent_changes.plan_tracer_token(agent)
            # who may not read tokens could not take one back, and beside somebody else's it could not be told apart
            may_post = self.target.changes.is_undone(planned)
        except StatementCancelled:
            raise
        except TargetError as error:
            # nothing is sent yet, and a server that went away is noticed by the next sample
            self._refuse(error)
            return
        if not may_post:
            return
        try:
            posted = self.changer.apply(planned)
        except (ConnectionLost, StatementCancelled):
            raise
        except TargetError as error:
            self._refuse(error)
            self._take_back(planned)
            return
        self._under_way.append(_Token(agent, posted, offset_s))

    def _look(self) -> tuple[Sample, ...]:
        """Read where each token under way is; those that have arrived are deleted."""
        taken: list[Sample] = []
        still: list[_Token] = []
        for token in self._under_way:
            latency = self._read(token)
            taken += _news(token, latency)
            now = replace(token, latency=latency)
            if not latency.has_arrived:
                still.append(now)
                continue
            self._arrived.append(now)
            self._take_back(token.posted)
        self._under_way = still
        return tuple(taken)

    def _read(self, token: _Token) -> TracerLatency:
        if _READING in self.refused:
            return token.latency
        try:
            stamped = agent_ports(self.target).agents.read_tracer_token(token.posted)
        except (ConnectionLost, StatementCancelled):
            raise
        except TargetError as error:
            self._refuse(error)
            return token.latency
        return self.clocks[token.agent.agent_id].corrected(stamped)

    def _take_back(self, change: Change) -> None:
        try:
            self.changer.take_back([change])
        except (ConnectionLost, StatementCancelled):
            raise
        except TargetError as error:
            _log.info("a tracer token stays until the run restores: %s", error)

    def _refuse(self, error: TargetError) -> None:
        _log.info("no more tracer tokens in this run: %s", error)
        self.refused.add(_READING)


def _news(token: _Token, latency: TracerLatency) -> list[Sample]:
    """Return the legs that are known since the last look."""
    legs = (
        (TO_DISTRIBUTOR, token.latency.to_distributor_s, latency.to_distributor_s),
        (TO_SUBSCRIBER, token.latency.to_subscriber_s, latency.to_subscriber_s),
    )
    name, at_s = token.agent.name, token.offset_s
    return [Sample(f"{name}{leg}", at_s, s, "s") for leg, known_s, s in legs if known_s is None and s is not None]
