"""One backlog on the test table for all windows of a run: written once, and again where the rest would not last."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.windows import FIRST_WINDOW_S, windows_of
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.rig.backlog import WaitUntilDelivered, write_commands
from app.systems.transactional_replication.rig.participants import Participants
from app.systems.transactional_replication.rig.switching import changes_of_switch
from app.systems.transactional_replication.rig.trial import AgentTrial
from app.systems.transactional_replication.rig.window import LEAST_BATCHES, LEAST_ROWS

# A window lasts twice its length at most, where settling takes half of it.
_MOST_LENGTHS: Final = 2.0
# Transactions between two rows of history: -TransactionsPerHistory, as documented.
_TRANSACTIONS_A_ROW: Final = 100
# The warm-up that is cut off a window's beginning takes some of the backlog, too.
_WITH_SETTLING: Final = 1.25
USUAL_RATE_PER_S: Final = 2_000.0
"""The published study's rate of one stream, until a window has shown that of the site."""

WINDOW_COMMANDS: Final = round(USUAL_RATE_PER_S * FIRST_WINDOW_S * _WITH_SETTLING)
"""About how many commands one window takes of a backlog, by that rate."""

# Beyond the windows that were wanted from the start they come in pairs.
_FEWEST_WINDOWS: Final = 2


@dataclass
class WindowsFilled:
    """How many windows of a run there was a backlog for, which no restore changes."""

    count: int = 0

    def forget(self) -> None:
        """Keep it: the windows were measured."""


@dataclass(frozen=True)
class FillBacklog(BenchStep[Participants]):
    """See to it that enough commands of the test table wait for a window, and write for several where they do not.

    The first window gets what a usual rate makes of it; the writing after it lasts for all those wanted, by the rate it
    showed; where faster settings use that up, or more windows are run, more is written for those left.

    Attributes:
        commands_per_transaction: lowest and highest.
        batch: transactions of the setting's commit batch, of which a window needs some.
        windows: how many are wanted from the start.
    """

    commands_per_transaction: tuple[float, float]
    batch: int
    windows: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("See that enough commands of the test table wait for a window, and write more where they do not")

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of Log Reader Agents that stand."""
        return changes_of_switch(at, AgentKind.LOG_READER, running=True)

    def do(self, rig: StepRig[Participants]) -> None:
        """Count the backlog, write the commands it lacks, and wait until the Log Reader Agents have read them."""
        trial, windows, filled = rig.of_trial(AgentTrial), windows_of(rig), rig.kept(WindowsFilled)
        filled.count += 1
        trial.switch.start(AgentKind.LOG_READER)
        agents = trial.switch.of(AgentKind.DISTRIBUTION)
        watch = trial.watch_own_work(AgentKind.DISTRIBUTION, WorkSource.TEST_TABLE)
        first = watch.begin()
        trial.disturbances(first)
        waiting = watch.left(first) or 0
        rate_per_s = windows.most_rate_per_s or USUAL_RATE_PER_S * len(agents)
        window = max(rate_per_s * windows.seconds, len(agents) * self._fewest)
        if waiting >= window * _MOST_LENGTHS:
            return
        left = max(_FEWEST_WINDOWS, self.windows - filled.count + 1) if windows.most_rate_per_s else 1
        wanted = window * (_MOST_LENGTHS + left - 1)
        missing = math.ceil((wanted - waiting) / len(agents))
        write_commands(rig, missing, self.commands_per_transaction)
        WaitUntilDelivered(AgentKind.LOG_READER).do(rig)
        windows.ended_s = rig.at.target.clock.monotonic_s()  # writing is no part of a switch

    @property
    def _fewest(self) -> float:
        """Commands that fill the rows and batches without which a window tells no rate."""
        mean = sum(self.commands_per_transaction) / 2
        return mean * max(LEAST_BATCHES * self.batch, (LEAST_ROWS + 1) * _TRANSACTIONS_A_ROW)
