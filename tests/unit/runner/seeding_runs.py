"""Runs of seeding on a group in memory, through the real runner."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from app.advice import Pack
from app.domain.events import ChangeApplied, ChangeRestored, RunEvent, StepStarted
from app.domain.family import Evidence
from app.domain.limits import Limits, usual_limits
from app.domain.load import complete_load
from app.domain.measurement import TrialStatus
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.session import Advice
from app.domain.setting import Setting, Value
from app.domain.target import Target
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.services.plan.completing import read_site
from app.systems.availability_groups.families.seeding import FAMILY
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.readings import SEEDING_LIMITS
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.ended import EndedRun, rules_of
from tests.unit.runner.memory import MemoryJournal
from tests.unit.runner.seedings import MemorySeedingTarget

_START = datetime(2026, 1, 1, tzinfo=UTC)


def seeding_plan(
    methods: tuple[Value, ...] = ("backup_restore", "direct", "direct_compressed"),
    *,
    blocks: int = 1,
    limits: Limits | None = None,
    others: tuple[Factor, ...] = (),
    **load: PlanValue,
) -> Plan:
    """Return a plan over a small test database."""
    given: dict[str, PlanValue] = {"database_mb": 5_000, "backup_folder": r"\\share\backup", **load}
    factors = (*((Factor("seeding_method", methods),) if len(methods) > 1 else ()), *others)
    baseline = {f.name: f.levels[0] for f in factors}
    return Plan(
        "seeding",
        factors,
        Setting.from_mapping(baseline),
        design=Design(blocks=blocks, confirm_blocks=0, further_blocks=0),
        limits=limits or usual_limits(SEEDING_LIMITS),
        load=complete_load(FAMILY.load_fields, given, "test"),
    )


def rules_of_seeding() -> tuple[Pack, ...]:
    """Return the packs of this family alone."""
    return rules_of("seeding")


@dataclass
class SeedingRun(EndedRun):
    """A run of seeding that has ended."""

    family = FAMILY

    plan: Plan
    target: MemorySeedingTarget
    journal: MemoryJournal
    events: list[RunEvent] = field(default_factory=list)

    @property
    def port(self) -> Target:
        """The target as the runner sees it."""
        return self.target

    def assert_as_found(self, when: str) -> None:
        """Check that the servers are as they were found."""
        assert self.target.seeding.changed() == {}, when

    @property
    def steps(self) -> list[str]:
        """What was said to be done, in order."""
        return [event.text for event in self.events if isinstance(event, StepStarted)]

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Each change made (+) and put back (-), with what it is about."""
        made = (event for event in self.events if isinstance(event, ChangeApplied | ChangeRestored))
        return [("+" if isinstance(e, ChangeApplied) else "-", e.change.subject) for e in made]

    def evidence(self, said: Advice) -> Evidence:
        """Return the run as its family is asked to explain it."""
        used = tuple(m for t in self.trials if t.status is TrialStatus.USED for m in t.measurements)
        found = GroupSite(parameters={}, topology=self.target.seeding.found)
        conditions = used[0].conditions
        return Evidence("seeding", conditions, self.plan, found, used, said.comparisons, (), self.trials, 0.05, None)


def seed_in_memory(
    plan: Plan,
    found: GroupTopology | None = None,
    *,
    watch: Callable[[RunControl, RunEvent], None] = lambda _control, _event: None,
    **how: object,
) -> SeedingRun:
    """Run a plan through the real runner on servers in memory."""
    target = MemorySeedingTarget(found, **how)
    rig = FAMILY.system.rig_kind(FAMILY.subject)
    seen = rig.complete_site(plan, read_site(target, FAMILY), target)
    plan = rig.complete_plan(plan, seen)
    run, control = SeedingRun(plan, target, MemoryJournal([])), RunControl()

    def sink(event: RunEvent) -> None:
        run.events.append(event)
        watch(control, event)

    execute(RunOrder("S1", "E1", plan, FAMILY, seen, target, run.journal, control, sink))
    return run
