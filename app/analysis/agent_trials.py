"""Measures of replication-agent trials: what the families compute from an observation, once for all of them."""

from collections.abc import Sequence

import numpy as np

from app.domain import metrics
from app.domain.family import AgentObservation, TrialObservation
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, Scenario, TrialSpec
from app.domain.setting import Setting, Value
from app.foundation.texts import _

# Fewer delivered commands than this share of the offered ones means the steady workload was not kept up with, which
# a saturated trial wants and a trial at a fixed rate must say.
KEPT_UP_SHARE = 0.95


def run_time_s(seen: TrialObservation) -> float:
    """Return the run time of a drained backlog: the slowest measured agent, session start to last delivery, seconds."""
    return max((agent.elapsed_s for agent in seen.measured), default=0.0)


def throughput_per_s(seen: TrialObservation) -> float:
    """Return commands delivered per second by all measured agents together; 0 where nothing was delivered."""
    rates = [agent.delivered_commands / agent.elapsed_s for agent in seen.measured if agent.elapsed_s > 0]
    return float(sum(rates))


def median_latency_ms(agents: Sequence[AgentObservation]) -> float | None:
    """Return the median latency over the agents' history rows that delivered something, None where there are none."""
    values = [latency for agent in agents for latency in agent.latencies_ms]
    return float(np.median(values)) if values else None


def longest_gap_s(agents: Sequence[AgentObservation]) -> float | None:
    """Return the longest time any agent went without a delivery, seconds, None where none delivered twice."""
    gaps: list[float] = []
    for agent in agents:
        times = np.array([offset_s for offset_s, _commands in agent.delivered_at])
        if times.size > 1:
            gaps.append(float(np.diff(times).max()))
    return max(gaps, default=None)


def wait_shares(agents: Sequence[AgentObservation]) -> tuple[float, float] | None:
    """Return (reader wait, writer wait) as shares of the agents' thread time, from their own statistics.

    A high writer wait means the reader is the bottleneck, a high reader wait means the writer is.

    Source:
        Microsoft KB2892631, statistics of replication agents.
    """
    rows = [agent.statistics for agent in agents if agent.statistics is not None]
    reader_s = sum(row.reader_fetch_s + row.reader_wait_s for row in rows)
    writer_s = sum(row.writer_write_s + row.writer_wait_s for row in rows)
    if reader_s <= 0 or writer_s <= 0:
        return None
    return sum(row.reader_wait_s for row in rows) / reader_s, sum(row.writer_wait_s for row in rows) / writer_s


def lock_wait_share(seen: TrialObservation) -> float | None:
    """Return lock waits on the Distributor per agent second of the trial, None for an empty trial."""
    agent_s = sum(agent.elapsed_s for agent in (*seen.measured, *seen.others))
    return seen.lock_wait_s / agent_s if agent_s > 0 else None


def common_failures(seen: TrialObservation, streams: int, rate_per_s: float | None) -> tuple[str, ...]:
    """Return why a trial of replication agents must not be used; empty when it is good.

    Args:
        streams: SubscriptionStreams of the trial, 1 where it does not apply.
        rate_per_s: the planned rate of a continuous trial, None for a saturated or drained one.
    """
    problems: list[str] = []
    for agent in seen.measured:
        if agent.failed:
            problems.append(_("{agent} reported an error: {text}").format(agent=agent.agent.name, text=agent.failed))
        if streams > 1 and agent.fell_back:
            problems.append(_("{agent} fell back to a single stream").format(agent=agent.agent.name))
        if agent.delivered_commands < seen.planned_commands:
            problems.append(
                _("{agent} delivered {have:,} of {want:,} commands").format(
                    agent=agent.agent.name, have=agent.delivered_commands, want=seen.planned_commands
                )
            )
        if agent.delivered_commands <= 0 or agent.elapsed_s <= 0:
            problems.append(_("{agent} delivered nothing").format(agent=agent.agent.name))
    if rate_per_s is not None and seen.offered_commands and not _kept_up(seen):
        problems.append(_("the workload of {rate:g} commands/s was not delivered as planned").format(rate=rate_per_s))
    return tuple(problems)


def _kept_up(seen: TrialObservation) -> bool:
    delivered = sum(agent.delivered_commands for agent in seen.measured)
    window_s = max((agent.elapsed_s for agent in seen.measured), default=0.0)
    share = window_s / (window_s + seen.warm_up_s) if window_s > 0 else 1.0
    return delivered >= KEPT_UP_SHARE * share * seen.offered_commands


def agent_measurements(
    plan: Plan,
    spec: TrialSpec,
    seen: TrialObservation,
    conditions: Setting,
    deliverers: Sequence[AgentObservation],
) -> tuple[Measurement, ...]:
    """Return the measures every replication-agent trial has; those that could not be taken are absent.

    Args:
        conditions: what else these measures hold for.
        deliverers: Distribution Agents whose gaps in delivery are looked for.
    """
    waits = wait_shares(seen.measured)
    values: tuple[tuple[Metric, float | None], ...] = (
        (metrics.RUN_TIME, run_time_s(seen) if plan.workload.scenario is Scenario.DRAINED else None),
        (metrics.THROUGHPUT, throughput_per_s(seen)),
        (metrics.LATENCY, median_latency_ms(seen.measured)),
        (metrics.LONGEST_GAP, longest_gap_s(deliverers)),
        (metrics.LOCK_WAIT, lock_wait_share(seen)),
        (metrics.READER_WAIT, waits[0] if waits else None),
        (metrics.WRITER_WAIT, waits[1] if waits else None),
    )
    return tuple(as_measurement(plan, spec, metric, value, conditions) for metric, value in values if value is not None)


def as_measurement(plan: Plan, spec: TrialSpec, metric: Metric, value: float, conditions: Setting) -> Measurement:
    """Return one value of a trial as a measurement of its setting."""
    return Measurement(
        family=plan.family,
        trial_id=spec.trial_id,
        block=spec.block,
        metric=metric.name,
        value=value,
        unit=metric.unit,
        setting=spec.setting,
        conditions=conditions,
        phase=spec.phase,
    )


def workload_conditions(plan: Plan) -> dict[str, Value]:
    """Return what the workload adds to the conditions of a measurement."""
    return {
        "agent_pairs": plan.workload.agent_pairs,
        "commands_per_transaction": plan.workload.mean_commands_per_transaction,
        "scenario": str(plan.workload.scenario),
    }
