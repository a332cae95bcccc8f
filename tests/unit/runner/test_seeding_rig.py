"""Trials of seeding: what is done in which order, what ends them, and that everything is put back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from app.domain.events import RunEvent, RunStatus, SamplesTaken, StepStarted
from app.domain.happening import Happening, Work
from app.domain.limits import Limits
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor
from app.domain.rig import RigParts, RunCancelled, TrialCall
from app.domain.units import convert
from app.runner.bench.rig import BenchStep, StepRig
from app.runner.control import RunControl
from app.runner.undo.changer import SafeChanger
from app.systems.availability_groups.families.seeding import FAMILY
from app.systems.availability_groups.groups import ServerDatabase
from app.systems.availability_groups.seeding_kind import SEEDING_RIG, seeding_trial_time
from app.systems.availability_groups.seeding_members import SeedingMembers
from app.systems.availability_groups.seeding_steps import CompressSeeding, RemoveCopy
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.groups import PRIMARY, SECONDARY
from tests.unit.runner.memory import MemoryJournal
from tests.unit.runner.seeding_runs import SeedingRun, seed_in_memory, seeding_plan
from tests.unit.runner.seedings import (
    EVENTS,
    FLAG,
    MEMBER,
    SEEDING_MODE,
    MemorySeeding,
    MemorySeedingTarget,
    site,
)

DATABASE = "database ReplituneSeeding"


def value(run: SeedingRun, method: str, metric: str) -> float:
    """Return one measure of the one trial of a method."""
    [found] = [
        m.value
        for t in run.trials
        for m in t.measurements
        if (m.setting["seeding_method"], m.metric) == (method, metric)
    ]
    return found


def test_every_method_is_measured_and_put_back() -> None:
    """Times are the servers' own; network, disks, processors and redo are those of the phase."""
    run = seed_in_memory(seeding_plan())
    assert run.end.status is RunStatus.SUCCEEDED
    run.assert_restored()
    assert [trial.failed_checks for trial in run.trials] == [(), (), ()]
    assert value(run, "backup_restore", "backup_time") == pytest.approx(100.0)
    assert value(run, "backup_restore", "restore_time") == pytest.approx(200.0)
    assert value(run, "backup_restore", "join_time") == pytest.approx(2.0)
    assert value(run, "backup_restore", "total_time") == pytest.approx(302.0)
    assert value(run, "direct", "total_time") == value(run, "direct", "seeding_time") == pytest.approx(50.0)
    assert value(run, "direct", "network_rate") == pytest.approx(800.0)
    assert value(run, "direct_compressed", "network_rate") == pytest.approx(320.0)
    assert value(run, "backup_restore", "network_rate") == pytest.approx(40.0, rel=0.02)
    assert value(run, "backup_restore", "disk_rate") == pytest.approx(25.0, rel=0.02)
    assert value(run, "direct_compressed", "sent_share") == pytest.approx(0.4)
    assert value(run, "direct", "primary_cpu") == pytest.approx(0.6)
    assert value(run, "direct", "redo_queue") == pytest.approx(convert(40, "MiB", "MB"))
    assert value(run, "direct", "redo_rate") == pytest.approx(convert(10, "MiB", "MB"))
    assert value(run, "direct", "catch_up_time") == pytest.approx(4.0)


def test_what_else_ran_stands_beside_a_trial() -> None:
    """Each server's history is asked once for the time a trial measured; one that refuses is not asked again."""
    ran = (Happening(Work.BACKUP, PRIMARY, "Orders"), Happening(Work.OTHER_PROGRAMS, PRIMARY, share=0.4))
    run = seed_in_memory(seeding_plan(("direct", "direct_compressed")), ran=ran)
    assert [trial.happenings for trial in run.trials] == [ran, ran]
    assert [trial.status for trial in run.trials] == [TrialStatus.USED] * 2
    asked = [line for line in run.target.seeding.log if line.startswith("history of")]
    assert asked == [
        f"history of {PRIMARY}: 50 s of ReplituneSeeding",
        f"history of {SECONDARY}: 50 s of ReplituneSeeding",
        f"history of {PRIMARY}: 50 s of ReplituneSeeding",
    ]


def test_a_direct_trial_joins_before_seeding_may_begin() -> None:
    """Undone newest first, the mode that ends a seeding in flight comes before the database leaves."""
    run = seed_in_memory(seeding_plan(("backup_restore", "direct_compressed")))
    start = run.changes.index(("+", FLAG))
    assert run.changes[start : start + 6] == [
        ("+", FLAG),
        ("+", MEMBER),
        ("+", SEEDING_MODE),
        ("-", SEEDING_MODE),
        ("-", MEMBER),
        ("-", FLAG),
    ]
    assert run.changes[:2] == [("+", EVENTS), ("+", DATABASE)]  # by the events a lost session is recognised
    assert run.changes[-2:] == [("-", DATABASE), ("-", EVENTS)]


