"""The topology of replication on a server, in the vendor's terms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Final

from app.domain.naming import DatabaseName, Sentence, ServerName, TableName, Word
from app.domain.server import ServerInfo
from app.foundation.texts import _
from app.model.reading import Column
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import AGENT_TYPE, PUSH, SUBSCRIPTION_TYPE
from app.systems.transactional_replication.naming import AgentName, PublicationName
from app.systems.transactional_replication.spelling import spelled_as

LOAD_TABLE: Final = "dbo.ReplituneLoad"
"""The table an experiment writes its load to, an article of the publication it measures."""

# An agent shared by several publications goes by this name:
# MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/msdistribution-agents-transact-sql.md
_SHARED: Final = "ALL"

MOST_READ_ALL: Final = 48
"""Of so many agents each is read one by one."""
MOST_EXAMINED: Final = 4
"""Of more than those, so many of each kind are."""


@dataclass(frozen=True)
class Agent:
    """One replication agent on a Distributor.

    Attributes:
        agent_id: id in MSlogreader_agents or MSdistribution_agents.
        job_id: GUID of its SQL Server Agent job.
        publication: publication of a Distribution Agent, "ALL" where it is shared; empty for a Log Reader Agent.
        subscriber, subscriber_db: empty for a Log Reader Agent; `subscriber` also where the Distributor has no name for
            its number, as `publisher` may be.
        subscription_type: "push", "pull", "anonymous" or "" (Log Reader Agent).
        redirected: the listener that stands for its Publisher where the publication database is in an availability
            group, "" where it is not.
    """

    kind: Annotated[AgentKind, AGENT_TYPE]
    agent_id: int
    name: Annotated[AgentName, Column("agent_name")]
    job_id: Word
    profile_id: int
    publisher: ServerName
    publisher_db: DatabaseName
    publication: PublicationName = ""
    subscriber: ServerName = ""
    subscriber_db: DatabaseName = ""
    subscription_type: Annotated[Word, SUBSCRIPTION_TYPE] = ""
    redirected: ServerName = ""

    @property
    def is_shared(self) -> bool:
        """Whether it delivers several publications."""
        return self.publication.upper() == _SHARED

    @property
    def is_named(self) -> bool:
        """Whether the servers it works for are known by name."""
        return bool(self.publisher) and (self.kind is AgentKind.LOG_READER or bool(self.subscriber))

    @property
    def publisher_at(self) -> str:
        """Where its publication database is asked: at the listener where there is one, else at its Publisher."""
        return self.redirected or self.publisher


@dataclass(frozen=True)
class Publication:
    """One transactional publication; those of other kinds are not listed.

    Attributes:
        articles: names of its articles.
        tables: `schema.table` at the Publisher of each; () in files of versions that did not keep them.
    """

    publisher: ServerName
    publisher_db: DatabaseName
    name: PublicationName
    articles: tuple[TableName, ...] = ()
    tables: tuple[TableName, ...] = ()

    @property
    def lacks_test_table(self) -> bool:
        """Whether the table an experiment writes to is known not to be among its articles."""
        return bool(self.tables) and LOAD_TABLE.casefold() not in {table.casefold() for table in self.tables}


@dataclass(frozen=True)
class Named:
    """A plan's names of the measured part, each "" where it is left open."""

    publisher: str = ""
    database: str = ""
    publication: str = ""
    subscriber: str = ""

    @property
    def of_deliverer(self) -> bool:
        """Tell whether it names a property that only a Distribution Agent has."""
        return bool(self.publication or self.subscriber)

    def fits_reader(self, agent: Agent) -> bool:
        """Tell whether an agent works for the Publisher and publication database that are named."""
        return self.publisher in ("", agent.publisher, agent.publisher_at) and self.database in ("", agent.publisher_db)

    def fits(self, agent: Agent, delivered: tuple[Publication, ...]) -> bool:
        """Tell whether a Distribution Agent, which delivers these publications, is the named one."""
        names = {"", agent.publication, *(publication.name for publication in delivered)}
        return self.fits_reader(agent) and self.publication in names and self.subscriber in ("", agent.subscriber)


NOTHING_NAMED: Final = Named()


@dataclass(frozen=True)
class Subscription:
    """One subscription of a publication."""

    publication: PublicationName
    publisher_db: DatabaseName
    subscriber: ServerName
    subscriber_db: DatabaseName
    subscription_type: Annotated[Word, SUBSCRIPTION_TYPE]


