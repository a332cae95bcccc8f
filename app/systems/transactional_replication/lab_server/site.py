"""The site of the lab: servers, publication databases, agents and their jobs, named from a scenario."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from app.domain.server_versions import major_version_of
from app.drivers.sqlserver.catalogue import COMMON_DATABASES, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.counters import finds_counters
from app.drivers.sqlserver.lab.servers import LabServer
from app.systems.transactional_replication import places
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.scenario import PairNames, Scenario
from app.systems.transactional_replication.lab_server.server_numbers import ServerNumbers
from app.systems.transactional_replication.server.discover import AZURE
from app.systems.transactional_replication.server.documented import AGENT_TYPES

DISTRIBUTOR: Final = "DIST1"
PUBLISHER: Final = "PUB1"
LISTENER: Final = "SALES-AG"
"""The listener of the availability group that publication databases may be in."""
OTHER_REPLICA: Final = "DIST2"
"""What answers at the Distributor's address once its availability group has failed over."""
DISTRIBUTION_DB: Final = "distribution"
DISTRIBUTION_LISTENER: Final = "DIST-AG"
"""The listener of the availability group the distribution database may be in."""
PRIMARY: Final = "primary"
CLOSED: Final = "closed secondary"
TEST_TABLE: Final = "ReplituneLoad"
TABLES: Final = ("Customers", "OrderLines", "Orders", TEST_TABLE)

_PHYSICAL_NAME: Final = "physical_database_name"  # where sys.databases has the GUID of a Managed Instance's database
_PHYSICAL_NAME_SINCE: Final = 15
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "replitune/lab/jobs")


@dataclass(frozen=True)
class LabAgent:
    """One agent with its job; `pair` is its number in the simulation."""

    kind: AgentKind
    agent_id: int
    name: str
    job_id: str
    pair: int


@dataclass(frozen=True)
class LabPair:
    """One publication with its two agents and its Subscriber.

    Attributes:
        tables: its articles. is_snapshot: it is a snapshot publication.
    """

    publisher_db: str
    publication: str
    subscriber: str
    subscriber_db: str
    log_reader: LabAgent
    distribution: LabAgent
    tables: tuple[str, ...] = TABLES
    is_snapshot: bool = False

    @property
    def has_test_table(self) -> bool:
        """Tell whether rows written for a trial are replicated."""
        return TEST_TABLE in self.tables and not self.is_snapshot


