"""Runs of the commit mode on a server in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.advice import Pack
from app.domain.events import RunEvent
from app.domain.limits import Limits, usual_limits
from app.domain.load import complete_load
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting, Value
from app.domain.target import Target
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.services.plan.completing import read_site
from app.systems.availability_groups.families.commit_mode import FAMILY
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.readings import COMMIT_LIMITS
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.ended import EndedRun, rules_of
from tests.unit.runner.groups import MemoryTarget
from tests.unit.runner.memory import MemoryJournal

SHAPES = (1, 100, 10_000)


def commit_plan(
    modes: tuple[Value, ...] = ("async", "sync"),
    compression: tuple[Value, ...] = ("default", "on"),
    *,
    blocks: int = 1,
    limits: Limits | None = None,
    **load: PlanValue,
) -> Plan:
    """Return a plan with little work."""
    small: dict[str, PlanValue] = {"inserts": SHAPES, "rows_total": 100_000, "settle_s": 0.0}
    factors = [Factor("availability_mode", modes)]
    values: dict[str, Value] = {"availability_mode": "async"}
    if len(compression) > 1:
        factors.append(Factor("log_stream_compression", compression))
        values["log_stream_compression"] = "default"
    return Plan(
        "commit_mode",
        tuple(factors),
        Setting.from_mapping(values),
        design=Design(blocks=blocks, confirm_blocks=0, further_blocks=0),
        limits=limits or usual_limits(COMMIT_LIMITS),
        load=complete_load(FAMILY.load_fields, {**small, **load}, "test"),
    )


def rules_of_the_family() -> tuple[Pack, ...]:
    """Return the packs of this family alone."""
    return rules_of("commit_mode")


@dataclass
class CommitRun(EndedRun):
    """A run of the commit mode that has ended."""

    family = FAMILY

    plan: Plan
    target: MemoryTarget
    journal: MemoryJournal
    events: list[RunEvent] = field(default_factory=list)

    @property
    def port(self) -> Target:
        """The target as the runner sees it."""
        return self.target

    def assert_as_found(self, when: str) -> None:
        """Check that the server is as it was found."""
        assert self.target.groups.changed() == {}, when


def run_in_memory(
    plan: Plan,
    found: GroupTopology | None = None,
    *,
    watch: Callable[[RunControl, RunEvent], None] = lambda _control, _event: None,
    **how: object,
) -> CommitRun:
    """Run a plan through the real runner on a server in memory."""
    target = MemoryTarget(found, **how)  # type: ignore[arg-type]  # callers name what it takes
    rig = FAMILY.system.rig_kind(FAMILY.subject)
    site = rig.complete_site(plan, read_site(target, FAMILY), target)
    assert isinstance(site, GroupSite)
    plan = rig.complete_plan(replace(plan), site)
    run, control = CommitRun(plan, target, MemoryJournal([])), RunControl()

    def sink(event: RunEvent) -> None:
        run.events.append(event)
        watch(control, event)

    execute(RunOrder("S1", "E1", plan, FAMILY, site, target, run.journal, control, sink))
    return run
