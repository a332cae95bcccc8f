"""A session that uses every field of the domain's records, and the pieces it is made of."""

from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.events import RunStatus
from app.domain.limits import Limits, usual_limits
from app.domain.measurement import Measurement, Sample, TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Phase, Plan, Stop, TrialSpec
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.session import Environment, RunRecord, SessionRecord
from app.domain.setting import Setting
from app.domain.statement import Access, StatementRecord
from app.store.overview import SessionHeader
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, WorkloadSpec
from app.systems.transactional_replication.readings import AGENT_LIMITS
from app.systems.transactional_replication.site import AgentParameters, Replication, kept_texts
from app.systems.transactional_replication.topology import Agent, Publication, Subscription, Topology

FIXTURES = Path(__file__).parent / "fixtures"
FILES = Path(__file__).parent / "files"
START = datetime(2026, 3, 4, 9, 30, 0, 123456, tzinfo=UTC)
SESSION_ID = "S20260304-093000-abc123"
HEADER = SessionHeader(SESSION_ID, "Log Reader, night load", "Contoso", "R. Müller", START, "0.1.0")
TARGET = "lab:lan"

PLAN = Plan(
    family="distribution_agent",
    factors=(Factor("SubscriptionStreams", (1, 2, 4, 8)), Factor("PacketSize", (4096, 32767.5, "auto"))),
    baseline=Setting.of(SubscriptionStreams=1, PacketSize=4096),
    load=WorkloadSpec((500, 1000.0), 2_000_000, Scenario.CONTINUOUS, 600.0, 1250.5, 3).to_load(),
    design=Design(Stop.RACE, 5, 4, 3, 0.03, 17, 0.02),
    limits=Limits.of(
        latency_s=30.0, pending_commands=500_000, lock_wait_share=0.5, free_disk_gb=2.5, trial_duration_s=3600.0
    ),
)


def make_trial(number: int, samples: int = 3, status: TrialStatus = TrialStatus.USED) -> TrialResult:
    """Return trial `E1-T00<number>` with two measurements and a few samples."""
    trial_id = f"E1-T{number:03}"
    setting = Setting.of(SubscriptionStreams=2**number, PacketSize=4096)
    begin = START + timedelta(minutes=number)
    is_aborted = status is TrialStatus.ABORTED
    measurements = tuple(
        Measurement(
            family="distribution_agent",
            trial_id=trial_id,
            block=number,
            metric=metric,
            value=value / number,
            unit=unit,
            setting=setting,
            conditions=Setting.of(network_kbps=1_000_000, rtt_ms=0.4, scenario="drained"),
            phase=Phase.EXPLORE,
        )
        for metric, value, unit in (("run_time", 217.3, "s"), ("commands_per_s", 4_812.7, "commands/s"))
    )
    return TrialResult(
        trial_id=trial_id,
        block=number,
        phase=Phase.EXPLORE,
        setting=setting,
        status=status,
        failed_checks=() if status is TrialStatus.USED else ("the agent fell back to one stream",),
        measurements=() if is_aborted else measurements,
        samples=tuple(Sample(f"latency {i % 2}", float(i), 12.25 + i, "ms") for i in range(samples)),
        started_utc=begin,
        finished_utc=begin + timedelta(seconds=55, microseconds=7),
    )


def make_spec(trial: TrialResult) -> TrialSpec:
    """Return the plan of a trial."""
    return TrialSpec(trial.trial_id, trial.block, trial.block, trial.phase, trial.setting)


def make_change(number: int = 1) -> Change:
    """Return a change of a profile parameter."""
    return Change(
        kind="profile_parameter",
        subject=f"SubscriptionStreams of Distribution Agent PUB1-Sales-SUB{number}",
        original="1",
        new="8",
        details=(("profile_id", 16 + number), ("share", 0.5), ("name", "-SubscriptionStreams")),
        apply_sql=f"EXEC msdb.dbo.sp_change_agent_parameter @profile_id = {number}, @parameter_value = N'8';",
        undo_sql=f"EXEC msdb.dbo.sp_change_agent_parameter @profile_id = {number}, @parameter_value = N'1';",
        needs_consent="delivery stops while the agent restarts",
    )