class LabSite:
    """The fixed part of the simulated servers, with a DBA's changes to it.

    Attributes:
        found: its properties.
        dropped: numbers of the pairs whose publication was dropped.
        renamed: names of agents that were renamed, by job id.
        numbers: of servers in the distribution database.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.found = scenario, scenario.site
        self.pairs = tuple(_pair(number, names_in(scenario, number + 1)) for number in range(scenario.topology.pairs))
        self.agents = tuple(
            agent
            for pair in self.pairs
            for agent in ((pair.log_reader, pair.distribution) if self.reads_log(pair) else (pair.distribution,))
        )
        self._servers = {server.name: server for server in self._build_servers()}
        others = [name for name in self._servers if name not in (DISTRIBUTOR, LISTENER)]
        self.numbers = ServerNumbers(scenario.topology.product_version, DISTRIBUTOR, others)
        self._jobs = {agent.job_id: agent for agent in self.agents}
        self.dropped: set[int] = set()
        self.renamed: dict[str, str] = {}

    def reads_log(self, pair: LabPair) -> bool:
        """Tell whether a pair's Log Reader Agent is that of its publication database."""
        return self.pair_of_publication_db(pair.publisher_db) == pair.log_reader.pair

    @property
    def live_pairs(self) -> tuple[LabPair, ...]:
        """The pairs that were not dropped."""
        return tuple(pair for number, pair in enumerate(self.pairs) if number not in self.dropped)

    @property
    def live_agents(self) -> tuple[LabAgent, ...]:
        """The agents of pairs that were not dropped."""
        return tuple(agent for agent in self.agents if agent.pair not in self.dropped)

    def is_redirected(self, pair: LabPair) -> bool:
        """Tell whether a publication database is in an availability group and asked at its listener."""
        return pair.log_reader.pair + 1 in self.found.redirected_publishers

    def is_pull(self, agent: LabAgent) -> bool:
        """Tell whether an agent is a Distribution Agent that runs at its Subscriber."""
        elsewhere = (*self.found.pull_subscriptions, *self.found.anonymous_subscriptions)
        return agent.kind is AgentKind.DISTRIBUTION and agent.pair + 1 in elsewhere

    def is_elsewhere(self, agent: LabAgent) -> bool:
        """Tell whether an agent is a Distribution Agent that something else than its job runs."""
        return agent.kind is AgentKind.DISTRIBUTION and agent.pair + 1 in self.found.agents_elsewhere

    @property
    def distribution_dbs(self) -> frozenset[str]:
        """Return the names of the Distributor's distribution databases; one of them holds all agents here."""
        return frozenset((DISTRIBUTION_DB, *self.found.other_distribution_dbs))

    @property
    def jobs_with_trouble(self) -> tuple[tuple[int, ...], ...]:
        """Pairs the job of whose Distribution Agent lacks its owner, credential or subsystem, or is started unasked."""
        found = self.found
        without = (found.jobs_without_owner, found.jobs_without_credential, found.jobs_without_subsystem)
        return (*without, found.restarted_jobs)

    @property
    def is_azure(self) -> bool:
        """Whether the servers are services of Azure."""
        return self.scenario.topology.edition == AZURE

    def finds_counters(self, statement: str) -> bool:
        """Tell whether a statement finds a database's counters that are there: by its GUID on a Managed Instance.

        Raises:
            SqlError: it names a column this release has not.
        """
        if not finds_counters(statement, self.found.counters):
            return False
        asks, has_own = _asks_physical_name(statement)
        if not asks:
            return not self.is_azure
        major = major_version_of(self.scenario.topology.product_version) or 0
        if not self.is_azure and major < _PHYSICAL_NAME_SINCE and not has_own:
            raise SqlError(207, f"Invalid column name '{_PHYSICAL_NAME}'.", "42S22")
        return True

    def is_stopped_for_good(self, agent: LabAgent) -> bool:
        """Tell whether an agent is a Distribution Agent that others stopped long ago."""
        return agent.kind is AgentKind.DISTRIBUTION and agent.pair + 1 in self.found.stopped_agents

    def unreached_by(self, agent: LabAgent) -> str:
        """Return the name of the Subscriber a Distribution Agent cannot connect to, "" where it can."""
        subscriber = self.pairs[agent.pair].subscriber
        refusal = self.refusal(subscriber) if agent.kind is AgentKind.DISTRIBUTION else None
        return subscriber if refusal is not None and refusal.state == "08001" else ""

    def refusal(self, server: str) -> SqlError | None:
        """Return the error instead of a connection to a server, None where one is made."""
        pairs = [number for number, pair in enumerate(self.pairs, start=1) if pair.subscriber == server]
        if not pairs:
            return None
        if pairs[0] in self.found.offline_subscribers:
            return SqlError(53, f"The server '{server}' was not found or was not accessible.", "08001")
        if pairs[0] in self.found.refusing_subscribers:
            return SqlError(18456, "Login failed for user 'replitune'.", "28000")
        return None

    def name_of(self, agent: LabAgent) -> str:
        """Return an agent's present name."""
        return self.renamed.get(agent.job_id, agent.name)

    @property
    def servers(self) -> tuple[LabServer, ...]:
        """The servers: Publisher, Distributor, Subscribers."""
        return tuple(self._servers.values())

    def main_database(self, server: str) -> str:
        """Return the database a server is there for."""
        return next(name for name, _role in self._servers[server].databases if name not in COMMON_DATABASES)

    def name_by(self, statement: str, server: str) -> str | None:
        """Return the name a statement finds for the number of a server, None where it finds none."""
        return self.numbers.name_by(catalogue()[statement].body, server)

    def server(self, name: str) -> LabServer | None:
        """Return a server by name."""
        return self._servers.get(name)

    def agent_of_job(self, job_id: str) -> LabAgent | None:
        """Return the agent a job runs."""
        agent = self._jobs.get(job_id.upper())
        return None if agent is None or agent.pair in self.dropped else agent

    def agent(self, kind: AgentKind, agent_id: int) -> LabAgent | None:
        """Return an agent by kind and id."""
        return next((a for a in self.live_agents if a.kind is kind and a.agent_id == agent_id), None)

    def agent_of_type(self, agent_type: int, agent_id: int) -> LabAgent | None:
        """Return an agent by SQL Server's number of its type (2 Log Reader, 3 Distribution) and its id."""
        return next((a for a in self.live_agents if AGENT_TYPES[a.kind] == agent_type and a.agent_id == agent_id), None)

    def pair_of_publication_db(self, database: str) -> int:
        """Return the number of the pair whose log a database's is; the place was checked before."""
        own = [number for number, pair in enumerate(self.pairs) if pair.publisher_db == database]
        return min(
            own, key=lambda number: (self.pairs[number].is_snapshot, TEST_TABLE not in self.pairs[number].tables)
        )

    def pair_of_publication(self, database: str, publication: str) -> int | None:
        """Return the number of the pair of a publication, None where there is none."""
        wanted = (database, publication)
        own = (number for number, pair in enumerate(self.pairs) if (pair.publisher_db, pair.publication) == wanted)
        return next(own, None)

    def step_text(self, agent: LabAgent) -> str:
        """Return the command of an agent's job step, passwords included: the wizards', with what somebody changed."""
        own = [one for one in self.found.steps if (one.pair, one.agent) == (agent.pair + 1, agent.kind)]
        text = self._wizards_text(agent)
        for one in own:
            text = text if one.is_continuous else text.removesuffix("-Continuous").rstrip()
            text = f"{text} {one.switches}".rstrip()
        return text

    def _wizards_text(self, agent: LabAgent) -> str:
        pair = self.pairs[agent.pair]
        if agent.kind is AgentKind.LOG_READER:
            return (
                f"-Publisher [{PUBLISHER}] -PublisherDB [{pair.publisher_db}] -Distributor [{DISTRIBUTOR}] "
                f"-DistributorSecurityMode 1 -PublisherSecurityMode 0 -PublisherLogin [repl_reader] "
                f"-PublisherPassword [{secret_of(agent)}]  -Continuous"
            )
        return (
            f"-Subscriber [{pair.subscriber}] -SubscriberDB [{pair.subscriber_db}] -Publisher [{PUBLISHER}] "
            f"-Distributor [{DISTRIBUTOR}] -DistributorSecurityMode 1 -PublisherDB [{pair.publisher_db}] "
            f"-SubscriberSecurityMode 0 -SubscriberLogin [repl_writer] "
            f"-SubscriberPassword [{secret_of(agent)}]  -Continuous"
        )

    def _build_servers(self) -> tuple[LabServer, ...]:
        topology, others = self.scenario.topology, self.distribution_dbs - {DISTRIBUTION_DB}
        always = tuple((name, name) for name in sorted(COMMON_DATABASES))
        at_listener = [pair for pair in self.pairs if self.is_redirected(pair)]
        published = _published([pair for pair in self.pairs if pair not in at_listener])
        listeners = [(*always, *_published(at_listener))] if at_listener else []
        subscribers = tuple(
            LabServer(
                pair.subscriber,
                places.SUBSCRIBER,
                topology.subscriber_cpus,
                (*always, (pair.subscriber_db, places.SUBSCRIPTION_DATABASE)),
            )
            for pair in self.pairs
        )
        made = (
            LabServer(PUBLISHER, places.PUBLISHER, topology.publisher_cpus, (*always, *published)),
            LabServer(
                DISTRIBUTOR,
                places.DISTRIBUTOR,
                topology.distributor_cpus,
                (*always, (DISTRIBUTION_DB, places.DISTRIBUTION_DATABASE), *((name, name) for name in others)),
            ),
            *(LabServer(LISTENER, places.PUBLISHER, topology.publisher_cpus, databases) for databases in listeners),
            *subscribers,
        )
        own = {one.server: one.collation for one in self.found.collations}
        return tuple(replace(server, collation=own.get(server.name, self.found.collation)) for server in made)


