"""What is left of the client's own backlog, delivered with the setting that was confirmed."""

from dataclasses import dataclass
from typing import Final

from app.domain.limits import TRIAL_DURATION
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.runner.bench.rig import BenchStep, StepRig
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.rig.participants import Participants
from app.systems.transactional_replication.rig.switching import agents_named
from app.systems.transactional_replication.rig.trial import AgentTrial
from app.systems.transactional_replication.rig.watch import RUNSTATUS_IDLE

_TICK_S: Final = 10.0


@dataclass(frozen=True)
class WaitForRest(BenchStep[Participants]):
    """Wait until the agents of a kind say that nothing waits for them; the plan's limits hold meanwhile."""

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Wait until nothing waits for the {agents} any more").format(agents=agents_named(self.kind))

    def do(self, rig: StepRig[Participants]) -> None:
        """Wait; raises LimitExceeded, and Disturbed where somebody else stopped one."""
        trial = rig.of_trial(AgentTrial)
        agents = trial.switch.of(self.kind)
        watch = trial.watch_own_work(self.kind, WorkSource.OWN_BACKLOG)
        watch.limits = [limit for limit in watch.limits if limit.name != TRIAL_DURATION.name]  # it is no trial
        now = watch.begin()
        disturbances = trial.disturbances(now)
        while not all((row := now.of(agent)) is not None and row.runstatus == RUNSTATUS_IDLE for agent in agents):
            now = watch.read_after(_TICK_S, lambda _now: 0.0)
            trial.raise_if_failed(now, self.kind)
            disturbances.check(now, agents, in_one_session=False)
