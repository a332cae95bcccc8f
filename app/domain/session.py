"""One guided session as a whole: what the store keeps and the report shows."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.availability import GroupTopology
from app.domain.change import JournalEntry
from app.domain.comparison import Comparison, Forecast
from app.domain.events import RunStatus
from app.domain.finding import Finding, NotEvaluated
from app.domain.measurement import Measurement, TrialResult
from app.domain.plan import Plan
from app.domain.plot import PlotSpec
from app.domain.statement import StatementRecord
from app.domain.streams import StreamsTopology
from app.domain.table import ResultTable
from app.domain.topology import EffectiveParameter, SubscriberObjects, Topology


@dataclass(frozen=True)
class RunRecord:
    """One execution of one plan.

    Attributes:
        run_id: unique in its session, such as `E1`.
        reason: why it ended as it did, one sentence.
    """

    run_id: str
    plan: Plan
    target: str
    status: RunStatus
    reason: str
    started_utc: datetime
    finished_utc: datetime | None
    trials: tuple[TrialResult, ...]


@dataclass(frozen=True)
class AgentParameters:
    """The parameters in effect for one agent when the session began."""

    agent: str
    parameters: tuple[EffectiveParameter, ...]


@dataclass(frozen=True)
class Environment:
    """Where the measurements hold: read before the first change.

    Attributes:
        target: as given to `--target`.
        topology: None for measurements made elsewhere, and where there are no replication agents.
        groups, streams: what there is instead of, or beside, replication agents.
        facts: further readings for the report: name, value, unit.
        subscriber_objects, rtt_ms, network_kbps: as in `AgentSite`, None where unknown.
    """

    target: str
    topology: Topology | None
    agents: tuple[AgentParameters, ...] = ()
    facts: tuple[tuple[str, str, str], ...] = ()
    subscriber_objects: SubscriberObjects | None = None
    rtt_ms: float | None = None
    network_kbps: float | None = None
    groups: GroupTopology | None = None
    streams: StreamsTopology | None = None


@dataclass(frozen=True)
class Advice:
    """What analysis and rules made of a session; computed again from the measurements whenever asked.

    Attributes:
        tables: results beyond the comparisons, as the field prints them.
    """

    comparisons: tuple[Comparison, ...]
    forecasts: tuple[Forecast, ...]
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    plots: tuple[PlotSpec, ...]
    warnings: tuple[str, ...] = ()
    tables: tuple[ResultTable, ...] = ()


@dataclass(frozen=True)
class SessionRecord:
    """Everything of one session.

    Attributes:
        client, consultant: names for the report's cover, "" until given.
        environments: one for each target the session ran on.
        imported: measurements made elsewhere, with `imported_from` naming the file.
        changes: the undo journal's entries of this session, restored or not.
    """

    session_id: str
    title: str
    client: str
    consultant: str
    created_utc: datetime
    app_version: str
    environments: tuple[Environment, ...]
    runs: tuple[RunRecord, ...]
    imported: tuple[Measurement, ...] = ()
    imported_from: str = ""
    notes: tuple[str, ...] = ()
    statements: tuple[StatementRecord, ...] = ()
    changes: tuple[JournalEntry, ...] = ()
