"""Trials of the commit mode on a server in memory: what is run, what is switched, and that it is put back."""

import itertools
from collections.abc import Callable

import pytest

from app.domain.errors import BadInput
from app.domain.events import ChangeApplied, ChangeRestored, RunEvent, RunStatus, SamplesTaken, StepStarted
from app.domain.limits import Limits
from app.domain.measurement import TrialStatus
from app.runner.control import RunControl
from app.systems.availability_groups.groups import CommitMode
from tests.unit.runner.commit_runs import SHAPES, CommitRun, commit_plan, run_in_memory
from tests.unit.runner.groups import MemoryGroups, group, topology

SIDE_BY_SIDE = topology(group("AG1", "Orders", CommitMode.ASYNCHRONOUS), group("AG2", "Copies"))


def times(run: CommitRun, number: int) -> dict[int, float]:
    """Return the run time of each shape of one trial, ms, by inserts."""
    found = run.trials[number].measurements
    return {int(m.conditions["inserts"]): m.value for m in found if m.metric == "shape_time"}


def test_every_shape_is_timed_by_the_server() -> None:
    """The run time is that of the inserts alone: rows, statements and, when synchronous, the way to the secondary."""
    run = run_in_memory(commit_plan(("async", "sync"), ("default",)))
    assert run.end.status is RunStatus.SUCCEEDED
    by_mode = {str(t.setting["availability_mode"]): n for n, t in enumerate(run.trials)}
    rows_ms = 100_000 * 0.008
    assert times(run, by_mode["async"]) == pytest.approx({n: rows_ms + n * 2.2 for n in SHAPES})
    way_ms = 100_000 * 0.006
    assert times(run, by_mode["sync"]) == pytest.approx({n: rows_ms + n * 2.9 + way_ms for n in SHAPES})
    run.assert_restored()


def test_a_long_shape_ends_with_its_time_and_is_worked_out_for_all_inserts() -> None:
    """Of 10,000 single inserts those of one second are run; the run time is that of all of them."""
    whole = run_in_memory(commit_plan(("async", "sync"), ("default",)))
    short = run_in_memory(commit_plan(("async", "sync"), ("default",), budget_s=1.0))
    assert times(short, 0) == pytest.approx(times(whole, 0))
    assert short.target.groups.totals["inserts"] < whole.target.groups.totals["inserts"] / 2


def test_loops_go_to_and_fro_over_the_shapes() -> None:
    """The destination is emptied before each shape; the second loop goes backwards."""
    calls: list[int] = []

    def note(groups: MemoryGroups) -> None:
        calls.append(int(groups.totals.get("inserts", 0.0)))

    run = run_in_memory(commit_plan(("async", "sync"), ("default",), loops=2, inserts=(1, 100)), on_insert=note)
    assert run.target.groups.log.count("clear Orders") == 2 * 2 * 2
    first_trial = [after - before for before, after in itertools.pairwise(calls)][:4]
    assert [n for n in first_trial if n] == [1, 100, 100, 1]


def test_portions_are_bounded() -> None:
    """No call of the insert loop is longer than 100,000 rows or 2,000 inserts, but for a single larger insert."""
    seen: list[tuple[int, int]] = []
    plan = commit_plan(("async", "sync"), ("default",), inserts=(1, 1_000, 100_000), rows_total=1_000_000)

    class Noting(MemoryGroups):
        def insert_loop(self, database: str, inserts: int, rows_per_insert: int, owner: str):  # type: ignore[no-untyped-def]  # as its base class declares it
            seen.append((inserts, rows_per_insert))
            return super().insert_loop(database, inserts, rows_per_insert, owner)

    run_in_memory(plan, make=Noting)
    assert max(inserts for inserts, _rows in seen) == 2_000
    assert {rows for inserts, rows in seen if inserts * rows > 100_000} == {1_000_000}


def test_modes_and_flags_go_to_and_fro_under_one_entry_each() -> None:
    """Six trials of three arms, and yet at no time two open changes of one value; every value is back at the end."""
    open_now: dict[str, int] = {}
    most: dict[str, int] = {}

    def watch(_control: RunControl, event: RunEvent) -> None:
        if isinstance(event, ChangeApplied):
            open_now[event.change.subject] = open_now.get(event.change.subject, 0) + 1
            most[event.change.subject] = max(most.get(event.change.subject, 0), open_now[event.change.subject])
        if isinstance(event, ChangeRestored):
            open_now[event.change.subject] -= 1

    run = run_in_memory(commit_plan(blocks=2), watch=watch)
    assert len(run.trials) == 6
    assert set(most) == {"tables in Orders", "mode of AG1 at SQL-B", "flag 9592"}
    assert set(most.values()) == {1}
    assert set(open_now.values()) == {0}
    run.assert_restored()


def test_arms_are_what_they_are_called() -> None:
    """While a trial inserts, mode and trace flag are those of its setting."""
    seen: dict[str, set[tuple[CommitMode, bool]]] = {}
    now = [""]

    def watch(_control: RunControl, event: RunEvent) -> None:
        now[0] = event.spec.setting.label() if hasattr(event, "spec") else now[0]

    def note(groups: MemoryGroups) -> None:
        flags = {flag for _server, flag in groups.discover().trace_flags}
        mode = groups.discover().groups[0].secondaries()[0].mode
        seen.setdefault(now[0], set()).add((mode, 9592 in flags))

    run_in_memory(commit_plan(blocks=2), watch=watch, on_insert=note)
    label = "availability_mode {}, log_stream_compression {}"
    assert seen == {
        label.format("async", "default"): {(CommitMode.ASYNCHRONOUS, False)},
        label.format("sync", "default"): {(CommitMode.SYNCHRONOUS, False)},
        label.format("sync", "on"): {(CommitMode.SYNCHRONOUS, True)},
    }


