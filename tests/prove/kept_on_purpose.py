"""A confirmed run on a lab server, and what is kept of it: shared by quick tests and long proofs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from app.bootstrap import build_program, load_families
from app.domain.change import Change, EntryState, Keep
from app.domain.events import RunEvent, RunStatus
from app.domain.target import Target
from app.runner.control import RunControl
from app.runner.keeping import KeepEnded
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.ports import TargetOpener
from app.services.run.guided_session import GuidedSession
from app.services.run.keeping import Keepable, KeepJob, KeepJobEnded, find_to_keep, undo_kept
from app.services.run.restoring import JournalState, RestoreOutcome, RestoreWay, read_journal_state, restore_all
from app.services.workplace import Workplace, open_workplace
from app.store import open_for_reading, open_for_writing
from app.systems.availability_groups.offer import group_ports
from app.systems.change_data_capture.members import capture_port
from app.systems.change_data_capture.readings import CaptureJob
from app.systems.oracle_streams.offer import streams_port
from app.systems.transactional_replication.offer import agent_ports
from tests.prove.kill_driver import Fuse, fuse_journal, fused_opener
from tests.prove.killing import Killed, ServerState, fork_and_kill, read_state
from tests.writers import busy_group, incident, log_to_capture, streams_incident

S = TypeVar("S")

_HOUR_S: Final = 3_600.0

PLAN = """
family = "{family}"
[factors]
{factor} = {levels}
[workload]
source = "own_backlog"
{workload}[design]
stop = "blocks"
blocks = 1
confirm_blocks = 3
most_pairs = 3
settling_trials = 0
"""


COMMIT_PLAN: Final = """
family = "commit_mode"
[factors]
availability_mode = ["async", "sync"]
[workload]
source = "own_traffic"
window_s = 60
settle_s = 1
[design]
blocks = 2
"""
"""On a group that is synchronous; the plan's own baseline is not what is in effect there."""

STREAMS = ("PUB1-ERP-ERP_Orders-REPORT1-1", "SubscriptionStreams", "8")
"""Agent, parameter and value that are kept."""


@dataclass(frozen=True)
class Subject(Generic[S]):
    """Who works off a client's backlog, and how it is told whether a setting is in effect there.

    Attributes:
        plan: the plan whose run confirms a setting.
        read: reads everything an experiment changes at a target.
        is_kept: tells of what was read whether that setting is in effect.
        running: tells of it which processes run.
        site: writes a scenario in which a backlog waits, or applications commit.
        hows: for how long a setting can be kept there.
    """

    family_id: str
    plan: str
    read: Callable[[str], S]
    is_kept: Callable[[S], bool]
    running: Callable[[S], object]
    site: Callable[[Path], Path]
    hows: tuple[Keep, ...] = tuple(Keep)


def _plan(family_id: str, factor: str, levels: str, workload: str = "") -> str:
    return PLAN.format(family=family_id, factor=factor, levels=levels, workload=workload)


def let_a_backlog_gather(target: str, hours: float, then: float) -> None:
    """Stop the agent under test for some hours, as an outage does, and let it catch up for some."""

    def gather(opened: Target) -> None:
        agents = agent_ports(opened).agents
        (agent,) = (each for each in agents.discover().agents if each.name == STREAMS[0])
        agents.stop(agent)
        opened.clock.sleep(hours * _HOUR_S)
        agents.start(agent)
        opened.clock.sleep(then * _HOUR_S)

    _at(target, gather)


def _jobs(target: str) -> tuple[CaptureJob, ...]:
    found = _at(target, lambda opened: capture_port(opened).discover(lambda _why: None))
    assert found is not None
    return found.jobs


def _pipeline(target: str) -> tuple[dict[tuple[str, str, str], str], dict[str, str]]:
    """Return parameters in effect and the status of each process."""

    def look(opened: Target) -> tuple[dict[tuple[str, str, str], str], dict[str, str]]:
        found = streams_port(opened).discover()
        values = {
            (p.component.value, p.effective.name, str(p.set_by_user)): str(p.effective.value) for p in found.parameters
        }
        return values, {process.name: process.status for process in found.processes}

    return _at(target, look)


def _modes(target: str) -> dict[str, tuple[str, str]]:
    """Return availability and failover mode by replica."""
    (group,) = _at(target, lambda opened: group_ports(opened).groups.discover()).groups
    return {replica.server: (str(replica.mode), replica.failover_mode) for replica in group.replicas}


def _at(target: str, look: Callable[[Target], S]) -> S:
    opened = build_program().parts.open_target(target, 1, lambda _record: None)
    try:
        return look(opened)
    finally:
        opened.close()


