"""Reading and controlling the agents of one Distributor; every call raises TargetError."""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Final

from app.domain.change import Change
from app.domain.errors import PermissionDenied, Unsupported
from app.domain.happening import PastReadings
from app.domain.server import EffectiveParameter, ServerInfo
from app.drivers.sqlserver.past_work import past_readings, running_work
from app.drivers.sqlserver.server_clock import ask_with_time
from app.drivers.sqlserver.session import AskingOnce, Place, Session
from app.foundation.clock import Clock
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.transactional_replication.enumerations import SUBSCRIPTION_TYPE
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.readings import AgentReading, ReplicationSample
from app.systems.transactional_replication.server.discover import (
    ask_subscriber,
    discover,
    own_distribution_db,
    read_destination_tables,
    read_natures,
    read_peers,
    why_secondary,
)
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from app.systems.transactional_replication.server.job_control import AgentJob, JobControl
from app.systems.transactional_replication.server.job_steps import JobStep, read_known_job_step
from app.systems.transactional_replication.server.parameters import read_effective_parameters
from app.systems.transactional_replication.server.statistics import parse_statistics
from app.systems.transactional_replication.server.tracer_tokens import (
    need_deliverer,
    read_token_clocks,
    read_tracer_token,
)
from app.systems.transactional_replication.server.workload import POSITION_DIGITS
from app.systems.transactional_replication.spelling import ServersSpelling, spelled_as
from app.systems.transactional_replication.topology import (
    Agent,
    AgentStatistics,
    Ending,
    JobStart,
    Nature,
    PendingCommands,
    SubscriberObjects,
    TokenClocks,
    Topology,
    TracerLatency,
)

_SHARED: Final = frozenset({"parameter_limits", "profile_by_name", "profile_parameters", "publications"})
"""What is the same for many agents."""
_SUBSCRIPTION_TYPE_NUMBERS: Final = {word: number for number, word in SUBSCRIPTION_TYPE.words.items()}


