"""Real runs of any family on a lab in this process, small enough to be repeated many times."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.bootstrap import load_families
from app.domain.events import RunEvent
from app.domain.family import ExperimentFamily, Site
from app.domain.load import Load
from app.domain.measurement import TrialResult
from app.domain.plan import FEWEST_WINDOW_PAIRS, Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.domain.work_source import SCENARIO
from app.lab.faults import Fault
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.services.explain.advising import Advisor
from app.services.plan.completing import read_site
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_members import TEST_DATABASE
from app.systems.availability_groups.subjects import COMMIT, SEEDING
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.change_data_capture.subjects import CAPTURE
from app.systems.change_data_capture.subjects import SYSTEM_ID as CAPTURE_SYSTEM
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.subjects import STREAMS
from app.systems.oracle_streams.subjects import SYSTEM_ID as STREAMS_SYSTEM
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.labs import SYSTEMS, families_of, jobs_disabled, open_lab, started_with
from tests.shipped_rules import ADVISOR
from tests.unit.runner.ended import EndedRun
from tests.unit.runner.memory import MemoryJournal

FAMILIES: dict[str, ExperimentFamily] = dict(sorted(load_families().items()))
AGENT_FAMILIES = families_of(REPLICATION)


def scenarios_of(family: ExperimentFamily) -> tuple[Scenario, ...]:
    """Return the scenarios a family of replication agents offers."""
    (field,) = (field for field in family.load_fields if field.name == SCENARIO)
    return tuple(Scenario(choice) for choice in field.choices)


# A family of another subject has one kind of load of its own.
CASES = [
    (name, scenario)
    for name, family in FAMILIES.items()
    for scenario in (scenarios_of(family) if name in AGENT_FAMILIES else (Scenario.DRAINED,))
]
CASE_IDS = [f"{name}-{scenario}" if name in AGENT_FAMILIES else name for name, scenario in CASES]
LABS = {COMMIT: "ag-2016", SEEDING: "ag-seeding", STREAMS: "streams-2009", CAPTURE: "capture"}

Sink = Callable[[RunEvent], None]


def small_plan(
    family: ExperimentFamily, scenario: Scenario = Scenario.DRAINED, *, blocks: int = 1, confirm_blocks: int = 0
) -> Plan:
    """Return the family's own plan with two levels and little work."""
    plan = family.default_plan()
    factor = plan.factors[0]
    if family.subject == COMMIT:
        return _small_commit_plan(plan, blocks)
    if family.subject == SEEDING:
        return _small_seeding_plan(plan, blocks)
    if family.subject == STREAMS:
        return _small_streams_plan(plan, blocks, confirm_blocks)
    if family.subject == CAPTURE:
        return _small_capture_plan(plan, blocks, confirm_blocks)
    return replace(
        plan,
        factors=(Factor(factor.name, (factor.levels[0], factor.levels[-1])),),
        load=plan.load.but(scenario=scenario, commands=4_000, duration_s=240.0, rate_per_s=400.0),
        design=Design(blocks=blocks, confirm_blocks=confirm_blocks),
    )


def _small_commit_plan(plan: Plan, blocks: int) -> Plan:
    """Return one group switched to and fro, with and without compression."""
    small: dict[str, PlanValue] = {
        "group": "AG_SYNC",
        "database": "LoadSync",
        "secondary": "SQLNODE2",
        "inserts": (1, 200),
        "rows_total": 20_000,
        "settle_s": 30.0,  # until a trace flag is felt
    }
    return replace(
        plan,
        design=Design(blocks=blocks, confirm_blocks=0, further_blocks=0),
        load=Load.from_mapping({**plan.load, **small}),
    )


def _small_seeding_plan(plan: Plan, blocks: int) -> Plan:
    """Return the three methods over a small test database."""
    small: dict[str, PlanValue] = {"database_mb": 2_000, "backup_folder": "\\\\share\\backup", "link_mbps": 10_000.0}
    return replace(
        plan,
        design=Design(blocks=blocks, confirm_blocks=0, further_blocks=0),
        load=Load.from_mapping({**plan.load, **small}),
    )


def _small_streams_plan(plan: Plan, blocks: int, confirm_blocks: int) -> Plan:
    """Return one apply server against eight, over a few small transactions."""
    small: dict[str, PlanValue] = {"operation": "insert", "rows": 4_000, "rows_per_commit": 500}
    return replace(
        plan,
        factors=(Factor("PARALLELISM", (1, 8)),),
        baseline=Setting.of(PARALLELISM=1),
        design=Design(blocks=blocks, confirm_blocks=confirm_blocks),
        load=Load.from_mapping({**plan.load, **small}),
    )


def _small_capture_plan(plan: Plan, blocks: int, confirm_blocks: int) -> Plan:
    """Return two values, each over work that gathered for a minute."""
    return replace(
        plan,
        factors=(Factor("maxtrans", (500, 1_000, 2_000)),),
        design=Design(blocks=blocks, confirm_blocks=confirm_blocks, most_pairs=FEWEST_WINDOW_PAIRS),
        load=plan.load.but(source="held", window_s=10.0),
        limits=plan.limits.but(data_age_s=60.0),
    )


