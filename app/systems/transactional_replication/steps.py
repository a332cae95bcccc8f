"""The steps of a trial of Distribution Agents."""

from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.work_source import WorkSource, work_source_of
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import DELIVERY_AHEAD_COMMANDS, Scenario, WorkloadSpec
from app.systems.transactional_replication.rig.backlog import MeasureBacklog, WaitUntilDelivered, WriteBacklog
from app.systems.transactional_replication.rig.rest import WaitForRest
from app.systems.transactional_replication.rig.stream import MeasureStream
from app.systems.transactional_replication.rig.switching import Configure, LetSchedulesStart, StartAgents, StopAgents
from app.systems.transactional_replication.rig.window import GatherWork, MeasureWindow


def own_work_steps(kind: AgentKind, plan: Plan, setting: Setting, batch: int) -> tuple[Step, ...]:
    """Return the steps of a window on the client's own work: nothing is written.

    Args:
        batch: transactions of one batch of the setting.
    """
    is_held = work_source_of(plan.load) is WorkSource.HELD
    return (
        GatherWork(kind) if is_held else StopAgents(kind),
        Configure(kind, setting),
        MeasureWindow(kind, work_source_of(plan.load), setting == plan.baseline, batch),
    )


def keep_steps(kind: AgentKind, plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps after which agents work with a setting on the client's own work; () for a test table's plan."""
    if not work_source_of(plan.load).is_own_work:
        return ()
    return (StopAgents(kind), Configure(kind, setting), StartAgents(kind), LetSchedulesStart(kind))


def rest_steps(kind: AgentKind, plan: Plan) -> tuple[Step, ...]:
    """Return the steps that wait until the client's backlog is gone; () where none waits."""
    source = work_source_of(plan.load)
    return (WaitForRest(kind),) if source.is_own_work and source.shows_capacity else ()


def delivery_steps(work: WorkloadSpec, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of a trial of Distribution Agents.

    Drained: the Log Reader Agent fills the distribution database first, so that only the delivery is measured.
    Continuous: both agents run together under a steady workload.
    """
    reader, deliverer = AgentKind.LOG_READER, AgentKind.DISTRIBUTION
    if work.scenario is Scenario.DRAINED:
        return (
            StopAgents(deliverer),
            WriteBacklog(work.commands, work.commands_per_transaction),
            StartAgents(reader),
            WaitUntilDelivered(reader),
            Configure(deliverer, setting),
            MeasureBacklog(deliverer, work.commands),
        )
    return (
        StopAgents(deliverer),
        Configure(deliverer, setting),
        StartAgents(reader),
        StartAgents(deliverer),
        MeasureStream(
            deliverer, work.duration_s, work.rate_per_s, work.commands_per_transaction, DELIVERY_AHEAD_COMMANDS
        ),
        WaitUntilDelivered(deliverer),
    )
