"""The fault matrix on Oracle Streams: at every statement of a session, at either database, all that can go wrong."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from app.domain.statement import Access
from tests.prove.group_faults import Case, Tally, cases_of, reading_of, run_in_branches, stratum_of, thinned
from tests.prove.group_session import Bench, Kind
from tests.prove.shares import Share
from tests.prove.streams_session import KINDS, OWN_WORK_PLANS, PLANS, PosedStreams, StreamsBench
from tests.writers import streams_incident

Record = Callable[[str, object], None]


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("plan", sorted(PLANS))
def test_at_every_statement_the_databases_come_out_as_they_were(
    tmp_path: Path, plan: str, share: Share, record_property: Record
) -> None:
    """Both databases equal their state before, or the difference is listed and `restore` removes it."""
    tally = _all_kinds(plan, tmp_path, share, PLANS, StreamsBench)
    print(f"streams_apply ({plan}), {share}: {tally}")
    record_property(f"streams_apply ({plan})", str(tally))
    assert tally.failures == ()


@pytest.mark.prove
@pytest.mark.parametrize("plan", sorted(PLANS))
def test_at_every_change_the_databases_come_out_as_they_were(tmp_path: Path, plan: str, share: Share) -> None:
    """The same at every changing statement, the kinds taking turns."""
    cases = _one_kind_each(cases_of(plan, KINDS, tmp_path, PLANS, StreamsBench))
    assert len(cases) > 10
    tally = run_in_branches(share.of(cases, stratum_of), tmp_path)
    assert tally.failures == ()


# What the everyday tests disturb: what must be started again, ended, or put back at either end.
_FEW = {"apply": ("set_apply_parameter", "stop_apply", "trace_on"), "capture": ("set_propagation_latency",)}


@pytest.mark.parametrize("plan", sorted(PLANS))
def test_a_few_changes_are_put_back_whatever_goes_wrong_at_them(tmp_path: Path, plan: str) -> None:
    """The same at the last call of a few changing statements, each answered by a lost connection after it ran."""
    cases = cases_of(plan, [Kind.LOST_AFTER], tmp_path, PLANS, StreamsBench)
    last = {case.call.name: case for case in cases if case.call.name in _FEW[plan]}
    tally = run_in_branches(list(last.values()), tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(_FEW[plan])


@pytest.mark.parametrize("kind", [Kind.LATE, Kind.TOO_LATE], ids=lambda kind: kind.name.lower())
def test_a_change_that_arrives_late_is_put_back_or_told(tmp_path: Path, kind: Kind) -> None:
    """The same at the first call of a few changing statements, each carried out when nobody waits for it any more."""
    cases = cases_of("capture", [kind], tmp_path, PLANS, StreamsBench)
    first = {case.call.name: case for case in reversed(cases)}
    restarting = [case for case in cases if case.call.name == "set_capture_parameter"][-1]  # while it is put back
    tally = run_in_branches([first["set_propagation_latency"], first["create_load_table"], restarting], tmp_path)
    assert tally.failures == ()
    assert tally.left_open == (3 if kind is Kind.TOO_LATE else 0)


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("source", OWN_WORK_PLANS)
def test_on_the_clients_own_work_the_apply_process_runs_again(
    tmp_path: Path, source: str, share: Share, record_property: Record
) -> None:
    """The same in windows and while it is held, while the client's applications write."""
    tally = _all_kinds(source, tmp_path, share, OWN_WORK_PLANS, _bench_on_own_work(tmp_path, source))
    record_property(f"streams_apply ({source})", str(tally))
    assert tally.failures == ()


@pytest.mark.parametrize("source", OWN_WORK_PLANS)
def test_a_few_changes_on_the_clients_own_work_are_put_back(tmp_path: Path, source: str) -> None:
    """The same at the last call of each changing statement of a window, and at its last reading."""
    cases = cases_of(
        source, [Kind.LOST_AFTER, Kind.STAYS_LOST], tmp_path, OWN_WORK_PLANS, _bench_on_own_work(tmp_path, source)
    )
    named = {"set_apply_parameter", "start_apply", "stop_apply", "sample_streams"}
    last = {(case.call.name, case.kind): case for case in cases if case.call.name in named}
    tally = run_in_branches(list(last.values()), tmp_path)
    assert tally.failures == ()
    assert tally.cases == 7  # a reading has no "after"


def _all_kinds(
    plan: str, folder: Path, share: Share, plans: Mapping[str, str], make_bench: Callable[[], Bench]
) -> Tally:
    """Let all kinds of faults happen in branches of one session, each at this share of its statements."""
    cases = share.of_each(
        KINDS,
        lambda kind: thinned(cases_of(plan, [kind], folder, plans, make_bench)),
        stratum_of,
        repeats=reading_of,
    )
    return run_in_branches(cases, folder)


def _bench_on_own_work(folder: Path, source: str) -> Callable[[], StreamsBench]:
    site = streams_incident(folder, outage_h=0.1 if source == "own_backlog" else 0.01)
    return lambda: StreamsBench(PosedStreams(site))


def _one_kind_each(cases: Sequence[Case]) -> list[Case]:
    """Return the cases at changing statements, of each the one whose turn it is."""
    changing = sorted({case.number for case in cases if case.call.access is Access.CHANGE})
    turns = {(number, KINDS[turn % len(KINDS)]) for turn, number in enumerate(changing)}
    return [case for case in cases if (case.number, case.kind) in turns]
