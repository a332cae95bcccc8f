"""Measures of replication-agent trials: computed by the families from an observation, once for all of them."""

import itertools
from collections.abc import Sequence

import numpy as np

from app.analysis.measuring import as_measurement
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.setting import Setting, Value
from app.domain.work_source import SOURCE, WorkSource, is_in_windows, work_source_of
from app.foundation.texts import _
from app.systems.transactional_replication import metrics
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.trial_seen import AgentObservation, AgentTrialObservation

# A workload generator that wrote less than this share of the planned commands did not make the planned load. Whether
# the agents kept up with the load is a result, not a fault of the trial.
OFFERED_SHARE = 0.95

# Below this share of the offered rate a backlog grows: in half an hour by the load of a minute and a half.
KEPT_UP_SHARE = 0.95

# The agents write their statistics in whole seconds: over less than this, rounding alone moves a share by 5 % or more.
SHORTEST_STATISTICS_S = 20.0


def run_time_s(observation: AgentTrialObservation) -> float:
    """Return the run time of a drained backlog: the slowest measured agent, session start to last delivery, seconds."""
    return max((agent.elapsed_s for agent in observation.measured), default=0.0)


def throughput_per_s(observation: AgentTrialObservation) -> float:
    """Return commands delivered per second by all measured agents together; 0 where nothing was delivered."""
    rates = [agent.delivered_commands / agent.elapsed_s for agent in observation.measured if agent.elapsed_s > 0]
    return float(sum(rates))


def median_latency_ms(agents: Sequence[AgentObservation]) -> float | None:
    """Return the median latency over the agents' history rows that delivered something, None where there are none."""
    values = [latency for agent in agents for latency in agent.latencies_ms]
    return float(np.median(values)) if values else None


def median_legs_s(observation: AgentTrialObservation) -> tuple[float | None, float | None]:
    """Return the median seconds of the tracer tokens' two legs, never added up; None where none arrived."""
    first = [token.to_distributor_s for token in observation.tokens if token.to_distributor_s is not None]
    second = [token.to_subscriber_s for token in observation.tokens if token.to_subscriber_s is not None]
    return (float(np.median(first)) if first else None, float(np.median(second)) if second else None)


def longest_gap_s(agents: Sequence[AgentObservation]) -> float | None:
    """Return the longest time any agent went without a delivery, seconds, None where none could be judged.

    Counted from an agent's first delivery on, because what fills the pipeline first is no pause, and up to the end of a
    continuous trial: a pause that had not ended by then is at least that long.
    """
    gaps: list[float] = []
    for agent in agents:
        times = [offset_s for offset_s, _commands in agent.delivered_at]
        if times and agent.watched_s is not None:
            times.append(max(agent.watched_s, times[-1]))
        gaps += [after_s - before_s for before_s, after_s in itertools.pairwise(times)]
    return max(gaps, default=None)


def wait_shares(agents: Sequence[AgentObservation]) -> tuple[float, float] | None:
    """Return (reader wait, writer wait) as shares of the agents' thread time, None where that is too short to tell.

    A high writer wait means the reader is the bottleneck, a high reader wait means the writer is.

    Source:
        Microsoft KB2892631, statistics of replication agents.
    """
    rows = [agent.statistics for agent in agents if agent.statistics is not None]
    reader_s = sum(row.reader_fetch_s + row.reader_wait_s for row in rows)
    writer_s = sum(row.writer_write_s + row.writer_wait_s for row in rows)
    if min(reader_s, writer_s) < SHORTEST_STATISTICS_S:
        return None
    return sum(row.reader_wait_s for row in rows) / reader_s, sum(row.writer_wait_s for row in rows) / writer_s


def lock_wait_share(observation: AgentTrialObservation) -> float | None:
    """Return lock waits on the Distributor per agent second of the trial, None for an empty trial."""
    agent_s = sum(agent.elapsed_s for agent in (*observation.measured, *observation.others))
    return observation.lock_wait_s / agent_s if agent_s > 0 else None


def bandwidth_use_percent(observation: AgentTrialObservation, network_kbps: float | None) -> float | None:
    """Return the share of a link that the delivered commands' own bytes used, percent; None where a part is unknown.

    Protocol overhead and acknowledgements are not in it, so it is a lower bound.
    """
    if observation.command_bytes is None or not network_kbps:
        return None
    return throughput_per_s(observation) * observation.command_bytes * 8 / (network_kbps * 1000) * 100


