"""A replication scenario: every physical constant of a simulated site, loaded from a TOML file and checked."""

from typing import Annotated, Final, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from app.lab.client_rate import ClientRateConstants
from app.lab.moving import MovingConstants
from app.lab.scenario_file import Probability, ScenarioKind, Section, TitledScenario
from app.lab.uneven import UnevenConstants


class TopologyConstants(Section):
    """Pairs of agents on one Distributor, processors, and the Subscriber's tables."""

    pairs: PositiveInt
    publisher_cpus: PositiveInt
    distributor_cpus: PositiveInt
    subscriber_cpus: PositiveInt
    product_version: str
    edition: str
    foreign_keys: NonNegativeInt
    unique_nonclustered_indexes: NonNegativeInt
    indexed_views: NonNegativeInt
    triggers: NonNegativeInt


class PublisherConstants(Section):
    """The workload generator and the publication database's transaction log.

    Attributes:
        publications_per_article: how many publications the test table is an article of: each counts its changes.
    """

    workload_commands_per_s: PositiveFloat
    row_bytes: PositiveFloat
    log_bytes_per_command: PositiveFloat
    log_size_mb: PositiveFloat
    publications_per_article: PositiveInt = 1


class OtherWritersConstants(Section):
    """Commits of others in each publication database all the time, at random moments."""

    transactions_per_s: NonNegativeFloat
    commands_per_transaction: PositiveInt


class LogReaderConstants(Section):
    """A reader thread and a writer thread with a bounded hand-off between them."""

    read_us_per_command: NonNegativeFloat
    write_us_per_command: NonNegativeFloat
    batch_round_trip_ms: NonNegativeFloat
    handoff_batches: PositiveInt


class DistributionDbConstants(Section):
    """Locks, latches and disk of the distribution database."""

    lock_escalation_commands: PositiveFloat
    latch_share_per_writer: NonNegativeFloat
    queue_share_per_waiting_writer: NonNegativeFloat
    bytes_per_command: PositiveFloat
    data_disk_gb: PositiveFloat
    free_disk_gb: NonNegativeFloat


class DistributionAgentConstants(Section):
    """Applying commands at the Subscriber on one or more streams."""

    apply_us_per_command: PositiveFloat
    several_streams_share: NonNegativeFloat
    lock_growth_share_per_1000_commands: NonNegativeFloat
    interference_share_per_stream_pair: NonNegativeFloat
    batch_ms: NonNegativeFloat
    stream_pair_failure_probability: Probability
    fetch_us_per_command: NonNegativeFloat
    fetch_commands: PositiveInt
    buffer_commands: PositiveInt


class LinkConstants(Section):
    """The line from the Distributor to each Subscriber."""

    rtt_ms: NonNegativeFloat
    bandwidth_kbps: PositiveFloat
    bytes_per_command: PositiveFloat
    round_trips_per_command: NonNegativeFloat
    bytes_per_packet: NonNegativeFloat


class NoiseConstants(Section):
    """Run-to-run noise of the agents and slow drift of the whole machine.

    Attributes:
        left_behind_share: how much slower a session is for each doubling of what the settings of the agent's session
            before let it do at once, streams or, above the default, transactions of a read batch: a log that has grown,
            a cache that holds other pages. It is no noise: it stays where noise is off.
        moving: how the machine's speed moves within a trial.
    """

    enabled: bool
    run_cv: NonNegativeFloat
    drift_share: NonNegativeFloat
    drift_over_s: PositiveFloat
    uneven: UnevenConstants | None = None
    left_behind_share: NonNegativeFloat = 0.0
    moving: MovingConstants | None = None


class HistoryConstants(Section):
    """How often agents write their history: a Distribution Agent after so many transactions, each after a time at most.

    Source: replication-distribution-agent.md, -TransactionsPerHistory and -MessageInterval; a Log Reader Agent has the
    second only.
    """

    transactions_per_history: NonNegativeInt
    message_interval_s: PositiveFloat


