"""The repeated readings of replication agents, during a trial or a look: each is declared here.

Curves of an agent are named by it in every language: a session file may be opened in another one than it was made in.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from app.domain.happening import Happening
from app.domain.limits import (
    DATA_AGE,
    FREE_DISK,
    LATENCY,
    LOG_USED,
    NO_LIMIT,
    RESTORED_BY,
    RUN_DURATION,
    TIMES_BASELINE,
    TRIAL_DURATION,
    LimitField,
)
from app.domain.naming import DatabaseName, Sentence, ServerName, Word
from app.domain.plan_field import ValueKind
from app.foundation.texts import _
from app.model.reading import Column, Counter, Gauge, Limited
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import AGENT_TYPE
from app.systems.transactional_replication.naming import AgentName
from app.systems.transactional_replication.topology import Agent

_RETRY: Final = 5

AGENT_LATENCY: Final = replace(LATENCY, help=_("Latency of the agents under test, the slowest of them."))
PENDING_COMMANDS: Final = LimitField(
    "pending_commands",
    ValueKind.WHOLE,
    _("Pending commands above"),
    "commands",
    None,
    _("Commands waiting in the distribution database beyond the planned backlog."),
    above=0,
    when_empty=NO_LIMIT,
    reading=_("pending commands beyond the planned backlog"),
    reading_unit=_("commands"),
    stated=_("more than {value} pending commands"),
)
PUBLICATION_LOG_USED: Final = replace(
    LOG_USED,
    title=_("Publication log fuller than"),
    help=_("Used share of the fullest log; it cannot be truncated while the Log Reader Agent is stopped."),
    reading=_("used share of the publication database's log"),
)
LOCK_WAITS: Final = LimitField(
    "lock_wait_share",
    ValueKind.NUMBER,
    _("Lock waits above"),
    "share",
    None,
    _("Time all sessions on the Distributor waited for locks, as a share of the time that passed."),
    above=0,
    typed_in="%",
    when_empty=NO_LIMIT,
    reading=_("lock waits on the Distributor"),
    reading_unit=_("s per second"),
    stated=_("lock waits over {value} of the time"),
)
DISTRIBUTOR_DISK: Final = replace(
    FREE_DISK, help=_("Free space on the Distributor's data disk."), reading=_("free disk on the Distributor")
)
SUBSCRIBER_AGE: Final = replace(
    DATA_AGE,
    title=_("Data at the Subscriber older than"),
    help=_(
        "How old the data at the Subscriber may become while its agent is held, so that work gathers; watched while it "
        "stands, too. It says nothing of a backlog that waits already."
    ),
    reading=_("age of the data at the Subscriber"),
)
AGENT_LIMITS: Final[tuple[LimitField, ...]] = (
    *(AGENT_LATENCY, SUBSCRIBER_AGE, PENDING_COMMANDS, PUBLICATION_LOG_USED, LOCK_WAITS, DISTRIBUTOR_DISK),
    *(TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION, RESTORED_BY),
)
"""The abort limits of their trials, in the order they are looked at."""

DELIVERED, DELIVERY_LATENCY, COUNTER_LATENCY = ": delivered", ": latency", ": latency by its counter"
PENDING, TO_DISTRIBUTOR, TO_SUBSCRIBER = ": pending commands", ": token to the Distributor", ": token to the Subscriber"
"""How the curves of an agent are named: its name, then one of these."""


@dataclass(frozen=True)
class AgentReading:
    """One agent at one moment, from the newest row of its history.

    Attributes:
        agent: its name, "" for one that nobody asked about.
        runstatus: 1 start, 2 succeed, 3 in progress, 4 idle, 5 retry, 6 fail (MSlogreader_history).
        session_start, last_time: start of the agent's session and time of the newest row, server clock.
        delivered_transactions, delivered_commands: totals of that session, never to be summed over rows.
        latency_ms: Publisher→Distributor for a Log Reader Agent, Distributor→Subscriber for a Distribution Agent.
        comment: text of the newest row (statistics rows left out).
        position: the log's sequence number of the newest transaction it processed, hexadecimal; "" where unknown.
        total_delivered_commands: since the subscription was created, whatever sessions there were; None for a Log
            Reader Agent and for rows of a history.
        counter_latency_ms: what the agent's performance counter says now, None where there is none.
        counter_commands, counter_transactions: of a Log Reader Agent, the value of its counters of delivered work;
            `counter_type` tells whether that is a total. None where there are none.
        is_running: whether its job runs, None where it has none at this Distributor, and for rows of a history.
    """

    agent: AgentName
    kind: Annotated[AgentKind, AGENT_TYPE]
    agent_id: int
    runstatus: int
    session_start: Annotated[datetime, Column("session_start_utc")]
    last_time: Annotated[datetime, Column("time_utc")]
    delivered_transactions: int
    delivered_commands: Annotated[int, Gauge("{agent}" + DELIVERED, "commands")]
    latency_ms: Annotated[float, Gauge("{agent}" + DELIVERY_LATENCY, "ms"), Limited(AGENT_LATENCY)]
    comment: Annotated[Sentence, Column("comments")]
    position: Word = ""
    total_delivered_commands: int | None = None
    counter_latency_ms: Annotated[float | None, Gauge("{agent}" + COUNTER_LATENCY, "ms")] = None
    counter_commands: int | None = None
    counter_transactions: int | None = None
    counter_type: int | None = None
    is_running: bool | None = None

    @property
    def tries_again(self) -> bool:
        """Whether it failed, and is started again and again until it gets through."""
        return self.runstatus == _RETRY


@dataclass(frozen=True)
class ReplicationSample:
    """Everything read in one round trip per server and tick.

    Attributes:
        at: the Distributor's time of day.
        agents: newest reading of every agent asked about.
        log_pending_transactions: marked for replication, not yet read by the Log Reader Agent (sp_replcounters),
            summed over the publication databases of the agents asked about.
        log_used_share: used share of the publication database's log, the fullest one, 0–1.
        distribution_pending_commands: stored in the distribution database and not delivered, of the agents asked
            about, each counted by itself; None where that is not counted.
        lock_wait_s: cumulative seconds waited for locks on the Distributor (wait types LCK_*).
        free_disk_gb: free space on the Distributor's data disk, None where it is not told.
        started_ms: by server, what tells one start of it from another. published: Publisher and database of each
            publication database it still publishes.
        log_use_unknown: of these, those whose log no counter tells of; `log_used_share` is of the others.
        utc_offset_min: the Distributor's time of day minus UTC, by which its history is stamped.
        work: of others, that runs now at Distributor and Publishers.
        log_pending: of `log_pending_transactions`, what is each publication database's, by its Publisher and name.
    """

    at: Annotated[datetime, Column("now_utc")]
    agents: tuple[AgentReading, ...]
    log_pending_transactions: Annotated[int, Gauge(_("pending in the log"), "transactions")]
    log_used_share: Annotated[float, Limited(PUBLICATION_LOG_USED)]
    distribution_pending_commands: Annotated[
        int | None, Gauge(_("pending in the distribution database"), "commands"), Limited(PENDING_COMMANDS)
    ]
    lock_wait_s: Annotated[
        float,
        Column("lock_wait_ms"),
        Gauge(_("lock waits on the Distributor"), "s"),
        Counter(unit="share"),
        Limited(LOCK_WAITS),
    ]
    free_disk_gb: Annotated[float | None, Column("free_disk_bytes"), Limited(DISTRIBUTOR_DISK)]
    started_ms: tuple[tuple[ServerName, int], ...] = ()
    published: tuple[tuple[ServerName, DatabaseName], ...] = ()
    log_use_unknown: tuple[tuple[ServerName, DatabaseName], ...] = ()
    utc_offset_min: int = 0
    work: tuple[Happening, ...] = ()
    log_pending: tuple[tuple[tuple[ServerName, DatabaseName], int], ...] = ()

    def log_pending_of(self, agent: Agent) -> int:
        """Return the transactions waiting in the log of an agent's publication database."""
        return dict(self.log_pending).get((agent.publisher_at, agent.publisher_db), 0)

    def of(self, agent: Agent) -> AgentReading | None:
        """Return the reading of one agent, None before its first history row."""
        for reading in self.agents:
            if reading.kind is agent.kind and reading.agent_id == agent.agent_id:
                return reading
        return None