def make_statement(number: int = 1) -> StatementRecord:
    """Return a statement as it was sent."""
    return StatementRecord(
        name="read_agent_history",
        access=Access.READ if number % 2 else Access.CHANGE,
        server="DIST1",
        text="/* Replitune read_agent_history */ SELECT 1",
        parameters=f'{{"agent_id": {number}}}',
        sent_utc=START + timedelta(seconds=number),
        duration_ms=3.25 * number,
        rows=number,
        error="" if number % 2 else "the login may not do this",
    )


TOPOLOGY = Topology(
    distribution_db="distribution",
    servers=(ServerInfo("DIST1", "Distributor", "16.0.4135.4", "Enterprise", 16),),
    publications=(Publication("PUB1", "Sales", "Orders", ("dbo.Orders", "dbo.Größe")),),
    subscriptions=(Subscription("Orders", "Sales", "SUB1", "SalesCopy", "push"),),
    agents=(
        Agent(AgentKind.LOG_READER, 1, "PUB1-Sales-1", "3f2a", 2, "PUB1", "Sales"),
        Agent(AgentKind.DISTRIBUTION, 2, "PUB1-Sales-SUB1", "9c", 4, "PUB1", "Sales", "ALL", "SUB1", "C", "push"),
    ),
)
AGENTS = (
    AgentParameters(
        "PUB1-Sales-1", (EffectiveParameter("ReadBatchSize", "500", "default", "500", 1, None, "transactions"),)
    ),
)
# As versions wrote it that did not tell servers which were not reached.
_GREW = (',"unreached":[]', ',"redirected":""', ',"cautions":[]', ',"tables":[]')
"""What records hold since the first of the kept files was written."""
_KEPT = tuple(
    (name, reduce(lambda kept, grew: kept.replace(grew, ""), _GREW, text))
    for name, text in kept_texts(Replication(TOPOLOGY, AGENTS))
)
ENVIRONMENT = Environment(TARGET, (("rtt_ms", "0.4", "ms"),), _KEPT)
NOWHERE = Environment("elsewhere.csv", kept=(("agents", "[]"),))
"""Of measurements made elsewhere, as versions wrote it that kept an empty list of agents everywhere."""


def make_record() -> SessionRecord:
    """Return a complete session with two runs, imported measurements, statements and changes."""
    trials = (make_trial(1), make_trial(2, 0, TrialStatus.NOT_USED), make_trial(3, 5, TrialStatus.ABORTED))
    done = RunRecord(
        "E1", PLAN, TARGET, RunStatus.SUCCEEDED, "all trials done", START, START + timedelta(hours=1), trials
    )
    small = Plan(
        "log_reader",
        (Factor("ReadBatchSize", (500, 5000)),),
        Setting.of(ReadBatchSize=500),
        load=WorkloadSpec().to_load(),
        limits=usual_limits(AGENT_LIMITS),
    )
    broken = RunRecord("E2", small, TARGET, RunStatus.INTERRUPTED, "power", START + timedelta(hours=2), None, ())
    entries = (
        JournalEntry(1, SESSION_ID, TARGET, make_change(1), EntryState.RESTORED, START),
        JournalEntry(2, SESSION_ID, TARGET, make_change(2), EntryState.APPLIED, START, "login refused"),
    )
    return SessionRecord(
        session_id=HEADER.session_id,
        title=HEADER.title,
        client=HEADER.client,
        consultant=HEADER.consultant,
        created_utc=HEADER.created_utc,
        app_version=HEADER.app_version,
        environments=(ENVIRONMENT, NOWHERE),
        runs=(done, broken),
        imported=(
            Measurement("wan_delivery", "r1", 1, "run_time", 60.0, "s", Setting.of(SubscriptionStreams=1)),
            Measurement("wan_delivery", "r2", 1, "run_time", 21.5, "s", Setting.of(SubscriptionStreams=1.0)),
        ),
        imported_from="elsewhere.csv",
        notes=("text and chart of the source disagree", "second note"),
        statements=(make_statement(1), make_statement(2)),
        changes=entries,
    )
