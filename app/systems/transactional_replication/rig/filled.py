"""One backlog on the test table for all windows of a run: written once, and again where the rest would not last.

In front of Distribution Agents it waits in the distribution database, in front of Log Reader Agents in the log.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.plan import Plan
from app.domain.rig import LimitExceeded
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.windows import FIRST_WINDOW_S, Windows, windows_of
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.rig.backlog import WaitUntilDelivered, write_commands
from app.systems.transactional_replication.rig.counted import CountersMet
from app.systems.transactional_replication.rig.participants import Participants
from app.systems.transactional_replication.rig.switching import changes_of_switch
from app.systems.transactional_replication.rig.trial import AgentTrial
from app.systems.transactional_replication.rig.window import LEAST_BATCHES, LEAST_ROWS
from app.systems.transactional_replication.topology import Agent

# A window lasts twice its length at most, where settling takes half of it.
_MOST_LENGTHS: Final = 2.0
# Transactions between two rows of history: -TransactionsPerHistory, as documented.
_TRANSACTIONS_A_ROW: Final = 100
# The warm-up that is cut off a window's beginning takes some of the backlog, too.
_WITH_SETTLING: Final = 1.25
# The published study's rates of reading and of one stream, until a window has shown that of the site.
_USUAL_RATES_PER_S: Final = {AgentKind.LOG_READER: 5_000.0, AgentKind.DISTRIBUTION: 2_000.0}

# Beyond the windows that were wanted from the start they come in pairs.
_FEWEST_WINDOWS: Final = 2
_BATCH_SIZES: Final = ("ReadBatchSize", "CommitBatchSize")


def most_window_commands(plan: Plan) -> int:
    """Return the most commands of each agent pair that are written for one window of a plan.

    They are those of a trial, whose place a window takes, or what a window at a usual rate or of the plan's largest
    batch needs.
    """
    work = workload_of(plan.load)
    settings = (plan.at_site, *({factor.name: level} for factor in plan.factors for level in factor.levels))
    batches = [int(setting[name]) for setting in settings for name in _BATCH_SIZES if name in setting]
    usual = max(_USUAL_RATES_PER_S.values()) * FIRST_WINDOW_S
    needed = max(usual, _fewest_commands(work.mean_commands_per_transaction, max(batches, default=0)))
    return max(work.commands, math.ceil(_MOST_LENGTHS * needed))


def _fewest_commands(mean_commands: float, batch: int) -> float:
    """Return commands that fill the rows and batches without which a window tells no rate.

    Args:
        mean_commands: of a transaction.
        batch: transactions of a commit or read batch.
    """
    return mean_commands * max(LEAST_BATCHES * batch, (LEAST_ROWS + 1) * _TRANSACTIONS_A_ROW)


def window_commands(kind: AgentKind) -> int:
    """Return about how many commands one window of agents of a kind takes of a backlog, by a usual rate."""
    return round(_USUAL_RATES_PER_S[kind] * FIRST_WINDOW_S * _WITH_SETTLING)


@dataclass
class WindowsFilled:
    """How many windows of a run there was a backlog for, which no restore changes.

    Attributes:
        before: windows of an earlier part of the run, which are not repeated.
        commands: written for each agent pair so far.
    """

    before: int = 0
    count: int = 0
    commands: int = 0

    def forget(self) -> None:
        """Keep it: the windows were measured."""


@dataclass(frozen=True)
class FillBacklog(BenchStep[Participants]):
    """See to it that enough commands of the test table wait for a window, and write for several where they do not.

    The first window gets what a usual rate makes of it; the writing after it lasts for all those wanted, by the rate it
    showed; where faster settings use that up, or more windows are run, more is written for those left. It is never
    more than was agreed to: a window whose agent is faster than that ends with its backlog.

    Attributes:
        kind: of the agents under test, which stand.
        commands_per_transaction: lowest and highest.
        batch: transactions of the setting's commit or read batch, of which a window needs some.
        windows: how many are wanted from the start.
        most_commands: for one window of each agent pair, as agreed to.
    """

    kind: AgentKind
    commands_per_transaction: tuple[float, float]
    batch: int
    windows: int
    most_commands: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("See that enough commands of the test table wait for a window, and write more where they do not")

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of Log Reader Agents that stand and are not under test."""
        return iter(()) if self._is_in_log else changes_of_switch(at, AgentKind.LOG_READER, running=True)

    def do(self, rig: StepRig[Participants]) -> None:
        """Count the backlog, write the commands it lacks, and wait until the Log Reader Agents have read them.

        Before Log Reader Agents themselves it stays in the log, whose limit holds while it is written.

        Raises:
            LimitExceeded: the log is too full; or an agent has no counter to be measured by, and its history would ask
                for far more commands.
        """
        trial, windows = rig.of_trial(AgentTrial), windows_of(rig)
        filled = rig.kept(WindowsFilled, lambda: WindowsFilled(before=len(rig.parts.kept)))
        filled.count += 1
        agents = trial.switch.of(self.kind)
        if self._is_in_log:
            _check_counters(rig, agents)
        else:
            trial.switch.start(AgentKind.LOG_READER)
        watch = trial.watch_own_work(self.kind, WorkSource.TEST_TABLE)
        first = watch.begin()
        trial.disturbances(first)
        waiting = watch.left(first) or 0
        missing = self._missing(waiting / len(agents), windows, filled, len(agents))
        if missing <= 0:
            return
        filled.commands += missing
        write_commands(rig, missing, self.commands_per_transaction, lambda: watch.tick(0.0))
        if not self._is_in_log:
            WaitUntilDelivered(AgentKind.LOG_READER).do(rig)
        windows.ended_s = rig.at.target.clock.monotonic_s()  # writing is no part of a switch

    def _missing(self, waiting: float, windows: Windows, filled: WindowsFilled, agents: int) -> int:
        """Return the commands to be written for each of so many agents before the next window.

        Args:
            waiting: commands, of each of them.
        """
        window = max(
            (windows.most_rate_per_s / agents or _USUAL_RATES_PER_S[self.kind]) * windows.seconds, self._fewest
        )
        if waiting >= window * _MOST_LENGTHS:
            return 0
        to_come = self.windows - filled.before
        left = max(_FEWEST_WINDOWS, to_come - filled.count + 1) if windows.most_rate_per_s else 1
        wanted, agreed = window * (_MOST_LENGTHS + left - 1), self.most_commands * max(to_come, filled.count)
        if window * _MOST_LENGTHS > self.most_commands:
            wanted = self.most_commands  # had a window more than its part, it would take what others need
        return min(math.ceil(wanted - waiting), agreed - filled.commands)

    @property
    def _is_in_log(self) -> bool:
        return self.kind is AgentKind.LOG_READER

    @property
    def _fewest(self) -> float:
        return _fewest_commands(sum(self.commands_per_transaction) / 2, self.batch)


def _check_counters(rig: StepRig[Participants], readers: Sequence[Agent]) -> None:
    """Raise LimitExceeded where a reader's counter is not used any more: its history has a row a minute."""
    refused = rig.kept(CountersMet).refused
    for agent in readers:
        if agent.agent_id in refused:
            raise LimitExceeded(
                _(
                    "windows on a written backlog are measured by the counter of the commands that {agent} delivers, "
                    'which cannot be used here; name scenario = "drained" in [workload], with a backlog for each trial'
                ).format(agent=agent.name)
            )
