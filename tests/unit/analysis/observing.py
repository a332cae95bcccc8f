"""Observations made by hand: what an agent did, what a trial showed, and the evidence of a whole experiment."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from app.domain.comparison import Comparison, Forecast
from app.domain.family import Evidence
from app.domain.measurement import Measurement, Metric, Sample, TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Phase, Plan, Stop, TrialSpec
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, WorkloadSpec
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.topology import Agent, AgentStatistics, SubscriberObjects, Topology
from app.systems.transactional_replication.trial_seen import AgentObservation, AgentTrialObservation

NOW = datetime(2026, 1, 1, tzinfo=UTC)
READER = Agent(AgentKind.LOG_READER, 1, "PUB1-Sales-1", "job-1", 1, "PUB1", "Sales")
DELIVERER = Agent(
    AgentKind.DISTRIBUTION, 2, "PUB1-Sales-SUB1-2", "job-2", 4, "PUB1", "Sales", "Orders", "SUB1", "SalesCopy", "push"
)


def agent_seen(
    agent: Agent = DELIVERER,
    *,
    commands: int = 1_000,
    elapsed_s: float = 10.0,
    latencies_ms: Sequence[float] = (),
    delivered_at: Sequence[tuple[float, int]] = (),
    statistics: AgentStatistics | None = None,
    fell_back: bool = False,
    failed: str = "",
    watched_s: float | None = None,
) -> AgentObservation:
    """Return what one agent did; without more it delivered 1,000 commands in 10 s."""
    return AgentObservation(
        agent=agent,
        delivered_commands=commands,
        delivered_transactions=commands // 2,
        elapsed_s=elapsed_s,
        latencies_ms=tuple(latencies_ms),
        delivered_at=tuple(delivered_at),
        statistics=statistics,
        fell_back=fell_back,
        failed=failed,
        watched_s=watched_s,
    )


def trial_seen(
    *measured: AgentObservation,
    others: Sequence[AgentObservation] = (),
    planned: int = 0,
    offered: int = 0,
    lock_wait_s: float = 0.0,
    command_bytes: float | None = None,
) -> AgentTrialObservation:
    """Return what a trial showed of the agents under test."""
    return AgentTrialObservation(
        measured=measured,
        others=tuple(others),
        samples=(),
        planned_commands=planned,
        offered_commands=offered,
        lock_wait_s=lock_wait_s,
        warm_up_s=0.0,
        command_bytes=command_bytes,
    )


def plan_of(
    family: str = "distribution_agent",
    *,
    scenario: Scenario = Scenario.DRAINED,
    rate_per_s: float | None = None,
    pairs: int = 1,
    stop: Stop = Stop.BLOCKS,
    blocks: int = 3,
    **levels: tuple[int, ...],
) -> Plan:
    """Return a plan over the levels of one or two parameters; the first level of each is the baseline."""
    chosen = levels or {"SubscriptionStreams": (1, 8, 16)}
    return Plan(
        family=family,
        factors=tuple(Factor(name, values) for name, values in chosen.items()),
        baseline=Setting.from_mapping({name: values[0] for name, values in chosen.items()}),
        load=WorkloadSpec(scenario=scenario, duration_s=100.0, rate_per_s=rate_per_s, agent_pairs=pairs).to_load(),
        design=Design(stop=stop, blocks=blocks),
    )


def spec_of(setting: Setting, number: int = 1, phase: Phase = Phase.EXPLORE) -> TrialSpec:
    """Return the spec of one trial."""
    return TrialSpec(f"E1-T{number:03d}", number, number, phase, setting)


def trial_of(
    spec: TrialSpec,
    values: Mapping[Metric, float],
    *,
    family: str = "distribution_agent",
    conditions: Setting = EMPTY_SETTING,
    status: TrialStatus = TrialStatus.USED,
    samples: Sequence[Sample] = (),
) -> TrialResult:
    """Return a finished trial with these values."""
    made = tuple(
        Measurement(
            family, spec.trial_id, spec.block, metric.name, value, metric.unit, spec.setting, conditions, spec.phase
        )
        for metric, value in values.items()
    )
    failed = () if status is TrialStatus.USED else ("a check failed",)
    return TrialResult(
        spec.trial_id, spec.block, spec.phase, spec.setting, status, failed, made, tuple(samples), NOW, NOW
    )


def trials_of(
    metric: Metric,
    rows: Iterable[tuple[Setting, Phase, Sequence[float]]],
    *,
    family: str = "distribution_agent",
    conditions: Setting = EMPTY_SETTING,
) -> tuple[TrialResult, ...]:
    """Return trials from one row for each setting and phase, with a value for each block; order is the blocks'."""
    specs: list[tuple[TrialSpec, float]] = []
    for setting, phase, values in rows:
        shift = 0 if phase is Phase.EXPLORE else 100
        for block, value in enumerate(values, start=1 + shift):
            specs.append((TrialSpec(f"{setting.label()}/{block}", len(specs) + 1, block, phase, setting), value))
    ordered = sorted(specs, key=lambda entry: entry[0].block)
    return tuple(trial_of(spec, {metric: value}, family=family, conditions=conditions) for spec, value in ordered)


def used(trials: Iterable[TrialResult]) -> tuple[Measurement, ...]:
    """Return the measurements of the used trials."""
    return tuple(m for t in trials if t.status is TrialStatus.USED for m in t.measurements)


def evidence_of(
    measurements: Sequence[Measurement],
    *,
    plan: Plan | None = None,
    site: AgentSite | None = None,
    comparisons: Sequence[Comparison] = (),
    forecasts: Sequence[Forecast] = (),
    trials: Sequence[TrialResult] = (),
    noise_cv: float | None = None,
) -> Evidence:
    """Return evidence with a minimum worthwhile effect of 5 %."""
    return Evidence(
        family=measurements[0].family,
        conditions=measurements[0].conditions,
        plan=plan,
        site=site,
        measurements=tuple(measurements),
        comparisons=tuple(comparisons),
        forecasts=tuple(forecasts),
        trials=tuple(trials),
        minimum_effect=0.05,
        noise_cv=noise_cv,
    )


def site_of(
    *,
    parameters: Mapping[str, str] | None = None,
    objects: SubscriberObjects | None = None,
    agents: Sequence[Agent] = (DELIVERER,),
    rtt_ms: float | None = None,
    network_kbps: float | None = None,
) -> AgentSite:
    """Return a site with one Subscriber of eight processors."""
    values: dict[str, str] = dict(parameters or {})
    server = ServerInfo("SUB1", "Subscriber", "16.0.1.1", "Enterprise", 8)
    other = replace(server, name="SUB2", cpu_count=2)
    return AgentSite(
        topology=Topology("distribution", (server, other), (), (), tuple(agents)),
        agents=tuple(agents),
        parameters={
            name: EffectiveParameter(name, value, "profile", value, None, None, "") for name, value in values.items()
        },
        subscriber_objects=objects,
        rtt_ms=rtt_ms,
        network_kbps=network_kbps,
    )


def setting(**values: Value) -> Setting:
    """Return a setting."""
    return Setting.of(**values)