def test_an_automatic_mode_is_held_back_and_put_back() -> None:
    """A replica found AUTOMATIC is MANUAL while the database joins, and AUTOMATIC again at the end."""
    run = seed_in_memory(seeding_plan(), mode="automatic")
    run.assert_restored()
    modes = [line for line in run.target.seeding.log if line.startswith(SEEDING_MODE)]
    assert modes == [
        f"{SEEDING_MODE} = {mode}" for mode in ("manual", "automatic", "manual", "automatic", "manual", "automatic")
    ]
    assert all(trial.status is TrialStatus.USED for trial in run.trials)


def test_a_trace_flag_is_given_time() -> None:
    """After a change of it, also by the trial before, seeding begins only when it is in effect."""
    run = seed_in_memory(seeding_plan(blocks=3))
    assert [trial.failed_checks for trial in run.trials] == [()] * 9


def test_a_stream_that_was_compressed_unasked_is_not_used() -> None:
    """Bytes tell: without the wait, a flag that was just cleared still compresses the next seeding."""
    run = seed_in_memory(seeding_plan(blocks=3, settle_s=0.0))
    failed = {t.setting["seeding_method"]: t.failed_checks for t in run.trials if t.status is TrialStatus.NOT_USED}
    assert set(failed) == {"direct"}
    assert "40\u00a0% of the bytes read were sent" in failed["direct"][0]


def test_a_seeding_that_fails_is_kept_and_not_used() -> None:
    """The server's own words stand with the trial; the run goes on, and everything is put back."""
    run = seed_in_memory(seeding_plan(), fails_after_s=20.0)
    run.assert_restored()
    assert run.end.status is RunStatus.SUCCEEDED
    assert {trial.failed_checks for trial in run.trials} == {("the seeding failed: the disk is full",)}


def test_a_seeding_that_never_begins_ends_the_run() -> None:
    """After five minutes without anything the run says where to look."""
    run = seed_in_memory(seeding_plan(), never_begins=True)
    run.assert_restored()
    assert run.end.status is RunStatus.FAILED
    assert "has not begun to seed ReplituneSeeding within 300 s" in run.end.reason


def test_a_failover_ends_the_run() -> None:
    """Another primary is noticed at the next reading."""

    def fail_over(seeding: MemorySeeding) -> None:
        if seeding.clock.monotonic_s() > 30.0:
            seeding.primary = SECONDARY

    run = seed_in_memory(seeding_plan(), on_sample=fail_over)
    run.assert_restored()
    assert run.end.status is RunStatus.FAILED
    assert "AG1 failed over during the run" in run.end.reason


@pytest.mark.parametrize(
    ("how", "reason"),
    [({"log_used_share": 0.95}, "database's log reached 0.95"), ({"free_disk_gb": 0.5}, "free disk fell to 0.50 GB")],
)
def test_an_abort_rule_ends_the_run(how: dict[str, Any], reason: str) -> None:
    """A log or a disk that fills is told with its limit, and everything is put back."""
    run = seed_in_memory(seeding_plan(), **how)
    run.assert_restored()
    assert run.end.status is RunStatus.ABORTED
    assert reason in run.end.reason


def test_a_trial_that_takes_too_long_ends_the_run() -> None:
    """The plan's longest time counts from the first reading."""
    run = seed_in_memory(seeding_plan(limits=Limits.of(trial_duration_s=100.0)))
    run.assert_restored()
    assert run.end.status is RunStatus.ABORTED


def test_a_cancel_is_honoured_between_two_readings() -> None:
    """The seeding in flight is ended by SEEDING_MODE MANUAL, then the database leaves."""

    def cancel(control: RunControl, event: RunEvent) -> None:
        if isinstance(event, SamplesTaken) and event.progress > 0.3:
            control.cancel()

    run = seed_in_memory(seeding_plan(("direct", "direct_compressed"), backup_folder=""), watch=cancel)
    run.assert_restored()
    assert run.end.status is RunStatus.CANCELLED
    undone = [subject for sign, subject in run.changes if sign == "-"]
    assert undone.index(SEEDING_MODE) < undone.index(MEMBER) < undone.index(DATABASE)


def test_a_cancel_ends_the_wait_for_a_trace_flag() -> None:
    """Nobody waits an hour for a flag to settle after a cancel."""

    def cancel(control: RunControl, event: RunEvent) -> None:
        if isinstance(event, StepStarted) and "trace flag 9567 at" in event.text:
            control.cancel()

    run = seed_in_memory(seeding_plan(settle_s=3_600.0), watch=cancel)
    run.assert_restored()
    assert run.end.status is RunStatus.CANCELLED
    assert run.target.memory_clock.slept_s < 3_600.0


def test_a_pause_between_trials_restores_and_the_run_goes_on() -> None:
    """The test database is made again after the pause; no trial is lost."""
    paused: list[bool] = []

    def pause(control: RunControl, event: RunEvent) -> None:
        if type(event).__name__ == "TrialFinished" and not paused:
            paused.append(True)
            control.pause()
        if type(event).__name__ == "RunPaused":
            control.resume()

    run = seed_in_memory(seeding_plan(), watch=pause)
    run.assert_restored()
    assert [trial.status for trial in run.trials] == [TrialStatus.USED] * 3
    assert run.changes.count(("+", DATABASE)) == 2


