"""The fault matrix on Change Data Capture: at every statement of a session, on each kind of the client's own work."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.statement import Access
from app.domain.work_source import WorkSource
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.session import Place
from app.services.run.restoring import restore_all
from app.systems.change_data_capture.lab_server import PRIMARY
from tests.e2e import posed_lab
from tests.prove import wire_faults
from tests.prove.capture_session import BENCHES, PLANS, POSES, SOURCES
from tests.prove.group_faults import cases_of, reading_of, run_in_branches, stratum_of, thinned
from tests.prove.group_session import Kind, Mishap, run_session, write_plan
from tests.prove.shares import Share

# A failover takes the database to where the job of the run cannot be put back; it has a test of its own.
IN_PROCESS: list[Kind] = [kind for kind in Kind if not kind.kills and kind is not Kind.FAILOVER]
KILLS = [kind for kind in posed_lab.Kind if kind.kills]

Record = Callable[[str, object], None]


@pytest.mark.prove
@pytest.mark.parametrize("source", SOURCES)
def test_at_every_statement_the_job_comes_out_as_it_was(
    tmp_path: Path, source: WorkSource, share: Share, record_property: Record
) -> None:
    """It runs with the values it had and no mark is left, or the difference is listed and `restore` removes it."""
    cases = share.of_each(
        IN_PROCESS,
        lambda kind: thinned(cases_of(source, [kind], tmp_path, PLANS, BENCHES[source])),
        stratum_of,
        repeats=reading_of,
    )
    tally = run_in_branches(cases, tmp_path)
    print(f"cdc_capture ({source}), {share}: {tally}")
    record_property(f"cdc_capture ({source})", str(tally))
    assert tally.failures == ()


@pytest.mark.parametrize("source", SOURCES)
def test_a_few_changes_of_the_job_are_put_back(tmp_path: Path, source: WorkSource) -> None:
    """The same at the first and the last call of each changing statement, the kinds taking turns."""
    cases = [
        c for c in cases_of(source, IN_PROCESS, tmp_path, PLANS, BENCHES[source]) if c.call.access is Access.CHANGE
    ]
    first = {case.call.name: case.number for case in reversed(cases)}
    last = {case.call.name: case.number for case in cases}
    ends = sorted({*first.values(), *last.values()})
    turns = {(number, IN_PROCESS[turn % len(IN_PROCESS)]) for turn, number in enumerate(ends)}
    tally = run_in_branches([case for case in cases if (case.number, case.kind) in turns], tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(ends) >= 8


@pytest.mark.parametrize("statement", ["set_capture_job", "scan_log_once", "start_capture_job"])
def test_after_a_failover_the_job_is_told_of_and_put_back_where_it_is(tmp_path: Path, statement: str) -> None:
    """Its database is closed at the former primary, where its row and its process stand: once it is back, they are."""
    source = WorkSource.OWN_BACKLOG
    cases = cases_of(source, [Kind.FAILOVER], tmp_path, PLANS, BENCHES[source])
    case = [case for case in cases if case.call.name == statement][-1]
    bench = BENCHES[source]()
    before = bench.lab.truth()
    bench.lab.mishap = Mishap(case.number, case.kind)
    ended = run_session(bench, case.plan, tmp_path)
    assert ended.not_restored
    journal = tmp_path / "undo.journal"
    told = restore_all(journal, bench.open, lambda _change: None)
    assert "closed to connections at CDC1" in told.problems[0]
    bench.lab.meet(FaultKind.FAILOVER, Place(PRIMARY, "master"), {})
    assert restore_all(journal, bench.open, lambda _change: None).problems == ()
    assert bench.lab.truth() == before


@pytest.mark.prove
@pytest.mark.parametrize("kind", KILLS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("source", SOURCES)
def test_killed_at_every_statement_the_job_is_restored(
    tmp_path: Path, source: WorkSource, kind: posed_lab.Kind, share: Share, record_property: Record
) -> None:
    """Signal 9, the lab in a process of its own: `restore` finds and removes what is left."""
    pose = POSES[source]
    cases = thinned(wire_faults.cases_of(write_plan(tmp_path, source, PLANS), [kind], pose=pose))
    mine = share.of(cases, wire_faults.stratum_of, KILLS.index(kind), repeats=wire_faults.reading_of)
    tally = wire_faults.run_cases(mine, tmp_path, pose)
    print(f"cdc_capture ({source}), {kind.value}, {share}: {tally}")
    record_property(f"cdc_capture ({source}), {kind.value}", str(tally))
    assert tally.failures == ()
    assert tally.left_open > 0 or share.part is not None  # a part may hold one case, after the last undo


def test_killed_in_mid_run_the_job_is_restored(tmp_path: Path) -> None:
    """After it was stopped, in a backlog's single scans, and while it is put back."""
    pose = POSES[WorkSource.OWN_BACKLOG]
    plan = write_plan(tmp_path, WorkSource.OWN_BACKLOG, PLANS)
    cases = wire_faults.cases_of(plan, [posed_lab.Kind.KILLED_AFTER], pose=pose)
    named = ("stop_capture_job", "scan_log_once", "set_capture_job")
    last = {case.call.name: case for case in cases if case.call.name in named}
    tally = wire_faults.run_cases(list(last.values()), tmp_path, pose)
    assert tally.failures == ()
    assert tally.left_open == len(named)
