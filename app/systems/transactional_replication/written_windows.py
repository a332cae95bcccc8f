"""Windows on one backlog of the test table: the steps of one, and its time and commands before any was measured."""

import math

from app.domain.plan import FEWEST_WINDOW_PAIRS, Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.work_source import WorkSource
from app.systems.transactional_replication.agent_family import (
    ROUGH_READ_RATE_PER_S,
    ROUGH_WRITE_RATE_PER_S,
    WINDOW_S,
)
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.rig.filled import FillBacklog, most_window_commands, window_commands
from app.systems.transactional_replication.rig.switching import Configure, StopAgents
from app.systems.transactional_replication.rig.window import MeasureWindow


def written_window_s(kind: AgentKind) -> float:
    """Return how long a window of agents of a kind takes with its switch and its part of the writing, seconds.

    In front of a Distribution Agent its part of the reading is included as well.
    """
    read_s = 0.0 if kind is AgentKind.LOG_READER else 1 / ROUGH_READ_RATE_PER_S
    return WINDOW_S + window_commands(kind) * (read_s + 1 / ROUGH_WRITE_RATE_PER_S)


def written_window_steps(kind: AgentKind, plan: Plan, setting: Setting, batch: int) -> tuple[Step, ...]:
    """Return the steps of a window of agents of a kind on one backlog of the test table.

    Wanted from the start are each setting once and the fewest windows that confirm.

    Args:
        batch: transactions of one batch of the setting.
    """
    work = workload_of(plan.load)
    settings = math.prod(len(factor.levels) for factor in plan.factors)
    windows = settings + (2 * FEWEST_WINDOW_PAIRS if plan.design.confirm_blocks else 0)
    return (
        StopAgents(kind),
        FillBacklog(kind, work.commands_per_transaction, batch, windows, most_window_commands(plan)),
        Configure(kind, setting),
        MeasureWindow(kind, WorkSource.TEST_TABLE, setting == plan.baseline, batch),
    )