@dataclass(frozen=True)
class SubscriberObjects:
    """Objects in a subscription database that make several streams block each other and fall back to one.

    Source: Microsoft KB953199 (streams of the Distribution Agent).
    """

    foreign_keys: int
    unique_nonclustered_indexes: int
    indexed_views: int
    triggers: int

    @property
    def total(self) -> int:
        """How many such objects there are."""
        return self.foreign_keys + self.unique_nonclustered_indexes + self.indexed_views + self.triggers


@dataclass(frozen=True)
class UnreachedServer:
    """A server of the topology that was not reached or refused this login; `reason` is the sentence that says why.

    Attributes:
        lacks_rights: whether it let this login in and tells it nothing.
        refused: whether it answered and did not let this login in.
    """

    name: ServerName
    role: Word
    reason: str
    lacks_rights: bool = False
    refused: bool = False


@dataclass(frozen=True)
class SubscriptionNature:
    """The topology a Distribution Agent is part of, as far as it is told."""

    agent_id: int
    is_updatable: bool
    is_other_engine: bool


@dataclass(frozen=True)
class Nature:
    """What kind of topology an agent is part of; each None where nobody tells.

    Several streams are documented for none of them (replication-distribution-agent.md, SubscriptionStreams).
    """

    is_peer: bool | None
    is_updatable: bool | None
    is_other_engine: bool | None


@dataclass(frozen=True)
class RunsElsewhere:
    """An agent that writes its history while its job does not run: it was started by something else.

    Attributes:
        age_s: of its newest row.
    """

    kind: Annotated[AgentKind, AGENT_TYPE]
    agent_id: int
    age_s: int

    def is_of(self, agent: Agent) -> bool:
        """Tell whether it is this agent."""
        return (self.kind, self.agent_id) == (agent.kind, agent.agent_id)


def runs_elsewhere(name: str, age_s: int) -> str:
    """Return the sentence on an agent that runs outside SQL Server Agent."""
    return _(
        "{agent} runs outside SQL Server Agent, as from a batch file or a service: it wrote its history {age} s ago, "
        "and its job does not run; it is neither stopped nor started"
    ).format(agent=name, age=age_s)