class CleanUpConstants(Section):
    """How long the Distributor keeps the history of its agents (its history retention)."""

    kept_h: PositiveFloat


class ClientWritersConstants(ClientRateConstants):
    """The client's own applications, with the sizes of their transactions.

    Attributes:
        pairs: those they write to, () for all.
        least_commands, most_commands: of one transaction; sizes between them are equally likely.
    """

    pairs: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    least_commands: PositiveInt
    most_commands: PositiveInt


class PastConstants(Section):
    """The site's past before anybody looked: a workload that changes from hour to hour, then a backlog.

    Attributes:
        commands_per_s: mean of each hour, oldest first, of each publication database.
        backlog_commands: written at once at the end of it, to each publication database.
        outage_hours: for so long before the end agents stood, as their Subscribers were away, or for want of room.
        outage_pairs: those, () for all. outage_of: the agents that stood.
    """

    commands_per_s: Annotated[tuple[NonNegativeFloat, ...], Field(strict=False)]
    commands_per_transaction: PositiveFloat
    backlog_commands: NonNegativeInt
    outage_hours: NonNegativeFloat = 0.0
    outage_pairs: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    outage_of: Literal["distribution", "log_reader"] = "distribution"


class PairNames(Section):
    """The names of a pair's databases, publication and Subscriber, where somebody else named them.

    Pairs with the same publication database share its log and its Log Reader Agent, which is that of the first of them
    whose publication has the test table.

    Attributes:
        tables: articles of the publication in schema dbo, () for all there are.
        agents_say, agents_say_copy: how the tables of agents spell the publication database and the subscription
            database, "" for as it is.
        publication_type: a snapshot publication's agent is a Distribution Agent, too.
    """

    pair: PositiveInt
    publisher_db: str
    publication: str
    subscriber: str
    subscriber_db: str
    tables: Annotated[tuple[str, ...], Field(strict=False)] = ()
    agents_say: str = ""
    agents_say_copy: str = ""
    publication_type: Literal["transactional", "snapshot"] = "transactional"


class StepSwitches(Section):
    """Parameters that somebody wrote into the job step of an agent.

    Attributes:
        agent: of the pair.
        switches: behind what is there. is_continuous: whether -Continuous was left in.
    """

    pair: PositiveInt
    agent: Literal["distribution", "log_reader"] = "distribution"
    switches: str = ""
    is_continuous: bool = True


class OwnProfile(Section):
    """A custom profile that somebody made: a copy of the default one with one value of its own."""

    name: str
    agent: Literal["distribution", "log_reader"] = "distribution"
    parameter: str
    value: str


class ServerCollation(Section):
    """A server that compares names by another collation than the others."""

    server: str
    collation: str


