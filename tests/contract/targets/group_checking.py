"""A target on an availability lab, held to the catalogue; what a client would find changed; a run that restores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.domain.change import Change
from app.domain.errors import ReplituneError
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.sqlserver.lab.servers import LabClock
from app.drivers.sqlserver.session import Place, RecordingSession
from app.lab.faults import Fault
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, GroupTopology
from app.systems.availability_groups.lab.readings import SeedingMode
from app.systems.availability_groups.lab.scenario import availability_scenario_path, load_availability_scenario
from app.systems.availability_groups.lab_server.server import LabGroupServer
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.readings import SeedingSample
from app.systems.availability_groups.subjects import SYSTEM_ID
from tests.contract.targets.checking import CheckingTransport
from tests.labs import sqlserver_over

PRIMARY, SECONDARY = "SQLNODE1", "SQLNODE2"
SYNC_GROUP, SYNC_DATABASE = "AG_SYNC", "LoadSync"
ASYNC_GROUP, ASYNC_DATABASE = "AG_ASYNC", "LoadAsync"
ALONE = "LoadAlone"
NEWEST = "17.0.1000.7"
TEST_DATABASE = "Replitune O'Neill ]] [x] 😀"
OWNER = "S1 o'clock ] 😀"
OPTIONS = BackupOptions("\\\\share\\o'folder", stripes=2, buffer_count=50, max_transfer_kb=1024)


@dataclass
class GroupBench:
    """A target on a lab in this process, with everything a test wants to look at."""

    server: LabGroupServer
    transport: CheckingTransport
    target: Target
    session: RecordingSession
    records: list[StatementRecord]

    @property
    def topology(self) -> GroupTopology:
        """The topology as discovered now."""
        return group_ports(self.target).groups.discover()

    def group(self, name: str = SYNC_GROUP) -> AvailabilityGroup:
        """Return a group as discovered now."""
        found = self.topology.group_named(name)
        assert found is not None
        return found

    def another_process(self) -> Target:
        """Return a target that knows nothing of this one, at the same servers."""
        transport = CheckingTransport(self.server)
        return sqlserver_over(transport, LabClock(self.server), self.records.append, simulates=SYSTEM_ID)

    def state(self) -> dict[str, object]:
        """Return everything an experiment could have left changed."""
        lab, state = self.server.state.lab, self.server.state
        names = [server.name for server in lab.servers()]
        return {
            "modes": [
                (r.group, r.server, r.availability_mode, r.failover_mode, r.seeding_mode, r.may_create_any_database)
                for group in lab.groups()
                for r in group.replicas
            ],
            "flags": [(server.name, server.trace_flags) for server in lab.servers()],
            "options": [(server.name, dict(lab.options(server.name))) for server in lab.servers()],
            "databases": sorted(
                (found.name, found.group, sorted({found.server, *(n for n in names if found.name in lab.copies_at(n))}))
                for found in lab.databases()
            ),
            "tables": dict(state.tables),
            "test databases": dict(state.test_databases),
            "event sessions": dict(state.event_sessions),
            "jobs": state.jobs.all(),
            "backup files": dict(state.backups),
        }


def make_group_bench(scenario: str = "ag-2016", faults: Sequence[Fault] = (), version: str = "") -> GroupBench:
    """Build a lab without noise and a target on it; its servers are of the newest version where none is given."""
    constants = load_availability_scenario(availability_scenario_path(scenario))
    servers = [one.model_copy(update={"product_version": version or NEWEST}) for one in constants.servers]
    constants = constants.model_copy(update={"servers": tuple(servers)})
    server = LabGroupServer(constants, seed=1, noise=False, faults=faults)
    for group in server.state.lab.groups():
        server.state.lab.grant_create_any_database(group.name, SECONDARY, False)
        server.state.lab.set_seeding_mode(group.name, SECONDARY, SeedingMode.MANUAL)
    transport = CheckingTransport(server)
    records: list[StatementRecord] = []
    clock = LabClock(server)
    target = sqlserver_over(transport, clock, records.append, simulates=SYSTEM_ID)
    return GroupBench(server, transport, target, RecordingSession(transport, clock, records.append), records)


@dataclass
class SafeRun:
    """Applies changes as the runner does, each noted before it is sent, and undoes them newest first."""

    bench: GroupBench
    noted: list[Change] = field(default_factory=list)

    def apply(self, changes: Sequence[Change]) -> None:
        """Note and apply each."""
        for change in changes:
            self.noted.append(change)
            self.bench.target.changes.apply(change)

    def undo_last(self) -> None:
        """Undo what was applied last."""
        self.bench.target.changes.undo(self.noted[-1])
        self.noted.pop()

    def restore(self) -> list[tuple[Change, str]]:
        """Undo everything and return what could not be, with why; that stays noted."""
        self.bench.target.changes.quiesce(tuple(reversed(self.noted)))
        failed: list[tuple[Change, str]] = []
        for change in reversed(self.noted):
            try:
                self.bench.target.changes.undo(change)
            except ReplituneError as error:
                failed.append((change, str(error)))
        self.noted = [change for change, _why in reversed(failed)]
        return failed


def wait_until_ended(bench: GroupBench, group: str, database: str) -> SeedingSample:
    """Sample a seeding until it has ended."""
    for _tick in range(200):
        bench.target.clock.sleep(1.0)
        sample = group_ports(bench.target).seeding.sample(group, database, SECONDARY)
        if sample.state in ("complete", "failed"):
            return sample
    raise AssertionError("the seeding does not end")


def commit_mode_steps(bench: GroupBench, run: SafeRun) -> Iterator[None]:
    """Do what a commit-mode experiment does, piece by piece."""
    target, groups = bench.target, group_ports(bench.target).groups
    run.apply(groups.plan_test_tables(SYNC_DATABASE, 2_000, OWNER))
    yield
    assert groups.read_leftovers(bench.topology) == ()  # the tables of no session
    groups.insert_loop(SYNC_DATABASE, 10, 100, OWNER)
    groups.sample(SYNC_GROUP, SYNC_DATABASE)
    groups.clear_destination(SYNC_DATABASE, OWNER)
    yield
    run.apply(groups.plan_trace_flag(PRIMARY, 9592, on=True))
    run.apply(tuple(groups.plan_commit_time(PRIMARY, 1)))
    group = bench.group()
    run.apply(groups.plan_mode(group, SECONDARY, CommitMode.ASYNCHRONOUS))
    groups.wait_synchronized(SYNC_GROUP, SYNC_DATABASE, SECONDARY, 60.0)
    yield
    groups.insert_loop(SYNC_DATABASE, 10, 100, OWNER)
    target.clock.sleep(1.0)
    groups.sample(SYNC_GROUP, SYNC_DATABASE)


def seeding_steps(bench: GroupBench, run: SafeRun) -> Iterator[None]:
    """Do what a seeding experiment does, piece by piece."""
    target, seeding = bench.target, group_ports(bench.target).seeding
    run.apply(seeding.plan_test_database(SYNC_GROUP, TEST_DATABASE, 100, 0.5))
    run.apply(seeding.plan_event_session(OWNER))
    assert group_ports(target).groups.read_leftovers(bench.topology) == ()
    run.apply(seeding.plan_membership(SYNC_GROUP, TEST_DATABASE, SECONDARY))
    yield
    seeding.start(SeedingMethod.BACKUP_RESTORE, SYNC_GROUP, TEST_DATABASE, SECONDARY, OPTIONS)
    wait_until_ended(bench, SYNC_GROUP, TEST_DATABASE)
    seeding.steps(SYNC_GROUP, TEST_DATABASE, SECONDARY)
    run.undo_last()
    yield
    run.apply(seeding.plan_membership(SYNC_GROUP, TEST_DATABASE, SECONDARY))
    run.apply(group_ports(target).groups.plan_trace_flag(PRIMARY, 9567, on=True))
    run.apply(seeding.plan_seeding_mode(SYNC_GROUP, SECONDARY, "automatic"))
    seeding.start(SeedingMethod.DIRECT_COMPRESSED, SYNC_GROUP, TEST_DATABASE, SECONDARY, BackupOptions(""))
    wait_until_ended(bench, SYNC_GROUP, TEST_DATABASE)
    seeding.steps(SYNC_GROUP, TEST_DATABASE, SECONDARY)
    seeding.events(OWNER)


def group_journey(bench: GroupBench) -> None:
    """Use every capability once, and put everything back."""
    run = SafeRun(bench)
    bench.server.state.kinds[SYNC_GROUP].listener = "ag-listener"
    for step in (*commit_mode_steps(bench, run), *seeding_steps(bench, run)):
        assert step is None
    assert run.restore() == []
    bench.session.run("take_run_mark", Place(PRIMARY, "master"), owner="S1")
    bench.session.run("release_run_mark", Place(PRIMARY, "master"), owner="S1")
    bench.session.run("server_addresses", Place(PRIMARY, "master"))
    bench.session.run("lab_wait", Place(PRIMARY, "master"), delay="00:00:01.000")
    bench.session.run("server_time", Place(PRIMARY, "master"))
    bench.session.run("local_time", Place(PRIMARY, "master"))
    bench.session.run("groups_enabled", Place(PRIMARY, "master"))
    bench.session.run("server_rights", Place(PRIMARY, "master"))
    assert all(cost.cpu_ms > 0 and cost.logical_reads > 0 for cost in bench.target.reading_cost())
    bench.session.run("history_rights", Place(PRIMARY, "msdb"))
    bench.server.other_work.begin(PRIMARY)
    bench.session.run("past_work", Place(PRIMARY, "msdb"), elapsed_s=60)
    bench.session.run("other_programs", Place(PRIMARY, "master"), elapsed_s=60)