@dataclass(frozen=True)
class Topology:
    """Servers, publications, subscriptions and agents found on one Distributor.

    Attributes:
        servers: those that answered.
        unreached: those that did not; their agents stand here all the same.
        cautions: a sentence on each thing that is not as elsewhere: what does not fail over, what is not supported.
        elsewhere: agents that run outside SQL Server Agent, as far as this login may see.
        unasked: Subscribers that were not asked, as there are so many; one that a plan concerns is.
    """

    distribution_db: DatabaseName
    servers: tuple[ServerInfo, ...]
    publications: tuple[Publication, ...]
    subscriptions: tuple[Subscription, ...]
    agents: tuple[Agent, ...]
    unreached: tuple[UnreachedServer, ...] = ()
    cautions: tuple[Sentence, ...] = ()
    elsewhere: tuple[RunsElsewhere, ...] = ()
    unasked: tuple[ServerName, ...] = ()

    def with_asked(self, asked: "ServerInfo | UnreachedServer") -> "Topology":
        """Return it with a Subscriber that was asked by now."""
        unasked = tuple(name for name in self.unasked if name != asked.name)
        if isinstance(asked, UnreachedServer):
            return replace(self, unreached=(*self.unreached, asked), unasked=unasked)
        return replace(self, servers=(*self.servers, asked), unasked=unasked)

    def elsewhere_of(self, agent: Agent) -> RunsElsewhere | None:
        """Return what tells that an agent runs outside SQL Server Agent, None where nothing does."""
        return next((one for one in self.elsewhere if one.is_of(agent)), None)

    @property
    def silent(self) -> frozenset[str]:
        """Names of the servers that are not there or do not let this login in; others only tell it little."""
        return frozenset(server.name for server in self.unreached if not server.lacks_rights)

    def agents_of(self, kind: AgentKind) -> tuple[Agent, ...]:
        """Return the agents of one kind, by agent id."""
        return tuple(sorted((a for a in self.agents if a.kind is kind), key=lambda a: a.agent_id))

    def delivered_by(self, agent: Agent) -> tuple[Publication, ...]:
        """Return the transactional publications a Distribution Agent delivers; those of a shared one as far as known.

        A shared agent delivers what its subscription database subscribes to that has no
        agent of its own (independent_agent of MSpublications).
        """
        published = self._publications_of.get(_published(agent), ())
        if not agent.is_shared:
            return tuple(p for p in published if p.name == agent.publication)
        end = (agent.publisher_db, agent.subscriber, agent.subscriber_db)
        return tuple(p for p in published if (*end, p.name) in self._without_own_agent)

    @cached_property
    def _publications_of(self) -> Mapping[tuple[str, str], Sequence[Publication]]:
        found: dict[tuple[str, str], list[Publication]] = {}
        for publication in self.publications:
            found.setdefault((publication.publisher, publication.publisher_db), []).append(publication)
        return found

    @cached_property
    def _without_own_agent(self) -> frozenset[tuple[str, str, str, str]]:
        """Return publication database, Subscriber, its database and publication of a shared agent's delivery."""
        subscribed = {(s.publisher_db, s.subscriber, s.subscriber_db, s.publication) for s in self.subscriptions}
        return frozenset(
            subscribed - {(a.publisher_db, a.subscriber, a.subscriber_db, a.publication) for a in self.agents}
        )

    def has_test_table(self, agent: Agent) -> bool:
        """Tell whether an experiment's rows are delivered by an agent, as far as its publications are known."""
        return any(not publication.lacks_test_table for publication in self.delivered_by(agent))

    def pairs(self, named: Named = NOTHING_NAMED) -> tuple[tuple[Agent, Agent | None], ...]:
        """Return each publication database's Log Reader Agent with the Distribution Agent an experiment would measure.

        Left out are databases whose Publisher is not reached, where the load is written, those all of whose
        Distribution Agents run elsewhere, and agents of snapshot publications or of subscriptions of an unknown type.
        Agents whose publication has the test table come first, then push subscriptions, then those whose Subscriber is
        reached, then by agent id.

        Args:
            named: leaves those that carry other names out.
        """
        named, missing = self._spelled(named), {server.name for server in self.unreached}
        made: list[tuple[Agent, Agent | None]] = []
        for reader in self.agents_of(AgentKind.LOG_READER):
            is_here = reader.is_named and reader.publisher_at not in missing and bool(reader.job_id)
            if not is_here or not named.fits_reader(reader):
                continue
            own = [a for a in self.agents_of(AgentKind.DISTRIBUTION) if _published(a) == _published(reader)]
            here = min((agent for agent in own if self._is_meant(agent, named)), key=self._last, default=None)
            if here is not None or not (own or named.of_deliverer):
                made.append((reader, here))
        return tuple(sorted(made, key=lambda pair: (False,) * 3 if pair[1] is None else self._last(pair[1])))

    def _spelled(self, named: Named) -> Named:
        """Return names of a plan as they are spelled here."""
        published = {p.name for p in self.publications}
        return Named(
            spelled_as(named.publisher, {name for a in self.agents for name in (a.publisher, a.publisher_at)}),
            spelled_as(named.database, {a.publisher_db for a in self.agents}),
            spelled_as(named.publication, published | {a.publication for a in self.agents}),
            spelled_as(named.subscriber, {a.subscriber for a in self.agents}),
        )

    def _is_meant(self, agent: Agent, named: Named) -> bool:
        delivered = self.delivered_by(agent)
        is_known = SUBSCRIPTION_TYPE.knows(agent.subscription_type)
        return bool(agent.job_id and delivered and agent.is_named) and is_known and named.fits(agent, delivered)

    def _last(self, agent: Agent) -> tuple[bool, bool, bool]:
        return not self.has_test_table(agent), agent.subscription_type != PUSH, agent.subscriber in self.silent

    def measurable(self, kind: AgentKind) -> tuple[Agent, ...]:
        """Return the agents of a kind that a plan can name and be measured at, by agent id."""
        missing = {server.name for server in self.unreached}
        deliverers = [
            agent
            for agent in self.agents_of(AgentKind.DISTRIBUTION)
            if self._has_test_work(agent) and missing.isdisjoint((agent.publisher_at, agent.subscriber))
        ]
        if kind is AgentKind.DISTRIBUTION:
            return tuple(deliverers)
        ends = {_published(agent) for agent in deliverers}
        return tuple(agent for agent in self.agents_of(kind) if agent.job_id and _published(agent) in ends)

    def _has_test_work(self, agent: Agent) -> bool:
        """Tell whether a Distribution Agent with a job here, of a named push Subscriber, delivers the test table."""
        is_here = bool(agent.job_id) and agent.is_named and agent.subscription_type == PUSH
        return is_here and self.has_test_table(agent)

    def examined(self, first: Iterable[Agent] = ()) -> tuple[Agent, ...]:
        """Return the agents that are read one by one: all, or of many a few of each kind; the rest is counted.

        Args:
            first: goes before those an experiment would measure.
        """
        if len(self.agents) <= MOST_READ_ALL:
            return self.agents
        likely = [agent for pair in self.pairs() for agent in pair if agent is not None]
        ordered = tuple(dict.fromkeys((*first, *likely, *self.agents)))
        some = [[agent for agent in ordered if agent.kind is kind][:MOST_EXAMINED] for kind in AgentKind]
        return tuple(agent for agents in some for agent in agents)

    def under_test(self, kind: AgentKind, named: Named = NOTHING_NAMED) -> tuple[Agent, ...]:
        """Return the agents of a kind, those an experiment would measure first, in its order."""
        is_reader = kind is AgentKind.LOG_READER
        first = [reader if is_reader else deliverer for reader, deliverer in self.pairs(named)]
        return tuple(dict.fromkeys(agent for agent in (*first, *self.agents_of(kind)) if agent is not None))


