"""Stopping, starting and configuring the agents that take part in a trial."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from app.domain.change import Change
from app.domain.errors import ChangedByOthers
from app.domain.setting import Setting
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.participants import AgentProcess, AgentSwitch, Participants, of_kind
from app.systems.transactional_replication.server.profile_plans import DEDICATED_PROFILE
from app.systems.transactional_replication.topology import Agent


def agents_named(kind: AgentKind) -> str:
    """Return the name of a kind of agents."""
    return {AgentKind.LOG_READER: _("Log Reader Agents"), AgentKind.DISTRIBUTION: _("Distribution Agents")}[kind]


class Configured:
    """The run's settings so far: the newest change of each subject."""

    def __init__(self) -> None:
        self.changes: dict[tuple[str, str], Change] = {}

    def forget(self) -> None:
        """Start afresh after a restore."""
        self.changes.clear()

    def check(self, rig: StepRig[Participants]) -> None:
        """Refuse to go on where somebody else changed a setting: nobody would know the subject of the measurement."""
        for change in self.changes.values():
            if not rig.at.target.changes.is_applied(change):
                raise ChangedByOthers(
                    _(
                        "{subject} is no longer {wanted}, as this run had set it: somebody else changed it meanwhile, "
                        "so the run ends here"
                    ).format(subject=change.subject, wanted=change.new)
                )


def switch_of(rig: StepRig[Participants]) -> AgentSwitch:
    """Return the switch that starts and stops the agents of a run."""
    return rig.kept(AgentSwitch, partial(AgentSwitch, rig.at.target, rig.board, rig.at.members, rig.at.owner))


def leave(rig: StepRig[Participants], agent: Agent) -> None:
    """Have nothing put back of an agent that is gone; the profile made for it is dropped all the same."""
    switch_of(rig).leave(agent)
    own = [c for c in rig.kept(Configured).changes.values() if c.detail_or("job_id", "") == agent.job_id]
    rig.parts.changer.leave([change for change in own if change.kind != DEDICATED_PROFILE])


def changes_of_switch(at: Bench[Participants], kind: AgentKind, *, running: bool) -> Iterator[Change]:
    """Yield the changes that bring the agents of a kind to run, or to stand, that do not yet.

    One that stands already and must go on standing is kept from being started by its schedules.
    """
    for agent in of_kind(at.members, kind):
        process, ports = AgentProcess(at.target, agent, at.owner), agent_ports(at.target)
        if ports.agents.is_running(agent) is not running:
            yield from (*process.marks(), *process.planned(running=running))
        elif not running and ports.agent_changes.plan_disabled(agent):
            yield from process.marks()


@dataclass(frozen=True)
class StopAgents(BenchStep[Participants]):
    """Stop every agent of a kind that takes part, and wait until it has stopped."""

    kind: AgentKind
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Stop the {agents} and wait until they have stopped").format(agents=agents_named(self.kind))

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of those that run."""
        return changes_of_switch(at, self.kind, running=False)

    def do(self, rig: StepRig[Participants]) -> None:
        """Stop those that run; raises Disturbed where somebody else stopped one."""
        switch_of(rig).stop(self.kind)


@dataclass(frozen=True)
class StartAgents(BenchStep[Participants]):
    """Start every agent of a kind that takes part, and wait for its new session."""

    kind: AgentKind
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the {agents} and wait for their new sessions").format(agents=agents_named(self.kind))

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Return the changes of those that stand."""
        return changes_of_switch(at, self.kind, running=True)

    def do(self, rig: StepRig[Participants]) -> None:
        """Start those that stand; raises Disturbed where somebody else started or stopped one."""
        switch_of(rig).start(self.kind)


@dataclass(frozen=True)
class LetSchedulesStart(BenchStep[Participants]):
    """Let schedules start the agents of a kind again, once they run for good."""

    kind: AgentKind

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Let schedules start the {agents} again").format(agents=agents_named(self.kind))

    def do(self, rig: StepRig[Participants]) -> None:
        """Enable the jobs that were disabled; raises TargetError."""
        switch_of(rig).let_schedules_start(self.kind)


@dataclass(frozen=True)
class Configure(BenchStep[Participants]):
    """Give every agent of a kind a setting; it counts from the agent's next start."""

    kind: AgentKind
    setting: Setting
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Set {setting} for the {agents}").format(agents=agents_named(self.kind), setting=self.setting.text())

    def changes(self, at: Bench[Participants]) -> Iterator[Change]:
        """Yield the changes of each agent; a value in effect that trials change in between is set, too."""
        plan = agent_ports(at.target).agent_changes.plan_setting
        for agent in of_kind(at.members, self.kind):
            for change in plan(agent, self.setting, at.owner, restated=at.varied):
                is_anothers = at.varied and change.original == change.new
                yield replace(change, original=_("another trial's value")) if is_anothers else change

    def do(self, rig: StepRig[Participants]) -> None:
        """Set it, unless somebody else changed a setting of this run."""
        configured = rig.kept(Configured)
        configured.check(rig)
        for change in self.changes(rig.at):
            rig.parts.changer.apply(change)
            configured.changes[change.kind, change.subject] = change