def test_two_groups_side_by_side_keep_their_modes() -> None:
    """Each mode is measured in its own group, and only trace flags and test tables are changed."""
    plan = commit_plan(
        group="AG1", sync_database="Copies", standalone_database="Alone", modes=("standalone", "async", "sync")
    )
    run = run_in_memory(plan, SIDE_BY_SIDE)
    changed = {event.change.subject for event in run.events if isinstance(event, ChangeApplied)}
    assert changed == {"tables in Orders", "tables in Copies", "tables in Alone", "flag 9592"}
    assert {t.status for t in run.trials} == {TrialStatus.USED}
    run.assert_restored()


def test_samples_tell_queues_waits_and_load() -> None:
    """The live plots have commit delay, queues, both waits, flow control, log and processors, with units."""
    run = run_in_memory(commit_plan())
    taken = [s for event in run.events if isinstance(event, SamplesTaken) for s in event.samples]
    units = {s.stream: s.unit for s in taken}
    assert units == {
        "commit delay": "ms",
        "log send queue": "MB",
        "redo queue": "MB",
        "HADR_SYNC_COMMIT waits": "share",
        "WRITELOG waits": "share",
        "flow control": "share",
        "log written": "MB/s",
        "SQL-A: processors": "share",
        "SQL-B: processors": "share",
    }
    assert all(0 <= event.progress <= 1 for event in run.events if isinstance(event, SamplesTaken))


def fail_over(groups: MemoryGroups) -> None:
    """Let the secondary become primary once a few inserts have run."""
    if groups.totals.get("inserts", 0.0) > 200:
        groups.primary = "SQL-B"


def test_a_failover_ends_the_run() -> None:
    """Another primary is noticed at the next reading; the run fails with a sentence and is put back."""
    run = run_in_memory(commit_plan(), on_insert=fail_over)
    assert run.end.status is RunStatus.FAILED
    assert run.end.reason == "AG1 failed over during the run: SQL-B is its primary now, SQL-A was when the run began"
    run.assert_restored()


def test_a_redo_queue_that_was_there_before_is_not_the_shape_s_own() -> None:
    """2 MB wait to be redone all the time: none of the shapes built that up."""
    run = run_in_memory(commit_plan())
    queues = [m.value for trial in run.trials for m in trial.measurements if m.metric == "redo_queue"]
    assert queues
    assert set(queues) == {0.0}


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits.of(commit_delay_ms=0.5), "mean commit delay reached"),
        (Limits.of(send_queue_mb=0.1), "log not yet sent to the secondary reached 0.131072 MB"),
        (Limits.of(redo_queue_mb=1.0), "log not yet redone at the secondary reached 2.09715 MB"),
        (Limits.of(log_used_share=0.05), "used share of the database's log reached 0.1, the plan's limit is 0.05"),
        (Limits.of(free_disk_gb=200.0), "free disk fell to 100.00 GB"),
        (Limits.of(trial_duration_s=1.0), "duration of the trial reached"),
    ],
)
def test_an_abort_rule_ends_the_run(limits: Limits, reason: str) -> None:
    """Each limit ends the trial with its number and unit, and everything is put back."""
    run = run_in_memory(commit_plan(limits=limits))
    assert run.end.status is RunStatus.ABORTED
    assert reason in run.end.reason
    assert run.trials[-1].status is TrialStatus.ABORTED
    run.assert_restored()


def _cancel_at(step: str) -> Callable[[RunControl, RunEvent], None]:
    def watch(control: RunControl, event: RunEvent) -> None:
        if isinstance(event, StepStarted) and step in event.text:
            control.cancel()

    return watch


@pytest.mark.parametrize(
    "step", ["Create the test tables", "commit asynchronously", "compress", "caught up", "Measure"]
)
def test_a_cancel_at_any_step_is_restored(step: str) -> None:
    """The run says it was cancelled, and everything is put back."""
    run = run_in_memory(commit_plan(), watch=_cancel_at(step))
    assert run.end.status is RunStatus.CANCELLED
    run.assert_restored()


@pytest.mark.parametrize("change", [1, 2, 3])
def test_a_connection_lost_at_any_change_is_restored(change: int) -> None:
    """A change that was made while the connection broke is undone as well."""
    run = run_in_memory(commit_plan(), lose_at=change)
    assert run.end.status is RunStatus.FAILED
    run.assert_restored()


def test_a_stream_still_compressed_is_not_taken_for_an_uncompressed_one() -> None:
    """Where the bytes sent show compression although the arm has none, the trial is kept and not used."""

    class Sticky(MemoryGroups):
        def _compresses(self, is_sync: bool) -> bool:
            return True

    run = run_in_memory(commit_plan(), make=Sticky)
    by_compression = {str(t.setting): t for t in run.trials if t.setting["availability_mode"] == "sync"}
    unused = [t for t in by_compression.values() if t.status is TrialStatus.NOT_USED]
    assert [t.setting["log_stream_compression"] for t in unused] == ["default"]
    assert unused[0].failed_checks == ("the log stream was still compressed: 30\u00a0% of the log's bytes were sent",)


def test_a_run_needs_its_group() -> None:
    """What the site lacks is told before anything is touched."""
    with pytest.raises(BadInput, match="no availability group AG9"):
        run_in_memory(commit_plan(group="AG9"))