@cache
def _asks_physical_name(statement: str) -> tuple[bool, bool]:
    """Tell whether a statement reads the physical names of databases, and whether it gives a column of that name."""
    body = catalogue()[statement].body  # asked for with each reading of a trial, and its text is long
    return _PHYSICAL_NAME in body, f"AS {_PHYSICAL_NAME}" in body


def secret_of(agent: LabAgent) -> str:
    """Return the password that stands in an agent's job step; tests look for it where it must never be."""
    return f"S3cret!{agent.kind.value}{agent.agent_id}"


def _published(pairs: Iterable[LabPair]) -> tuple[tuple[str, str], ...]:
    return tuple((name, places.PUBLICATION_DATABASE) for name in dict.fromkeys(pair.publisher_db for pair in pairs))


def names_in(scenario: Scenario, digit: int) -> PairNames:
    """Return a pair's names, numbered from 1."""
    published = 1 if scenario.site.is_one_publication else digit
    usual = PairNames(
        pair=digit,
        publisher_db=f"Sales{published}",
        publication=f"Sales{published}Orders",
        subscriber=f"SUB{digit}",
        subscriber_db=f"Sales{digit}Copy",
    )
    names = next((names for names in scenario.site.names if names.pair == digit), usual)
    return names if names.tables else names.model_copy(update={"tables": scenario.site.tables})


def _pair(number: int, names: PairNames) -> LabPair:
    digit = names.pair
    publisher_db, publication, subscriber = names.publisher_db, names.publication, names.subscriber
    return LabPair(
        publisher_db=publisher_db,
        publication=publication,
        subscriber=subscriber,
        subscriber_db=names.subscriber_db,
        log_reader=_agent(AgentKind.LOG_READER, digit, f"{PUBLISHER}-{publisher_db}-{digit}", number),
        distribution=_agent(
            AgentKind.DISTRIBUTION, digit, f"{PUBLISHER}-{publisher_db}-{publication}-{subscriber}-{digit}", number
        ),
        tables=names.tables or TABLES,
        is_snapshot=names.publication_type == "snapshot",
    )


def _agent(kind: AgentKind, agent_id: int, name: str, pair: int) -> LabAgent:
    return LabAgent(kind, agent_id, name, str(uuid.uuid5(_NAMESPACE, name)).upper(), pair)