def common_failures(plan: Plan, observation: AgentTrialObservation) -> tuple[str, ...]:
    """Return why a trial of replication agents must not be used; empty when it is good.

    A fall-back to one stream is no such reason: the setting brought it about, so its time counts.
    """
    problems: list[str] = []
    for agent in observation.measured:
        if agent.failed:
            problems.append(_("{agent} reported an error: {text}").format(agent=agent.agent.name, text=agent.failed))
        if agent.delivered_commands < observation.planned_commands:
            problems.append(
                _("{agent} delivered {have:,} of {want:,} commands").format(
                    agent=agent.agent.name, have=agent.delivered_commands, want=observation.planned_commands
                )
            )
        if agent.delivered_commands <= 0 or agent.elapsed_s <= 0:
            problems.append(_("{agent} delivered nothing").format(agent=agent.agent.name))
    if observation.window is not None and observation.window.has_run_out:
        problems.append(
            _("nothing was left to deliver after {seconds:.0f} s, too short for a rate").format(
                seconds=observation.window.length_s
            )
        )
    problems += _load_problem(plan, observation)
    return tuple(problems)


def _load_problem(plan: Plan, observation: AgentTrialObservation) -> tuple[str, ...]:
    """Return one sentence where the workload of a fixed rate was not written as planned."""
    work = workload_of(plan.load)
    if work.rate_per_s is None or work.scenario is not Scenario.CONTINUOUS:
        return ()
    planned = work.rate_per_s * work.duration_s * work.agent_pairs
    if observation.offered_commands >= OFFERED_SHARE * planned:
        return ()
    sentence = _(
        "the Publisher wrote {have:,} of the planned {want:,.0f} commands ({rate:g} commands/s for each agent pair)"
    )
    return (sentence.format(have=observation.offered_commands, want=planned, rate=work.rate_per_s),)


def keeps_up(plan: Plan, observation: AgentTrialObservation) -> bool:
    """Tell whether the agents delivered a steady workload as fast as it came, so that they have a latency at all.

    A backlog put there on purpose is old by design, and behind a workload that is too fast it grows with the length of
    the trial: the age of what is delivered then says nothing about the setting.
    """
    work = workload_of(plan.load)
    if work.scenario is not Scenario.CONTINUOUS or work.rate_per_s is None:
        return False
    return throughput_per_s(observation) >= KEPT_UP_SHARE * work.rate_per_s * work.agent_pairs


def agent_measurements(
    plan: Plan,
    spec: TrialSpec,
    observation: AgentTrialObservation,
    conditions: Setting,
    deliverers: Sequence[AgentObservation],
) -> tuple[Measurement, ...]:
    """Return the measures every replication-agent trial has; those that could not be taken are absent.

    Args:
        conditions: what else these measures hold for.
        deliverers: Distribution Agents whose gaps in delivery are looked for.
    """
    waits = wait_shares(observation.measured) or (None, None)
    legs = median_legs_s(observation) if keeps_up(plan, observation) else (None, None)
    source, window = work_source_of(plan.load), observation.window
    steady = workload_of(plan.load).scenario is Scenario.CONTINUOUS or is_in_windows(plan.load)
    keeps = source is WorkSource.OWN_TRAFFIC or keeps_up(plan, observation)
    values: tuple[tuple[Metric, float | None], ...] = (
        (metrics.RUN_TIME, None if steady else run_time_s(observation)),
        (metrics.THROUGHPUT, throughput_per_s(observation)),
        (metrics.LATENCY, median_latency_ms(observation.measured) if keeps else None),
        (metrics.TOKEN_TO_DISTRIBUTOR, legs[0]),
        (metrics.TOKEN_TO_SUBSCRIBER, legs[1]),
        (metrics.LONGEST_GAP, longest_gap_s(deliverers)),
        (metrics.LOCK_WAIT, lock_wait_share(observation)),
        (metrics.READER_WAIT, waits[0]),
        (metrics.WRITER_WAIT, waits[1]),
        (metrics.ARRIVALS, None if window is None else window.arrivals_per_s),
        (metrics.TRANSACTION_SIZE, None if window is None else window.commands_per_transaction),
    )
    return tuple(as_measurement(plan, spec, metric, value, conditions) for metric, value in values if value is not None)


def workload_conditions(plan: Plan) -> dict[str, Value]:
    """Return the workload's part of a measurement's conditions."""
    source = work_source_of(plan.load)
    if source.is_own_work:
        return {
            "agent_pairs": workload_of(plan.load).agent_pairs,
            "commands_per_transaction": workload_of(plan.load).mean_commands_per_transaction,
            SOURCE: str(source),
        }
    return {
        "agent_pairs": workload_of(plan.load).agent_pairs,
        "commands_per_transaction": workload_of(plan.load).mean_commands_per_transaction,
        "scenario": str(workload_of(plan.load).scenario),
    }
