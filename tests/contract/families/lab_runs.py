"""Real runs of any family on a lab in this process, small enough to be repeated many times."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from app import experiments
from app.advice import load_packs
from app.domain.events import RunEvent, RunFinished, TrialFinished
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Limits, Plan, Scenario
from app.domain.ports import Target
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.statement import StatementRecord
from app.foundation.discovery import load_subpackages
from app.foundation.paths import rules_root
from app.lab.scenario import scenario_path
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.services.advising import Advisor
from app.services.site import read_environment, read_site
from app.targets.sqlserver.fake.faults import Fault
from app.targets.sqlserver.fake.open import open_lab
from tests.unit.runner.memory import MemoryJournal

FAMILIES: dict[str, ExperimentFamily] = {
    name: package.FAMILY for name, package in load_subpackages(experiments).items()
}
ADVISOR = Advisor(FAMILIES, load_packs(rules_root(), tuple(FAMILIES)))
SCENARIOS = tuple(Scenario)

Sink = Callable[[RunEvent], None]


def small_plan(
    family: ExperimentFamily, scenario: Scenario = Scenario.DRAINED, *, blocks: int = 1, confirm_blocks: int = 0
) -> Plan:
    """Return the family's own plan with two levels and little work."""
    plan = family.default_plan()
    factor = plan.factors[0]
    return replace(
        plan,
        factors=(Factor(factor.name, (factor.levels[0], factor.levels[-1])),),
        workload=replace(plan.workload, scenario=scenario, commands=4_000, duration_s=240.0, rate_per_s=400.0),
        design=Design(blocks=blocks, confirm_blocks=confirm_blocks),
        limits=Limits(),
    )


@dataclass
class LabRun:
    """A run that has ended, with everything around it."""

    family: ExperimentFamily
    plan: Plan
    target: Target
    site: Site
    before: dict[str, object]
    journal: MemoryJournal
    events: list[RunEvent] = field(default_factory=list)
    records: list[StatementRecord] = field(default_factory=list)

    @property
    def trials(self) -> tuple[TrialResult, ...]:
        """The finished trials."""
        return tuple(event.trial for event in self.events if isinstance(event, TrialFinished))

    @property
    def end(self) -> RunFinished:
        """How it ended."""
        assert isinstance(self.events[-1], RunFinished)
        return self.events[-1]

    def session(self) -> SessionRecord:
        """Return the run as the store would hand it back."""
        now = datetime(2026, 1, 1, tzinfo=UTC)
        run = RunRecord("E1", self.plan, self.target.key, self.end.status, self.end.reason, now, now, self.trials)
        environment = read_environment(self.target, self.site)
        return SessionRecord("S1", "test", "", "", now, "0", (environment,), (run,))

    def advise(self) -> Advice:
        """Return what the program would say about it."""
        return ADVISOR.advise(self.session())

    def assert_restored(self, when: str) -> None:
        """Check that the server is as it was found and nothing is left to undo."""
        assert self.end.not_restored == (), when
        assert self.journal.open_entries() == (), when
        assert settings_of(self.target) == self.before, when


def settings_of(target: Target) -> dict[str, object]:
    """Return what an experiment could leave changed: state, profile and parameters of every agent."""
    return {
        agent.name: (target.agents.is_running(agent), agent.profile_id, target.agents.read_parameters(agent))
        for agent in target.agents.discover().agents
    }


def run_on_lab(
    family: ExperimentFamily,
    plan: Plan,
    *,
    scenario: str = "lan",
    noise: bool | None = None,
    faults: Sequence[Fault] = (),
    make_sink: Callable[[RunControl], Sink] | None = None,
    wrap: Callable[[Target], Target] = lambda target: target,
    before_run: Callable[[Counter[str]], None] = lambda _calls: None,
) -> LabRun:
    """Run a plan through the real runner and the real adapter, on a lab of its own.

    Args:
        make_sink: makes a watcher of the events that may ask the run for something.
        wrap: puts something in front of the target.
        before_run: told how often each statement was sent before the run itself begins.
    """
    records: list[StatementRecord] = []
    target = wrap(open_lab(scenario_path(scenario), 1, records.append, noise, faults))
    site = read_site(target, family.agent)
    journal = MemoryJournal([])
    control = RunControl()
    watcher = make_sink(control) if make_sink else (lambda _event: None)
    run = LabRun(family, plan, target, site, settings_of(target), journal, records=records)
    before_run(Counter(record.name for record in records))
    records.clear()

    def sink(event: RunEvent) -> None:
        run.events.append(event)
        watcher(event)

    status = execute(RunOrder("S1", "E1", plan, family, site, target, journal, control, sink))
    assert status is run.end.status
    return run
