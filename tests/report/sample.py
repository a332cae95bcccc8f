"""Hand-made sessions for the report: a full one of two families, one of imported measurements, an empty one."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import inf

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.events import RunStatus
from app.domain.family import SweptCondition
from app.domain.finding import Finding, NotEvaluated, Source
from app.domain.happening import Happening, Work
from app.domain.limits import LimitField, usual_limits
from app.domain.measurement import Better, Measurement, Metric, TrialResult, TrialStatus
from app.domain.plan import Factor, Phase, Plan
from app.domain.plan_field import PlanField
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.session import Advice, Environment, RunRecord, SessionRecord
from app.domain.setting import EMPTY_SETTING, Parameter, Setting
from app.domain.statement import Access, StatementRecord
from app.domain.system import System
from app.reporting.request import ReportRequest
from app.services.explain.deciding import decided
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import AGENT_LOAD, WorkloadSpec
from app.systems.transactional_replication.readings import AGENT_LIMITS
from app.systems.transactional_replication.site import AgentParameters, Replication, kept_texts
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.topology import Agent, Publication, Subscription, Topology
from tests.report.scripts import DECLARED

BEGAN = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
ISSUED = datetime(2026, 11, 21, 16, 30, tzinfo=UTC)
TARGET = "sqlserver://repl_tuner@contodist07:1433"
NAMES = (
    "Ledger4711",
    "Contoso Retail",
    "contodist07",
    "CONTOPUB03",
    "CONTOSUB11",
    "SalesLedger",
    "SalesArchive",
    "LedgerToArchive",
    "repl_tuner",
    "OrderLines",
)
"""Every name of the client in the full session."""

_LOG_READER = Agent(AgentKind.LOG_READER, 1, "CONTOPUB03-SalesLedger-1", "6f1c", 1, "CONTOPUB03", "SalesLedger")
_DISTRIBUTION = Agent(
    AgentKind.DISTRIBUTION,
    4,
    "CONTOPUB03-SalesLedger-LedgerToArchive-CONTOSUB11-4",
    "6f1d",
    4,
    "CONTOPUB03",
    "SalesLedger",
    "LedgerToArchive",
    "CONTOSUB11",
    "SalesArchive",
    "push",
)
_RUN_TIME = Metric("run_time", "s", Better.LOWER, "Run time")
_RATE = Metric("rate", "commands/s", Better.HIGHER, "Delivery rate")


@dataclass(frozen=True)
class SampleFamily:
    """Texts of a family, as the report asks for them."""

    family_id: str
    title: str
    question: str
    parameters: tuple[Parameter, ...] = ()
    metrics: tuple[Metric, ...] = (_RUN_TIME, _RATE)
    main_metrics: tuple[Metric, ...] = (_RUN_TIME,)
    stand_in_metrics: tuple[Metric, ...] = ()
    load_fields: tuple[PlanField, ...] = AGENT_LOAD
    limit_fields: tuple[LimitField, ...] = AGENT_LIMITS
    compares_all: bool = False
    swept: tuple[SweptCondition, ...] = ()
    system: System = SYSTEM


FAMILIES = (
    SampleFamily(
        "log_reader",
        "Log Reader Agent",
        "How much does the Log Reader Agent read at once? Larger batches save round trips and delay the first command.",
    ),
    SampleFamily(
        "distribution_agent",
        "Distribution Agent",
        "How does the Distribution Agent write at the Subscriber? Batches and parallel streams save time.",
    ),
)


def full_request() -> ReportRequest:
    """Return a report of the full session."""
    return ReportRequest(full_session(), full_advice(), ISSUED, "9c1f" * 16, FAMILIES, declared=DECLARED)


def imported_request() -> ReportRequest:
    """Return a report of measurements made elsewhere."""
    session = replace(
        empty_session(),
        title="Catch-up of the London Subscriber",
        imported=_imported(),
        imported_from="weekly-measurements.csv",
    )
    finding = replace(
        full_advice().findings[0], figure="log_reader/means", evidence=("r500-1", "r5000-1"), family="log_reader"
    )
    comparison = replace(
        full_advice().comparisons[0], reference_trials=("r500-1",), candidate_trials=("r5000-1",), phase=Phase.EXPLORE
    )
    open_one = replace(
        comparison, candidate=Setting.of(ReadBatchSize=10000), verdict=Verdict.CANNOT_TELL, low=0.0, high=inf,
        smallest_effect=inf, trials_needed=0, p_adjusted=1.0,
    )  # fmt: skip
    advice = Advice((comparison, open_one), (), (finding,), (), full_advice().plots[:1])
    return ReportRequest(session, decided(session, advice, FAMILIES), ISSUED, "", FAMILIES, declared=DECLARED)


def empty_request() -> ReportRequest:
    """Return a report of a session in which nothing happened."""
    return ReportRequest(empty_session(), Advice((), (), (), (), ()), ISSUED)


def empty_session() -> SessionRecord:
    """Return a session in which nothing happened."""
    return SessionRecord(
        session_id="S20261121-080000-a1b2c3",
        title="",
        client="",
        consultant="",
        created_utc=BEGAN,
        app_version="0.1.0",
        environments=(),
        runs=(),
    )


def full_session() -> SessionRecord:
    """Return a session of two runs on one Distributor, everything put back."""
    return SessionRecord(
        session_id="S20261121-080000-a1b2c3",
        title="Faster replication of the sales ledger",
        client="Contoso Retail",
        consultant="Harbour Database Consulting",
        created_utc=BEGAN,
        app_version="0.1.0",
        environments=(_environment(),),
        runs=(_log_reader_run(), _distribution_run()),
        notes=("The nightly load of OrderLines ran until 08:20 and overlaps block 1 of E1.",),
        statements=_statements(),
        changes=_changes(),
    )


def full_advice() -> Advice:
    """Return what analysis and rules make of the full session: six findings."""
    advice = Advice(
        comparisons=_comparisons(),
        forecasts=_forecasts(),
        findings=_findings(),
        not_evaluated=(
            NotEvaluated(
                "log_reader.contention", "log_reader", "the fact “lock_wait_share” is missing: one agent pair ran."
            ),
            NotEvaluated("distribution_agent.cpu", "distribution_agent", "the Subscriber did not show its CPU count."),
        ),
        plots=_plots(),
        warnings=("One trial of E2 fell back to a single stream and is not used.",),
    )
    return decided(full_session(), advice, FAMILIES)


def _environment() -> Environment:
    servers = tuple(
        ServerInfo(name, role, "16.0.4135.4", "Enterprise Edition (64-bit)", cpus)
        for name, role, cpus in (
            ("CONTOPUB03", "Publisher", 32),
            ("contodist07", "Distributor", 16),
            ("CONTOSUB11", "Subscriber", 16),
        )
    )
    topology = Topology(
        "distribution",
        servers,
        (Publication("CONTOPUB03", "SalesLedger", "LedgerToArchive", ("dbo.OrderLines", "dbo.Orders")),),
        (Subscription("LedgerToArchive", "SalesLedger", "CONTOSUB11", "SalesArchive", "push"),),
        (_LOG_READER, _DISTRIBUTION),
    )
    agents = (
        AgentParameters(
            _LOG_READER.name,
            (
                EffectiveParameter("ReadBatchSize", "500", "profile", "500", 1, 10000, "transactions"),
                EffectiveParameter("PollingInterval", "5", "profile", "5", 1, None, "s"),
                EffectiveParameter("MaxCmdsInTran", "0", "default", "0", None, None, "commands"),
            ),
        ),
        AgentParameters(
            _DISTRIBUTION.name,
            (
                EffectiveParameter("CommitBatchSize", "100", "profile", "100", 1, 10000, "transactions"),
                EffectiveParameter("CommitBatchThreshold", "1000", "default", "1000", 1, 10000, "commands"),
                EffectiveParameter("SubscriptionStreams", "1", "default", "1", 1, 64, "connections"),
            ),
        ),
    )
    facts = (("Round-trip time to the Subscriber", "1.2", "ms"), ("Bandwidth to the Subscriber", "1,000", "Mbps"))
    return Environment(TARGET, facts, kept_texts(Replication(topology, agents)))


def _trial(
    run: str, number: int, block: int, phase: Phase, setting: Setting, family: str, seconds: float, failed: str = ""
) -> TrialResult:
    trial_id = f"{run}-T{number:03d}"
    start = BEGAN + timedelta(minutes=12 * number + (240 if run == "E2" else 0))
    conditions = Setting.of(commands_per_transaction=2.5)
    measurements = (
        Measurement(family, trial_id, block, "run_time", seconds, "s", setting, conditions, phase),
        Measurement(family, trial_id, block, "rate", 1e6 / seconds, "commands/s", setting, conditions, phase),
    )
    status = TrialStatus.NOT_USED if failed else TrialStatus.USED
    checks = (failed,) if failed else ()
    end = start + timedelta(seconds=seconds)
    # a trial that was disturbed has its reason beside it
    ran = (Happening(Work.LOG_BACKUP, "PUB1", "Ledger4711"),) if failed else ()
    return TrialResult(trial_id, block, phase, setting, status, checks, measurements, (), start, end, ran)


def _run_of(run: str, family: str, factor: str, means: dict[int, float], target: str = TARGET) -> RunRecord:
    """Return a run of three exploring blocks and three confirmation blocks of the last but one level."""
    levels = tuple(means)
    plan = Plan(
        family,
        (Factor(factor, levels),),
        Setting.from_mapping({factor: levels[0]}),
        WorkloadSpec().to_load(),
        limits=usual_limits(AGENT_LIMITS),
    )
    trials: list[TrialResult] = []
    for block in range(1, 7):
        phase = Phase.EXPLORE if block <= 3 else Phase.CONFIRM
        for level in levels if block <= 3 else (levels[0], levels[-2]):
            number = len(trials) + 1
            seconds = means[level] * (1 + 0.02 * ((block * 7) % 5 - 2) / 2)  # of a block: printed pairs make the ratio
            failed = "The agent fell back to one stream after 41 s." if run == "E2" and number == 4 else ""
            setting = Setting.from_mapping({factor: level})
            trials.append(_trial(run, number, block, phase, setting, family, seconds, failed))
    started, ended = trials[0].started_utc, trials[-1].finished_utc
    reason = "All planned trials were run."
    return RunRecord(run, plan, target, RunStatus.SUCCEEDED, reason, started, ended, tuple(trials))


def _log_reader_run() -> RunRecord:
    return _run_of("E1", "log_reader", "ReadBatchSize", {500: 412.0, 1000: 371.0, 5000: 338.0, 10000: 336.0})


def _distribution_run() -> RunRecord:
    means = {1: 997.0, 2: 611.0, 4: 404.0, 8: 331.0, 16: 353.0}
    return _run_of("E2", "distribution_agent", "SubscriptionStreams", means)


def _comparison(
    family: str, factor: str, values: tuple[int, int], shown: tuple[float, float, float], verdict: Verdict,
    phase: Phase = Phase.EXPLORE, needed: int = 0,
) -> Comparison:  # fmt: skip
    run = "E1" if family == "log_reader" else "E2"
    ratio, low, high = shown
    return Comparison(
        family=family,
        factor=factor,
        reference=Setting.from_mapping({factor: values[0]}),
        candidate=Setting.from_mapping({factor: values[1]}),
        conditions=Setting.of(commands_per_transaction=2.5),
        metric="run_time",
        unit="s",
        ratio=ratio,
        low=low,
        high=high,
        p_adjusted=0.0002 if verdict in (Verdict.IMPROVEMENT, Verdict.WORSE) else 0.41,
        reference_trials=_trials_with(run, factor, values[0], phase) or (f"{run}-T001", f"{run}-T005", f"{run}-T009"),
        candidate_trials=_trials_with(run, factor, values[1], phase) or (f"{run}-T003", f"{run}-T007", f"{run}-T011"),
        verdict=verdict,
        smallest_effect=0.06,
        trials_needed=needed,
        minimum_effect=0.05,
        phase=phase,
    )


def _trials_with(run: str, factor: str, level: int, phase: Phase) -> tuple[str, ...]:
    made = _log_reader_run() if run == "E1" else _distribution_run()
    setting = Setting.from_mapping({factor: level})
    return tuple(
        trial.trial_id
        for trial in made.trials
        if (trial.setting, trial.phase, trial.status) == (setting, phase, TrialStatus.USED)
    )


def _comparisons() -> tuple[Comparison, ...]:
    reader, streams = "log_reader", "distribution_agent"
    better, equal, unclear = Verdict.IMPROVEMENT, Verdict.NO_DIFFERENCE, Verdict.CANNOT_TELL
    confirm = Phase.CONFIRM
    return (
        _comparison(reader, "ReadBatchSize", (500, 5000), (0.8204, 0.795, 0.846), better, confirm),
        _comparison(reader, "ReadBatchSize", (500, 1000), (0.90, 0.87, 0.931), better),
        _comparison(reader, "ReadBatchSize", (5000, 10000), (0.994, 0.964, 1.025), equal),
        _comparison(streams, "SubscriptionStreams", (1, 8), (0.332, 0.321, 0.343), better, confirm),
        _comparison(streams, "SubscriptionStreams", (1, 4), (0.405, 0.39, 0.42), better),
        _comparison(streams, "SubscriptionStreams", (8, 16), (1.066, 1.01, 1.12), Verdict.WORSE),
        _comparison(streams, "CommitBatchSize", (100, 1000), (0.97, 0.9, 1.05), unclear, needed=9),
        _comparison(streams, "CommitBatchSize", (100, 200), (0.995, 0.96, 1.03), equal),
    )


def _forecasts() -> tuple[Forecast, ...]:
    under = Setting.of(commands_per_transaction=2.5)
    trials = ("E2-T001", "E2-T006", "E2-T011")
    one, eight = Setting.of(SubscriptionStreams=1), Setting.of(SubscriptionStreams=8)
    return (
        Forecast("distribution_agent", one, under, 20_000_000, 400.0, 9.2, 8.8, 9.7, trials),
        Forecast("distribution_agent", eight, under, 20_000_000, 400.0, 2.1, 2.0, 2.2, ("E2-T004", "E2-T009")),
        Forecast("distribution_agent", one, under, 20_000_000, 1100.0, inf, 48.0, inf, trials),
    )


_AGENT_PAGE = Source(
    "Microsoft, Replication Distribution Agent",
    "https://learn.microsoft.com/sql/relational-databases/replication/agents/replication-distribution-agent",
)
_PERF_PAGE = Source("Microsoft, Enhance Transactional Replication Performance")


def _finding(
    rule: str,
    priority: int,
    title: str,
    values: tuple[str, int | None, int | None],
    figure: str,
    gains: tuple[float, float, float] | None = None,
) -> Finding:
    parameter, old, new = values
    names = ("gain_percent", "gain_low_percent", "gain_high_percent")
    family = rule.split(".", maxsplit=1)[0]
    run = "E1" if family == "log_reader" else "E2"
    return Finding(
        rule=rule,
        version=2,
        family=family,
        priority=priority,
        task=title,
        recommendation=(
            f"Set {parameter} to {new}; it is {old} now." if new is not None else f"Leave {parameter} as it is."
        ),
        because=(
            "Six confirmation trials at 2.5 commands for each transaction agree. The gain is far larger than the "
            "smallest effect worth acting on (5 %), and the interval excludes no change."
        ),
        trade_offs="A failed batch is redone from its beginning, which costs more the larger the batch is.",
        risk="Foreign keys and triggers at the Subscriber can make the agent fall back to a single stream.",
        undo="Run undo.sql: it gives the agent its former profile and step again and restarts it.",
        parameter=parameter,
        from_value=old,
        to_value=new,
        sources=(_AGENT_PAGE, _PERF_PAGE),
        evidence=tuple(f"{run}-T{number:03d}" for number in (*range(1, 13), 14, 17)),
        facts=(
            ("baseline_value", old or 0, ""),
            *((name, gain, "%") for name, gain in zip(names, gains or (), strict=gains is not None)),
            ("commands_per_transaction", 2.5, "commands"),
            ("subscriber_cpus", 16, "count"),
            ("stream_blockers", 0, "count"),
            ("confirmed", True, ""),
        ),
        figure=figure,
    )


def _findings() -> tuple[Finding, ...]:
    return (
        _finding(
            "log_reader.small_transactions", 2, "A larger ReadBatchSize shortens the run by 18 %",
            ("ReadBatchSize", 500, 5000), "log_reader/means", (17.96, 15.4, 20.5),
        ),
        _finding(
            "distribution_agent.streams", 1, "Eight streams deliver the backlog three times as fast",
            ("SubscriptionStreams", 1, 8), "distribution_agent/means", (66.8, 65.7, 67.9),
        ),
        _finding(
            "distribution_agent.commit_batch", 4, "CommitBatchSize makes no difference worth acting on",
            ("CommitBatchSize", 100, None), "",
        ),
        _finding(
            "distribution_agent.threshold", 3, "Raise CommitBatchThreshold with CommitBatchSize",
            ("CommitBatchThreshold", 1000, 2000), "distribution_agent/bars",
        ),
        _finding(
            "distribution_agent.catch_up", 3, "A backlog of 20 million commands takes 2 h instead of 9 h",
            ("", None, None), "distribution_agent/catch_up",
        ),
        _finding(
            "log_reader.latency", 5, "The larger batch adds 0.4 s of latency", ("ReadBatchSize", 500, None), ""
        ),
    )  # fmt: skip


def _plots() -> tuple[PlotSpec, ...]:
    streams = (1, 2, 4, 8, 16)
    means = (997.0, 611.0, 404.0, 331.0, 353.0)
    ticks = tuple((float(i), str(level)) for i, level in enumerate(streams))
    x = tuple(float(i) for i in range(5))
    low, high = tuple(m * 0.97 for m in means), tuple(m * 1.03 for m in means)
    return (
        PlotSpec(
            "log_reader/means", "Does a larger ReadBatchSize shorten the run?",
            "Run time falls from 412 s at 500 to 338 s at 5000 and stays there at 10000.",
            "ReadBatchSize (transactions)", "Run time (s)",
            (
                Series("Trials", Mark.POINTS, (0, 0, 1, 1, 2, 2, 3, 3), (405, 420, 365, 377, 333, 343, 331, 341)),
                Series("Mean, 95 % interval", Mark.INTERVALS, (0, 1, 2, 3), (412, 371, 338, 336),
                       (402, 362, 330, 328), (422, 380, 346, 344)),
                Series("Recommended", Mark.INTERVALS, (2,), (338,), (330,), (346,), emphasised=True),
            ),
            ((0, "500"), (1, "1000"), (2, "5000"), (3, "10000")), reference_y=412, reference_label="baseline 412 s",
        ),
        PlotSpec(
            "distribution_agent/means", "How many streams are best?",
            "Run time falls from 997 s with one stream to 331 s with eight and rises again with sixteen.",
            "SubscriptionStreams (connections)", "Run time (s)",
            (
                Series("Mean, 95 % interval", Mark.INTERVALS, x, means, low, high),
                Series("Recommended", Mark.INTERVALS, (3.0,), (331.0,), (low[3],), (high[3],), emphasised=True),
            ),
            ticks, reference_y=997, reference_label="baseline 997 s",
        ),
        PlotSpec(
            "distribution_agent/bars", "How fast is each setting?", "Bars from 1,003 to 3,021 commands/s.",
            "SubscriptionStreams (connections)", "Delivery rate (commands/s)",
            (Series("Delivery rate", Mark.BARS, x, tuple(1e6 / m for m in means)),), ticks,
        ),
        PlotSpec(
            "distribution_agent/catch_up", "When is the backlog delivered?",
            "With eight streams the backlog is gone after 2 hours, with one after 9 hours.",
            "Time (h)", "Backlog (commands)",
            (
                Series("8 streams", Mark.BAND, (0, 1, 2.1), (2e7, 1.05e7, 0), (2e7, 0.98e7, 0), (2e7, 1.12e7, 8e5),
                       emphasised=True),
                Series("1 stream", Mark.BAND, (0, 4, 9.2), (2e7, 1.13e7, 0), (2e7, 1.08e7, 0), (2e7, 1.18e7, 1.1e6)),
            ),
        ),
        PlotSpec(
            "log_reader/latency", "What does the batch cost in latency?", "Latency grows from 0.9 s to 1.3 s.",
            "ReadBatchSize (transactions)", "Latency (s)",
            (Series("Median latency", Mark.LINE, (500, 1000, 5000, 10000), (0.9, 0.95, 1.3, 1.9)),), log_x=True,
        ),
    )  # fmt: skip


def _statements() -> tuple[StatementRecord, ...]:
    sample = (
        "/* Replitune: agent_history */\nSELECT TOP (1) runstatus, delivered_commands\nFROM dbo.MSlogreader_history;"
    )
    change = "/* Replitune: assign_profile */\nEXEC dbo.sp_update_agent_profile @agent_type, @agent_id, @profile_id;"
    records = [
        StatementRecord(
            "agent_history", Access.READ, "contodist07", sample, '{"agent_id": 1}', BEGAN + timedelta(seconds=i), 1.8, 1
        )
        for i in range(300)
    ]
    records += [
        StatementRecord(
            "assign_profile", Access.CHANGE, "contodist07", change, f'{{"agent_id": 1, "profile_id": {20 + i}}}',
            BEGAN + timedelta(minutes=10 * i), 14.2, 0, "" if i else "Deadlock at contodist07; it was sent again.",
        )
        for i in range(8)
    ]  # fmt: skip
    return tuple(sorted(records, key=lambda record: record.sent_utc))


def _changes() -> tuple[JournalEntry, ...]:
    entries = []
    for number in range(1, 13):
        change = Change(
            kind="profile_assignment" if number % 2 else "job_step_token",
            subject=f"profile of Log Reader Agent {_LOG_READER.name}",
            original="profile 1 (Default agent profile)",
            new=f"profile {20 + number}",
            details=(("agent_id", 1),),
            apply_sql="EXEC dbo.sp_update_agent_profile 2, 1, 21;",
            undo_sql="USE [distribution];\nEXEC dbo.sp_update_agent_profile 2, 1, 1;",
        )
        when = BEGAN + timedelta(minutes=9 * number)
        entries.append(JournalEntry(number, "S20261121-080000-a1b2c3", TARGET, change, EntryState.RESTORED, when))
    return tuple(entries)


def _imported() -> tuple[Measurement, ...]:
    return tuple(
        Measurement(
            "log_reader", f"r{size}-1", 1, "run_time", seconds, "s", Setting.of(ReadBatchSize=size), EMPTY_SETTING
        )
        for size, seconds in ((500, 412.0), (1000, 371.0), (5000, 338.0), (10000, 336.0))
    )