@dataclass
class LabRun(EndedRun):
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
    def port(self) -> Target:
        """The target as the runner sees it."""
        return self.target

    def site_now(self) -> Site:
        """Return the site it was run on."""
        return self.site

    def advisor(self) -> Advisor:
        """Return who says something about it: the rules of all families."""
        return ADVISOR

    def assert_as_found(self, when: str) -> None:
        """Check that the server is as it was found."""
        assert settings_of(self.target) == self.before, when


def settings_of(target: Target) -> dict[str, object]:
    """Return what an experiment could leave changed, of what is set and of what each process was started with."""
    return {**_settings_of(target), "started with": started_with(target), "disabled": jobs_disabled(target)}


def _settings_of(target: Target) -> dict[str, object]:
    if GROUPS in target.offers:
        return _group_settings(target)
    if STREAMS_SYSTEM in target.offers:
        return _streams_settings(target)
    if CAPTURE_SYSTEM in target.offers:  # what the log waits for is no setting
        found = SYSTEMS[CAPTURE_SYSTEM].discover(target, lambda _why: None)
        assert found is not None
        return {"jobs": found.jobs}
    if REPLICATION not in target.offers:  # a further system leaves what its discovery tells
        return {name: SYSTEMS[name].discover(target, lambda _why: None) for name in target.offers}
    return {
        agent.name: (
            bool(agent.job_id) and agent_ports(target).agents.is_running(agent),
            agent.profile_id,
            agent_ports(target).agents.read_parameters(agent),
        )
        for agent in agent_ports(target).agents.discover().agents
    }


def _group_settings(target: Target) -> dict[str, object]:
    found = group_ports(target).groups.discover()
    modes = {(g.name, r.server): (r.mode, r.failover_mode, r.seeding_mode) for g in found.groups for r in g.replicas}
    without_tables = {
        d.name: len(group_ports(target).groups.plan_test_tables(d.name, 1, "S1")) for d in found.databases
    }
    states = {(d.database, d.server): d.synchronization_state for g in found.groups for d in g.databases}
    down = dict(found.unreachable)
    whole = [g for g in found.groups if not g.is_contained and g.servers() and down.keys().isdisjoint(g.under_test())]
    # both refuse where something of that name was left, at whichever server
    left = [
        len(group_ports(target).seeding.plan_test_database(whole[0].name, TEST_DATABASE, 10, 0.5)),
        len(group_ports(target).seeding.plan_event_session("S1")),
    ]
    return {
        "modes": modes,
        "flags": found.trace_flags,
        "options": found.options,
        "databases": without_tables,
        "states": states,
        "left": left,
    }


def _streams_settings(target: Target) -> dict[str, object]:
    found = streams_port(target).discover()
    values = {(p.component, p.process, p.effective.name): (p.effective.value, p.set_by_user) for p in found.parameters}
    status = {(p.component, p.name): p.status for p in found.processes}
    missing_tables = {path.name: len(streams_port(target).plan_test_table(path, 1, "S1")) for path in found.paths}
    return {"values": values, "status": status, "tables": missing_tables, "errors": found.apply_errors}


def _default_lab(subject: str) -> str:
    """Return the scenario that a subject's system opens where none is named."""
    named = (family.system.lab.default_scenario for family in FAMILIES.values() if family.subject == subject)
    return str(next(named))


def open_lab_of(
    subject: str,
    sink: Callable[[StatementRecord], None],
    *,
    lab: str | Path = "",
    noise: bool | None = None,
    faults: Sequence[Fault] = (),
) -> Target:
    """Open the lab a subject lives on, of its own engine; `lab` names another scenario."""
    lab = lab or LABS.get(subject) or _default_lab(subject)
    return open_lab(lab, 1, sink, noise, faults)


def run_on_lab(
    family: ExperimentFamily,
    plan: Plan,
    *,
    scenario: str | Path = "",
    noise: bool | None = None,
    faults: Sequence[Fault] = (),
    make_sink: Callable[[RunControl], Sink] | None = None,
    wrap: Callable[[Target], Target] = lambda target: target,
    before_run: Callable[[Counter[str]], None] = lambda _calls: None,
    session_id: str = "S1",
    done: Sequence[TrialResult] = (),
) -> LabRun:
    """Run a plan through the real runner and the real adapter, on a lab of its own.

    Args:
        done: trials of an earlier part of the run, which are not repeated.
        make_sink: makes a watcher of the events that may ask the run for something.
        wrap: puts something in front of the target.
        before_run: told how often each statement was sent before the run itself begins.
        session_id: whose run it is; what a session leaves is known by an id as sessions have it only.
    """
    records: list[StatementRecord] = []
    target = wrap(open_lab_of(family.subject, records.append, lab=scenario, noise=noise, faults=faults))
    rig = family.system.rig_kind(family.subject)
    site = rig.complete_site(plan, read_site(target, family), target)
    plan = rig.complete_plan(plan, site)
    journal = MemoryJournal([])
    control = RunControl()
    watcher = make_sink(control) if make_sink else (lambda _event: None)
    run = LabRun(family, plan, target, site, settings_of(target), journal, records=records)
    before_run(Counter(record.name for record in records))
    records.clear()

    def sink(event: RunEvent) -> None:
        run.events.append(event)
        watcher(event)

    status = execute(RunOrder(session_id, "E1", plan, family, site, target, journal, control, sink, done=tuple(done)))
    assert status is run.end.status
    return run
