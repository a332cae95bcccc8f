"""The trial of the Log Reader Agent, step by step."""

from collections.abc import Sequence
from typing import Final

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.runner.bench.windows import USUAL_SWITCH_S
from app.systems.transactional_replication.agent_family import (
    ROUGH_DELIVERY_RATE_PER_S,
    ROUGH_READ_RATE_PER_S,
    ROUGH_S_PER_COMMAND,
)
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.rig.backlog import MeasureBacklog, WaitUntilDelivered, WriteBacklog
from app.systems.transactional_replication.rig.stream import MeasureStream
from app.systems.transactional_replication.rig.switching import Configure, StartAgents, StopAgents
from app.systems.transactional_replication.server.documented import varied_by
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.steps import own_work_steps
from app.systems.transactional_replication.topology import Agent
from app.systems.transactional_replication.written_windows import written_window_s, written_window_steps

READ_WINDOW_S: Final = USUAL_SWITCH_S + 6 * 60.0
"""How long a window takes where the agent's counter is not used: its history has a row a minute (-MessageInterval), and
a rate needs five of them."""

[READ_BATCH_SIZE] = (parameter for parameter in varied_by("log_reader") if parameter.name == "ReadBatchSize")


def trial_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of one trial.

    A drained trial reads a backlog while the Distribution Agents stand, as the published study did, and lets them
    deliver it afterwards. A continuous one runs both agents together, and so do windows on one backlog in the log.
    """
    work = workload_of(plan.load)
    reader, deliverer = AgentKind.LOG_READER, AgentKind.DISTRIBUTION
    if work_source_of(plan.load).is_own_work:
        return own_work_steps(reader, plan, setting, _batch(setting))
    if work.scenario is Scenario.WINDOWS:
        return written_window_steps(reader, plan, setting, _batch(setting))
    if work.scenario is Scenario.DRAINED:
        return (
            StopAgents(reader),
            StopAgents(deliverer),
            WriteBacklog(work.commands, work.commands_per_transaction),
            Configure(reader, setting),
            MeasureBacklog(reader, work.commands),
            StartAgents(deliverer),
            WaitUntilDelivered(deliverer),
        )
    return (
        StopAgents(reader),
        Configure(reader, setting),
        StartAgents(deliverer),
        StartAgents(reader),
        MeasureStream(reader, work.duration_s, work.rate_per_s, work.commands_per_transaction, ahead_commands(plan)),
        WaitUntilDelivered(deliverer),
    )


def _batch(setting: Setting) -> int:
    """Return the transactions of a read batch under a setting."""
    return int(setting.get(READ_BATCH_SIZE.name, READ_BATCH_SIZE.default_number))


def counter_checks(plan: Plan, site: AgentSite, measured: Sequence[Agent]) -> tuple[PreflightCheck, ...]:
    """Return the check of how windows are measured, where they are; none where an agent stands and has no counter."""
    known = [site.waiting[agent.name].is_counted for agent in measured if agent.name in site.waiting]
    if not work_source_of(plan.load).is_own_work or not known or None in known:
        return ()
    if all(known):
        title = _("Windows are measured by the agent's counter of delivered commands")
        remedy = _(
            "It is used once it has grown as the agent's history tells, and makes windows of about a minute; the time "
            "told before the run is that by the history, which has a row a minute."
        )
        return (PreflightCheck(title, passed=True, remedy=remedy),)
    title = _(
        "Windows are measured by the agent's history, which has a row a minute, and take six minutes each: the server "
        "has no running total of what the agent delivers"
    )
    return (PreflightCheck(title, passed=True),)


def ahead_commands(plan: Plan) -> int:
    """Return the backlog that keeps even the largest batch of the plan full: two of them, commands."""
    sizes = [int(level) for f in plan.factors if f.name == READ_BATCH_SIZE.name for level in f.levels]
    largest = max([*sizes, READ_BATCH_SIZE.default_number])
    return max(100_000, round(2 * largest * workload_of(plan.load).mean_commands_per_transaction))


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, preparation and drain included, seconds."""
    work = workload_of(plan.load)
    if work_source_of(plan.load).is_own_work:
        return READ_WINDOW_S
    if work.scenario is Scenario.WINDOWS:
        return written_window_s(AgentKind.LOG_READER)
    if work.scenario is Scenario.DRAINED:
        return work.commands * ROUGH_S_PER_COMMAND
    return work.duration_s * (1 + ROUGH_READ_RATE_PER_S / ROUGH_DELIVERY_RATE_PER_S)