SUBJECTS: Final[Mapping[str, Subject[Any]]] = {
    "distribution_agent": Subject(
        "distribution_agent",
        _plan("distribution_agent", "SubscriptionStreams", "[1, 8]"),
        read_state,
        lambda state: STREAMS in values_in(state),
        lambda state: state.running,
        incident,
    ),
    "streams_apply": Subject(
        "streams_apply",
        _plan("streams_apply", "PARALLELISM", "[1, 8]"),
        _pipeline,
        lambda seen: seen[0].get(("apply", "PARALLELISM", "True")) == "8",
        lambda seen: seen[1],
        streams_incident,
    ),
    "cdc_capture": Subject(
        "cdc_capture",
        _plan("cdc_capture", "maxtrans", "[500, 5000]", "window_s = 10\n"),
        _jobs,
        lambda jobs: jobs[0].maxtrans == 5_000,
        lambda jobs: jobs[0].is_running,
        lambda folder: log_to_capture(folder, 1_000_000),
    ),
    "commit_mode": Subject(
        "commit_mode",
        COMMIT_PLAN,
        _modes,
        lambda modes: modes["SQLNODE2"] == ("async", "manual"),
        lambda _modes: (),
        busy_group,
        (Keep.FOR_GOOD,),
    ),
}


@dataclass(frozen=True)
class ConfirmedRun:
    """A run of a plan on a client's own backlog that showed a better setting, with everything undone.

    Attributes:
        target: the key of the lab server.
    """

    place: Workplace
    journal: Path
    target: str
    subject: Subject[Any] = SUBJECTS["distribution_agent"]

    @property
    def found(self) -> Keepable:
        """What it confirmed."""
        return find_to_keep(self.place, load_families())

    @property
    def state(self) -> JournalState:
        """What its journal says."""
        return read_journal_state(self.journal)

    def keep(
        self,
        how: Keep,
        on_event: Callable[[RunEvent], None] = lambda _event: None,
        open_target: TargetOpener | None = None,
    ) -> KeepEnded:
        """Keep it in a thread, as the window does, and wait for its end."""
        ends: list[KeepJobEnded] = []
        opener = open_target or build_program().parts.open_target
        job = KeepJob(self.found, how, self.place, self.journal, opener, on_event, ends.append)
        job.start()
        job.join()
        (end,) = ends
        assert end.ended is not None, end.problem
        return end.ended

    def undo(self, told: list[str] | None = None, open_target: TargetOpener | None = None) -> RestoreOutcome:
        """Undo what the session keeps; what somebody else changed is told."""

        def left(_change: Change, why: str) -> None:
            if told is not None:
                told.append(why)

        opener = open_target or build_program().parts.open_target
        return undo_kept(self.journal, self.found.session_id, opener, lambda _change: None, left, RestoreWay())

    def restore(self) -> RestoreOutcome:
        """Restore as a person does who names nothing."""
        return restore_all(self.journal, build_program().parts.open_target, lambda _change: None)

    def keep_and_kill(self, at: int, how: Keep) -> Killed:
        """Keep it in a process that kills itself at a moment; 0 lets it end."""

        def work() -> list[str]:
            fuse = Fuse(at)
            fuse_journal(fuse)
            self.keep(how, open_target=fused_opener(fuse))
            return fuse.moments

        return fork_and_kill(work)

    def undo_and_kill(self, at: int) -> Killed:
        """Undo what is kept in a process that kills itself at a moment; 0 lets it end."""

        def work() -> list[str]:
            fuse = Fuse(at)
            fuse_journal(fuse)
            self.undo(open_target=fused_opener(fuse))
            return fuse.moments

        return fork_and_kill(work)

    def check_and_undo(self, found: object, when: str) -> None:
        """Look at the server after a kill: kept as a whole until it is undone by name, or undone by any restore."""
        was_kept = bool(self.state.kept)
        assert not (was_kept and self.state.entries), f"{when}: kept in part"
        read = self.subject.read
        before = read(self.target)
        restored = self.restore()
        assert restored.problems == (), when
        if was_kept:
            assert read(self.target) == before, f"{when}: touched unasked"
            assert self.subject.is_kept(before), f"{when}: said to be kept, and is not"
            assert self.subject.running(before) == self.subject.running(found), when
            assert restored.cautions, f"{when}: nobody says that it is kept"
            assert self.undo().problems == (), when
        assert read(self.target) == found, when
        assert (self.state.entries, self.state.kept) == ((), ()), when
        open_for_writing(self.place.session_file).close()
        with open_for_reading(self.place.session_file) as reader:
            changes = reader.read_session().changes
        assert all(entry.state is EntryState.RESTORED for entry in changes), f"{when}: its file says otherwise"


def values_in(state: ServerState) -> set[tuple[str, str, str]]:
    """Return what is in effect of each agent."""
    return {(agent, name, value) for agent, name, value, _origin in state.parameters}


def run_to_confirm(folder: Path, target: str, subject: Subject[Any] = SUBJECTS["distribution_agent"]) -> ConfirmedRun:
    """Run the plan of a subject to its end."""
    path = folder / "plan.toml"
    path.write_text(subject.plan, encoding="utf-8")
    place, journal, families = open_workplace(folder / "out"), folder / "undo.journal", load_families()
    with GuidedSession(place, journal, build_program().parts.open_target) as session:
        opened = session.open_target(target, 1)
        prepared = prepare_run(load_plan(path, dict(families)), families[subject.family_id], opened, str(path))
        outcome = session.run(prepared, opened, RunControl(), [_unheard])
        opened.close()
    assert outcome.status is RunStatus.SUCCEEDED, outcome.reason
    return ConfirmedRun(place, journal, target, subject)


def _unheard(_event: RunEvent) -> None:
    """Nobody watches."""