class SqlServerAgents:
    """The agents of one Distributor, through named statements."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._jobs = JobControl(session, clock)
        self._spelling = ServersSpelling(session)
        self._distribution_db = ""
        self._is_in_group = False
        self._agents: tuple[Agent, ...] = ()
        self._publisher_dbs: dict[str, frozenset[str]] = {}
        self._published: frozenset[str] = frozenset()
        self._subscribers: tuple[str, ...] = ()

    @property
    def distribution_db(self) -> str:
        """Name of the distribution database, read once."""
        if not self._distribution_db:
            self._learn(own_distribution_db(self._session))
        return self._distribution_db

    def _learn(self, own: Row) -> None:
        self._distribution_db, self._is_in_group = own.text("distribution_db"), own.whole("is_in_group") == 1

    def why_secondary(self, distribution_db: str = "") -> str:
        """Return the remedy where a distribution database, else the own one, is a secondary replica by now.

        It is "" elsewhere, and asked only where the database may be in an availability group.
        """
        name = distribution_db or self.distribution_db
        if name == self._distribution_db and not self._is_in_group:
            return ""
        return why_secondary(self._session, name)

    def discover(self) -> Topology:
        """Read servers, publications, subscriptions and agents."""
        own = own_distribution_db(self._session)
        self._learn(own)
        topology = discover(self._session, own, self._spelling)
        missing = {server.name for server in topology.unreached}
        self._agents = topology.agents
        self._published = frozenset(publication.publisher_db for publication in topology.publications)
        self._publisher_dbs = _publisher_dbs([agent for agent in topology.agents if agent.publisher_at not in missing])
        missing |= set(topology.unasked)
        self._subscribers = tuple(sorted({a.subscriber for a in topology.agents if a.subscriber} - missing))
        return topology

    def with_subscriber(self, topology: Topology, name: str) -> Topology:
        """Return the topology with a Subscriber that was not asked before, as there are so many."""
        if name not in topology.unasked:
            return topology
        asked = ask_subscriber(self._session, name)
        if isinstance(asked, ServerInfo):
            self._subscribers = tuple(sorted({*self._subscribers, name}))
        return topology.with_asked(asked)

    def reading_once(self) -> "SqlServerAgents":
        """Return the same for one look: what several agents share (profiles, limits, articles) is asked once."""
        once = copy(self)
        once._session = AskingOnce(self._session, _SHARED)
        return once

    def read_parameters(self, agent: Agent) -> tuple[EffectiveParameter, ...]:
        """Read the parameters in effect, each with its origin, default and limits, by name."""
        return read_effective_parameters(self._session, self.distribution_db, agent)

    def read_nature(self, agent: Agent) -> Nature:
        """Read the kind of topology a Distribution Agent is part of, each part None where it is not told."""
        natures = read_natures(self._session, self.distribution_db)
        own = None if natures is None else next((one for one in natures if one.agent_id == agent.agent_id), None)
        return Nature(
            is_peer=read_peers(self._session, agent),
            is_updatable=None if own is None else own.is_updatable,
            is_other_engine=None if own is None else own.is_other_engine,
        )

    def read_job_step(self, agent: Agent) -> JobStep | None:
        """Read the parameters in the agent's job step, None where they are not known."""
        return read_known_job_step(self._session, agent)

    def read_subscriber_objects(self, agent: Agent) -> SubscriberObjects:
        """Count the objects in a Distribution Agent's subscription database that provoke a fall-back to one stream."""
        need_deliverer(agent)
        tables = read_destination_tables(self._session, self.distribution_db, agent)
        place = Place(agent.subscriber, agent.subscriber_db)
        rows = self._session.run("subscriber_objects", place, tables=f"|{'|'.join(tables)}|")
        if not rows:
            raise PermissionDenied(
                _(
                    "this login may not see the definitions in {database} at {server}, so that what makes streams "
                    "block each other is not known; grant it VIEW DEFINITION there"
                ).format(database=agent.subscriber_db, server=agent.subscriber)
            )
        return read_as(SubscriberObjects, rows[0])

    def read_command_bytes(self, agent: Agent) -> float | None:
        """Read the mean size of an agent's undelivered commands as stored at the Distributor, bytes, None for none."""
        need_deliverer(agent)
        rows = self._session.run(
            "command_bytes",
            self._distribution,
            publisher=agent.publisher,
            publisher_db=agent.publisher_db,
            agent_id=agent.agent_id,
        )
        commands = rows[0].whole_or("commands", 0)
        return rows[0].whole_or("stored_bytes", 0) / commands if commands else None

    def is_running(self, agent: Agent) -> bool:
        """Tell whether the agent's job runs now."""
        return self._jobs.is_running(self._job(agent))

    def read_job_starts(self) -> tuple[JobStart, ...]:
        """Read why agents' jobs cannot be started again, or are started unasked; for sysadmins only."""
        return self._jobs.starts()

    def read_ending(self, agent: Agent) -> Ending:
        """Read how the newest run of the agent's job ended; asked once it stands."""
        return self._jobs.ending(self._job(agent))

    def start(self, agent: Agent) -> None:
        """Start the agent's job and wait until its history shows a new session; a running agent is left alone.

        Raises:
            ProcessDidNotRespond: no new session within the time limit.
        """
        self._jobs.start(self._job(agent))

    def stop(self, agent: Agent) -> None:
        """Ask the agent's job to stop and wait until it has; a stopped agent is left alone.

        Raises:
            ProcessDidNotRespond: still running after the time limit.
        """
        self._jobs.stop(self._job(agent))

    def sample(self, concerned: Sequence[Agent] = ()) -> ReplicationSample:
        """Read the agents concerned, or all, and the logs they read, in one round trip per server."""
        if not concerned and not self._publisher_dbs:
            self.discover()
        rows = self._session.run("distributor_sample", self._distribution)
        logs = self._sample_publishers(_publisher_dbs(concerned) if concerned else self._publisher_dbs)
        server, asked = rows[0], concerned or self._agents
        names = {(AGENT_TYPES[agent.kind], agent.agent_id): agent.name for agent in asked}
        return read_as(
            ReplicationSample,
            server,
            agents=tuple(
                _reading(row, names.get(key, ""))
                for row in rows
                if not row.is_null("agent_type")
                and ((key := (row.whole("agent_type"), row.whole("agent_id"))) in names or not concerned)
            ),
            log_pending_transactions=sum(row.whole("pending_transactions") for _end, row in logs),
            log_used_share=max((row.whole_or("log_used_percent", 0) / 100.0 for _end, row in logs), default=0.0),
            distribution_pending_commands=None,
            started_ms=(
                (self._session.own_server, server.whole("server_started_ms")),
                *dict.fromkeys((publisher, row.whole("server_started_ms")) for (publisher, _db), row in logs),
            ),
            published=tuple(end for end, _row in logs),
            log_use_unknown=tuple(end for end, row in logs if row.is_null("log_used_percent")),
            log_pending=tuple((end, row.whole("pending_transactions")) for end, row in logs),
            work=running_work([(self._session.own_server, server), *((end[0], row) for end, row in logs)]),
        )

    def _sample_publishers(self, published: Mapping[str, frozenset[str]]) -> list[tuple[tuple[str, str], Row]]:
        """Return a row for each publication database, with its Publisher and name.

        A login that is no sysadmin may ask for the counters in a database it owns, which is asked once for all of them:
        one with publications, as an agent may be left over of a database that is gone.
        """
        return [
            ((publisher, database), row)
            for publisher, databases in published.items()
            for row in self._session.run("publisher_sample", Place(publisher, min(databases, key=self._asked_last)))
            if (database := spelled_as(row.text("publisher_db"), databases, self._spelling.at(publisher))) in databases
        ]

    def _asked_last(self, database: str) -> tuple[bool, str]:
        return database not in self._published, database

    def read_history(self, agent: Agent) -> tuple[AgentReading, ...]:
        """Read the history rows of the agent's newest session, oldest first, statistics rows left out."""
        rows = self._session.run("agent_history", self._distribution, **self._key(agent))
        return tuple(_reading(row, agent.name, kind=agent.kind, agent_id=agent.agent_id) for row in rows)

    def read_statistics(self, agent: Agent) -> AgentStatistics | None:
        """Read the agent's newest statistics row of its current session, None before the first one."""
        rows = self._session.run("agent_statistics", self._distribution, **self._key(agent))
        return parse_statistics(rows[0].text("comments")) if rows else None

    def read_hours(self, window_h: int) -> tuple[AgentHour, ...]:
        """Read every agent's delivery in each hour of its kept history, by agent, oldest first."""
        rows = self._session.run("agent_hours", self._distribution, hours=window_h)
        return tuple(read_as(AgentHour, row) for row in rows)

    def read_session_start(self, agent: Agent) -> datetime | None:
        """Read when the newest session of an agent began, None before its first."""
        return self._jobs.session_start(self._job(agent))

    def read_time_utc(self) -> datetime:
        """Read the Distributor's time of day."""
        return self._session.run("server_time", Place(self._session.own_server, "master"))[0].moment_utc("now_utc")

    def read_clock_offsets(self) -> tuple[tuple[str, float], ...]:
        """Read how far each other server's clock is ahead of the Distributor's, seconds.

        Each reading is taken for the middle of its round trip, so half of the round trip is its largest error.
        """
        if not self._publisher_dbs:
            self.discover()
        here = self._session.own_server
        names = [name for name in dict.fromkeys((*self._publisher_dbs, *self._subscribers)) if name != here]
        return tuple((name, self._ahead_s(name) - self._ahead_s(here)) for name in names)

    def servers_of(self, concerned: Sequence[Agent]) -> tuple[str, ...]:
        """Return the servers agents work at that were reached, the Distributor first."""
        if not self._publisher_dbs:
            self.discover()
        reached = {*self._publisher_dbs, *self._subscribers}
        names = (name for agent in concerned for name in (agent.publisher_at, agent.subscriber) if name in reached)
        return tuple(dict.fromkeys((self._session.own_server, *names)))

    def past_readings(self, server: str, elapsed_s: float, concerned: Sequence[Agent]) -> PastReadings:
        """Return a server's readings about the last seconds; the jobs of the agents concerned do not count."""
        return past_readings(self._session, server, elapsed_s, {agent.job_id for agent in concerned if agent.job_id})

    def _ahead_s(self, server: str) -> float:
        """Return how far a server's clock is ahead of this computer's, seconds."""
        rows, here_utc = ask_with_time(self._clock, lambda: self._session.run("server_time", Place(server, "master")))
        return (rows[0].moment_utc("now_utc") - here_utc).total_seconds()

    def read_pending(self, agent: Agent) -> PendingCommands:
        """Read Replication Monitor's count for one subscription; meant for every few minutes, not for a tick.

        Raises:
            PermissionDenied: the login is no db_owner of the distribution database; replmonitor alone is not enough.
        """
        need_deliverer(agent)
        if agent.subscription_type not in _SUBSCRIPTION_TYPE_NUMBERS:
            raise Unsupported(
                _(
                    "what waits for {agent} is not counted: its subscription is of a type this program does not know"
                ).format(agent=agent.name)
            )
        row = self._session.run(
            "pending_commands",
            self._distribution,
            publisher=agent.publisher,
            publisher_db=agent.publisher_db,
            publication=agent.publication,
            subscriber=agent.subscriber,
            subscriber_db=agent.subscriber_db,
            subscription_type=_SUBSCRIPTION_TYPE_NUMBERS[agent.subscription_type],
        )[0]
        return read_as(PendingCommands, row)

    def read_backlog(self, agent: Agent, at_most: int) -> int | None:
        """Count a Distribution Agent's undelivered commands by a seek, up to a bound; None where that is not known."""
        need_deliverer(agent)
        row = self._session.run(
            "agent_backlog",
            self._distribution,
            publisher=agent.publisher,
            publisher_db=agent.publisher_db,
            agent_id=agent.agent_id,
            at_most=at_most,
        )[0]
        return None if row.is_null("commands") else row.whole("commands")

    def read_tracer_token(self, posted: Change) -> TracerLatency:
        """Read how far the token of a change that was made has come, by the clocks of the servers."""
        return read_tracer_token(self._session, posted)

    def read_token_clocks(self, agent: Agent) -> TokenClocks:
        """Read how far the clocks are apart that stamp the tokens of a Distribution Agent.

        Raises:
            Unsupported: they cannot be compared.
        """
        need_deliverer(agent)
        return read_token_clocks(self._session, self._clock, agent)

    @property
    def _distribution(self) -> Place:
        return Place(self._session.own_server, self.distribution_db)

    def _job(self, agent: Agent) -> AgentJob:
        return AgentJob.of(agent, self.distribution_db)

    def _key(self, agent: Agent) -> dict[str, int]:
        return {"agent_type": AGENT_TYPES[agent.kind], "agent_id": agent.agent_id}


def _publisher_dbs(agents: Sequence[Agent]) -> dict[str, frozenset[str]]:
    databases_by_agent: dict[str, set[str]] = {}
    for agent in agents:
        databases_by_agent.setdefault(agent.publisher_at, set()).add(agent.publisher_db)
    return {publisher: frozenset(databases) for publisher, databases in sorted(databases_by_agent.items())}


def _reading(row: Row, agent: str, **given: object) -> AgentReading:
    return read_as(AgentReading, row, agent=agent, position=_position(row), **given)


def _position(row: Row) -> str:
    """Return the sequence number of a row as text ordered as the numbers are: ten bytes; "" for none, or for zero."""
    position = "" if row.is_null("position") else row.text("position")[:POSITION_DIGITS]
    return position if position.strip("0") else ""