class SiteConstants(Section):
    """The properties of a site that was not built for tests; pairs are numbered from 1.

    Attributes:
        offline_subscribers: pairs whose Subscriber is off: it is not reached from here, and its Distribution Agent
            tries again each minute; that of a pull subscription is off with it.
        refusing_subscribers: pairs whose Subscriber refuses every login from here; its agent has its own.
        pull_subscriptions: pairs whose Distribution Agent runs at the Subscriber.
        stopped_agents: pairs whose Distribution Agent was stopped for good.
        waiting_commands: stored for each of those.
        count_commands_per_s: how quickly the commands of an agent are counted, None where that takes no time.
        unreached_after_s: until a server that is not there is given up.
        other_distribution_dbs: names of those of other Publishers at the same Distributor.
        redirected_publishers: pairs whose publication database is in an availability group, asked at its listener.
        is_cleaned_up: whether the distribution clean-up job holds the history and command tables all the time.
        jobs_without_owner, jobs_without_credential, jobs_without_subsystem: pairs the job of whose Distribution Agent
            can never start again: the login that owns it is gone, the credential of its proxy is, or that proxy may no
            longer run such steps.
        restarted_jobs: pairs whose Distribution Agent a second schedule starts every `jobs_start_every_s` seconds.
        peer_publications, updatable_subscriptions, other_engines: pairs of a peer-to-peer topology, whose Subscriber
            sends changes back, or is no SQL Server.
        anonymous_subscriptions: pairs with a Subscriber nobody registered. unlisted_subscribers: pairs whose
            Subscriber's number the distribution database has no name for.
        steps: what stands in job steps of Distribution Agents beside what the wizards write, by pair.
        own_profiles: names of custom profiles there are, copies of the default one with their own values.
        agents_elsewhere: pairs whose Distribution Agent a batch file runs, beside SQL Server Agent.
        names: of pairs that are not called as the others.
        tables: articles of publications that name none of their own, () for all there are.
        agents_speak: the language of the Distributor, in which its agents write their messages.
        is_one_publication: all pairs are Subscribers of one publication, that of the first pair.
        collation: of the servers, by which they compare names: BIN or CS tells case apart, Turkish the two letters i.
        collations: of servers that have another one.
        counters: what the objects of performance counters begin with, MSSQL$NAME at named instances.
        reader_counters: how the counters of Log Reader Agents count the commands these deliver.
        is_distribution_db_in_group: whether the distribution database is in one, too.
        distribution_role: its role at the Distributor a target is opened with: primary, or a secondary replica that can
            be read, or that lets nobody in.
    """

    offline_subscribers: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    refusing_subscribers: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    pull_subscriptions: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    stopped_agents: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    waiting_commands: NonNegativeInt = 0
    count_commands_per_s: PositiveFloat | None = None
    unreached_after_s: NonNegativeFloat = 0.0
    other_distribution_dbs: Annotated[tuple[str, ...], Field(strict=False)] = ()
    redirected_publishers: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    is_distribution_db_in_group: bool = False
    distribution_role: Literal["primary", "readable secondary", "closed secondary"] = "primary"
    is_cleaned_up: bool = False
    jobs_without_owner: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    jobs_without_credential: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    jobs_without_subsystem: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    restarted_jobs: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    jobs_start_every_s: PositiveInt = 60
    peer_publications: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    updatable_subscriptions: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    other_engines: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    anonymous_subscriptions: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    unlisted_subscribers: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    steps: Annotated[tuple[StepSwitches, ...], Field(strict=False)] = ()
    own_profiles: Annotated[tuple[OwnProfile, ...], Field(strict=False)] = ()
    agents_elsewhere: Annotated[tuple[PositiveInt, ...], Field(strict=False)] = ()
    names: Annotated[tuple[PairNames, ...], Field(strict=False)] = ()
    tables: Annotated[tuple[str, ...], Field(strict=False)] = ()
    agents_speak: Literal["english", "german"] = "english"
    is_one_publication: bool = False
    collation: str = "SQL_Latin1_General_CP1_CI_AS"
    collations: Annotated[tuple[ServerCollation, ...], Field(strict=False)] = ()
    counters: str = "SQLServer"
    reader_counters: Literal["total", "rate", "still", "backwards", "half", "absent"] = "total"


class Scenario(TitledScenario):
    """One simulated site."""

    kind: Literal["replication"] = "replication"
    topology: TopologyConstants
    publisher: PublisherConstants
    log_reader: LogReaderConstants
    distribution_db: DistributionDbConstants
    distribution_agent: DistributionAgentConstants
    link: LinkConstants
    noise: NoiseConstants
    past: PastConstants | None = None
    site: SiteConstants = SiteConstants()
    other_writers: OtherWritersConstants | None = None
    client_writers: Annotated[tuple[ClientWritersConstants, ...], Field(strict=False)] = ()
    history: HistoryConstants | None = None
    clean_up: CleanUpConstants | None = None


_KIND: Final = ScenarioKind("replication", Scenario)
scenario_names = _KIND.names
scenario_path = _KIND.path
load_scenario = _KIND.load