def _published(agent: Agent) -> tuple[str, str]:
    return agent.publisher, agent.publisher_db


@dataclass(frozen=True)
class JobStart:
    """Reasons why an agent's job cannot be started again, or is started unasked.

    Attributes:
        is_owner_known: the login that owns the job is there.
        proxy: the agent runs as this one, "" for one that is gone, None where it needs none.
        is_proxy_usable: there is none, or it is enabled, has its credential and may run such steps.
        schedule: starts the job every `starts_every_s` seconds, a day at the most; "" and None for none.
    """

    job_id: Word
    is_owner_known: bool
    proxy: Annotated[str | None, Column("proxy_name")]
    is_proxy_usable: bool
    schedule: Annotated[str, Column("schedule_name")]
    starts_every_s: int | None

    @property
    def why_never(self) -> str:
        """Return why the job cannot be started again once it is stopped, with the remedy; "" where it can."""
        if not self.is_owner_known:
            return _(
                "The login that owns the job is gone, so that SQL Server Agent will refuse to start it once it is "
                "stopped; give the job another owner first (sp_update_job)."
            )
        if self.is_proxy_usable:
            return ""
        if not self.proxy:
            return _(
                "The proxy its step runs as is gone, so that it cannot start once it is stopped; give the step another "
                "proxy first (sp_update_jobstep)."
            )
        return _(
            'The proxy "{proxy}" its step runs as is disabled, has lost its credential or may no longer run such '
            "steps, so that it cannot start once it is stopped; mend the proxy first (sp_update_proxy, "
            "sp_grant_proxy_to_subsystem)."
        ).format(proxy=self.proxy)


class Ending(StrEnum):
    """How the newest run of an agent's job ended."""

    STOPPED = "stopped"
    FAILED = "failed"
    BY_ITSELF = "by itself"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class AgentStatistics:
    """The agent's own split of its time, from the statistics XML in its history (Microsoft KB2892631).

    A high writer wait means the reader is the bottleneck, a high reader wait means the writer is. Seconds since the
    agent's start.
    """

    reader_fetch_s: float
    reader_wait_s: float
    writer_write_s: float
    writer_wait_s: float
    work_s: float
    idle_s: float


@dataclass(frozen=True)
class Written:
    """The volume written to a publication database.

    Attributes:
        commands: rows inserted, updated and deleted.
        position: a sequence number of the log just below that of the newest transaction; "" where unknown.
    """

    commands: int
    position: Word


@dataclass(frozen=True)
class PendingCommands:
    """Replication Monitor's figures for one subscription: commands waiting and its rough estimate in seconds."""

    commands: Annotated[int, Column("pendingcmdcount")]
    estimated_s: Annotated[int, Column("estimatedprocesstime")]


@dataclass(frozen=True)
class TracerLatency:
    """Where a tracer token spent its time, each leg on its own; None while it has not arrived."""

    to_distributor_s: float | None
    to_subscriber_s: float | None

    @property
    def has_arrived(self) -> bool:
        """Whether both legs are known."""
        return self.to_distributor_s is not None and self.to_subscriber_s is not None


@dataclass(frozen=True)
class TokenClocks:
    """How far the clocks that stamp a tracer token are ahead of the Distributor's, seconds."""

    publisher_ahead_s: float
    subscriber_ahead_s: float

    def corrected(self, stamped: TracerLatency) -> TracerLatency:
        """Return a token's legs without the difference of the clocks they were stamped with."""
        first, second = stamped.to_distributor_s, stamped.to_subscriber_s
        return TracerLatency(
            None if first is None else first + self.publisher_ahead_s,
            None if second is None else second - self.subscriber_ahead_s,
        )