@dataclass(frozen=True)
class Last(BenchStep[SeedingMembers]):
    """Takes its time in place of the copy and measures something, or ends the trial early."""

    lasts_s: float = 0.0
    is_early: bool = False

    def describe(self) -> str:
        """Describe the step for a person."""
        return "let the time pass"

    def do(self, rig: StepRig[SeedingMembers]) -> str:
        """Let the time pass; raises RunCancelled where that ends the trial."""
        rig.at.target.clock.sleep(self.lasts_s)
        if self.is_early:
            raise RunCancelled
        return "measured"


class OneRig:
    """The rig of a run, its trials begun one by one, with a restore between them as at a pause."""

    settle_s = 60.0

    def __init__(self) -> None:
        self.target, plan = MemorySeedingTarget(), seeding_plan()
        self.clock, self._changer = self.target.memory_clock, SafeChanger(self.target, MemoryJournal([]), "S1")
        found = GroupSite(parameters={}, topology=site())
        rig = SEEDING_RIG.make(RigParts(self.target, self._changer, RunControl(), plan, found, "S1"))
        assert isinstance(rig, StepRig)
        self._rig = rig

    def compress(self, wanted: bool, last: Last) -> None:
        """Do one trial with or without the trace flag."""
        steps = (CompressSeeding(wanted, self.settle_s), last, RemoveCopy("ReplituneSeeding"))
        self._rig.run_trial(TrialCall(steps, 1, 1.0, lambda _text: None, lambda _samples, _progress: None))

    def restore(self) -> None:
        """Undo what is open."""
        assert self._changer.restore(lambda _change: None) == ()
        assert self.target.seeding.changed() == {}
        self._rig.forget()

    def taken_s(self, do: Callable[[], None]) -> float:
        """Return how long something took."""
        began_s = self.clock.slept_s
        do()
        return self.clock.slept_s - began_s


def test_nobody_waits_for_a_trace_flag_that_was_not_changed() -> None:
    """Where it stands as it is wanted, neither the first trial waits nor those after a restore."""
    rig = OneRig()
    assert rig.taken_s(lambda: rig.compress(False, Last())) == 0.0
    rig.restore()
    assert rig.taken_s(lambda: rig.compress(False, Last())) == 0.0


def test_a_trace_flag_cleared_by_a_restore_is_given_time_from_then_on() -> None:
    """However long before it was set."""
    rig = OneRig()
    with pytest.raises(RunCancelled):
        rig.compress(True, Last(600.0, is_early=True))
    rig.restore()
    assert rig.taken_s(lambda: rig.compress(False, Last())) == pytest.approx(rig.settle_s)
    assert rig.taken_s(lambda: rig.compress(False, Last())) == 0.0


def test_a_restore_that_finds_the_trace_flag_cleared_makes_nobody_wait_again() -> None:
    """The time runs on from the end of the trial that had set it; trials without the flag wait for the rest only."""
    rig = OneRig()
    rig.compress(True, Last(600.0))
    rig.clock.sleep(45.0)
    rig.restore()
    assert rig.taken_s(lambda: rig.compress(False, Last())) == pytest.approx(rig.settle_s - 45.0)
    assert rig.taken_s(lambda: rig.compress(False, Last())) == 0.0


def test_a_connection_lost_at_any_change_is_restored() -> None:
    """Whichever change breaks, all that was made is put back."""
    changes = seed_in_memory(seeding_plan()).target.seeding.applied
    assert changes > 6
    for at in range(1, changes + 1):
        run = seed_in_memory(seeding_plan(), lose_at=at)
        run.assert_restored()
        assert run.end.status is RunStatus.FAILED


def test_options_of_the_backup_are_handed_on() -> None:
    """Stripes vary the backup only: direct seeding runs once for all of them."""

    run = seed_in_memory(seeding_plan(others=(Factor("stripes", (1, 4)),)))
    started = sorted(line for line in run.target.seeding.log if line.startswith("start"))
    assert started == [
        "start backup_restore 1",
        "start backup_restore 4",
        "start direct 1",
        "start direct_compressed 1",
    ]


def test_a_database_of_the_client_is_seeded_and_left() -> None:
    """Nothing is made or dropped but its membership."""
    run = seed_in_memory(seeding_plan(database="Alone"))
    run.assert_restored()
    assert run.end.status is RunStatus.SUCCEEDED
    assert DATABASE not in {subject for _sign, subject in run.changes}
    assert f"{MEMBER} = Alone" in run.target.seeding.log


def test_a_named_database_takes_the_time_of_its_own_size() -> None:
    """Before a plan is looked at, the sizes of all databases are known: the one that is named counts."""
    small, large = (
        ServerDatabase(name, "", "ONLINE", "FULL", mb, 10.0, None, False)
        for name, mb in (("Orders", 500.0), ("Archive", 50_000.0))
    )
    found = GroupSite(parameters={}, topology=site(databases=(small, large)))
    small_s, large_s, unknown_s = (
        seeding_trial_time(seeding_plan(database=name), FAMILY, found).trial_s
        for name in ("Orders", "Archive", "Elsewhere")
    )
    assert small_s < unknown_s < large_s  # of an unknown one the plan's own size is taken
