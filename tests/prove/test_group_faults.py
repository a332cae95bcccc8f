"""The fault matrix on availability groups: at every statement of a session, one at a time, all that can go wrong."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from app.domain.statement import Access
from app.systems.availability_groups.lab.scenario import availability_scenario_path
from tests.e2e import posed_lab
from tests.e2e.posed_lab import Pose
from tests.prove import wire_faults
from tests.prove.group_faults import Tally, cases_of, reading_of, run_in_branches, stratum_of
from tests.prove.group_session import (
    COMMIT_TIME_LAB,
    COMMIT_TIME_PLANS,
    ON_SITE,
    OWN_LOAD_PLANS,
    PLANS,
    Bench,
    GroupBench,
    Kind,
    commit_time_bench,
    on_site_bench,
    pose_groups,
    write_plan,
)
from tests.prove.shares import Share

IN_PROCESS: list[Kind] = [kind for kind in Kind if not kind.kills]
OWN_LOAD = "commit_mode_on_own_load"
COMMIT_TIME = "commit_time"
KILLS = [kind for kind in posed_lab.Kind if kind.kills]
SERVED = Pose(build=pose_groups, home="SQLNODE1", noise=False)
SERVED_2025 = Pose(availability_scenario_path(COMMIT_TIME_LAB), build=pose_groups, home="SQLNODE1", noise=False)
SERVED_ON_SITE = Pose(availability_scenario_path(ON_SITE), build=pose_groups, home="SQLNODE1", noise=False)

Record = Callable[[str, object], None]


@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(PLANS))
def test_at_every_statement_the_servers_come_out_as_they_were(
    tmp_path: Path, family: str, share: Share, record_property: Record
) -> None:
    """The state afterwards equals the one before, or the difference is listed at next start and `restore` undoes it."""
    tally = _all_kinds(family, tmp_path, share)
    print(f"{family}, {share}: {tally}")
    record_property(family, str(tally))
    assert tally.failures == ()


@pytest.mark.parametrize("family", sorted(PLANS))
def test_at_every_change_the_servers_come_out_as_they_were(tmp_path: Path, family: str) -> None:
    """The same at every changing statement, the kinds taking turns."""
    kinds = IN_PROCESS
    all_cases = cases_of(family, kinds, tmp_path)
    changing = sorted({case.number for case in all_cases if case.call.access is Access.CHANGE})
    chosen = {(number, kinds[turn % len(kinds)]) for turn, number in enumerate(changing)}
    cases = [case for case in all_cases if (case.number, case.kind) in chosen]
    tally = run_in_branches(cases, tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(changing) > 20


@pytest.mark.prove
@pytest.mark.parametrize("kind", KILLS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("family", sorted(PLANS))
def test_killed_at_every_statement_the_servers_are_restored(
    tmp_path: Path, family: str, kind: posed_lab.Kind, share: Share, record_property: Record
) -> None:
    """Signal 9 at every statement, the lab in a process of its own: `restore` finds and removes what is left."""
    tally = _kill_everywhere(family, kind, tmp_path, share, SERVED)
    print(f"{family}, {kind.value}, {share}: {tally}")
    record_property(f"{family}, {kind.value}", str(tally))
    assert tally.failures == ()
    assert tally.left_open * share.parts > 10


@pytest.mark.parametrize("family", sorted(PLANS))
def test_killed_in_mid_run_the_servers_are_restored(tmp_path: Path, family: str) -> None:
    """The same at a few statements: early, in the middle, and while restoring."""
    tally = _kill_at(write_plan(tmp_path, family), tmp_path, (0.1, 0.5, 0.9))
    assert tally.failures == ()
    assert tally.left_open == tally.cases


@pytest.mark.prove
def test_on_the_clients_own_load_the_servers_come_out_as_they_were(
    tmp_path: Path, share: Share, record_property: Record
) -> None:
    """At every statement of a session that writes nothing and switches the mode."""
    tally = _all_kinds(OWN_LOAD, tmp_path, share, OWN_LOAD_PLANS)
    record_property(OWN_LOAD, str(tally))
    assert tally.failures == ()


def test_on_the_clients_own_load_every_change_is_put_back(tmp_path: Path) -> None:
    """The same at every changing statement, the kinds taking turns."""
    all_cases = cases_of(OWN_LOAD, IN_PROCESS, tmp_path, OWN_LOAD_PLANS)
    changing = sorted({case.number for case in all_cases if case.call.access is Access.CHANGE})
    turns = {(number, IN_PROCESS[turn % len(IN_PROCESS)]) for turn, number in enumerate(changing)}
    tally = run_in_branches([case for case in all_cases if (case.number, case.kind) in turns], tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(changing) >= 4


def test_killed_on_the_clients_own_load_the_servers_are_restored(tmp_path: Path) -> None:
    """Early, in a window without protection, and while restoring."""
    tally = _kill_at(write_plan(tmp_path, OWN_LOAD, OWN_LOAD_PLANS), tmp_path, (0.1, 0.6, 0.9))
    assert tally.failures == ()
    assert tally.left_open > 0


@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(PLANS))
def test_on_site_the_servers_come_out_as_they_were(
    tmp_path: Path, family: str, share: Share, record_property: Record
) -> None:
    """At every statement, in a group without a cluster and with a witness, beside a server that is off."""
    tally = _all_kinds(family, tmp_path, share, make_bench=on_site_bench)
    print(f"{ON_SITE}, {family}, {share}: {tally}")
    record_property(f"{ON_SITE}, {family}", str(tally))
    assert tally.failures == ()


@pytest.mark.parametrize("family", sorted(PLANS))
def test_on_site_every_change_is_put_back(tmp_path: Path, family: str) -> None:
    """The same at every changing statement, the kinds taking turns."""
    all_cases = cases_of(family, IN_PROCESS, tmp_path, make_bench=on_site_bench)
    changing = sorted({case.number for case in all_cases if case.call.access is Access.CHANGE})
    turns = {(number, IN_PROCESS[turn % len(IN_PROCESS)]) for turn, number in enumerate(changing)}
    tally = run_in_branches([case for case in all_cases if (case.number, case.kind) in turns], tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(changing) > 20


@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(PLANS))
def test_places_on_site_are_the_same_through_every_driver(family: str) -> None:
    """Each waits for a server that is off in its own way; a place is told by one of them and met through another."""
    sent = [wire_faults.sent_of(PLANS[family], SERVED_ON_SITE, driver) for driver in wire_faults.installed_drivers()]
    assert len(sent) > 1
    assert len(set(sent)) == 1


@pytest.mark.prove
@pytest.mark.parametrize("kind", KILLS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("family", sorted(PLANS))
def test_killed_on_site_the_servers_are_restored(
    tmp_path: Path, family: str, kind: posed_lab.Kind, share: Share, record_property: Record
) -> None:
    """Signal 9 at every statement there, over TDS."""
    tally = _kill_everywhere(family, kind, tmp_path, share, SERVED_ON_SITE)
    record_property(f"{ON_SITE}, {family}, {kind.value}", str(tally))
    assert tally.failures == ()
    assert tally.left_open > 0 or share.part is not None  # a part may hold one case, after the last undo


@pytest.mark.prove
def test_options_of_the_instances_come_out_as_they_were(tmp_path: Path, share: Share, record_property: Record) -> None:
    """At every statement of a session that sets for how long commits are grouped."""
    tally = _all_kinds(COMMIT_TIME, tmp_path, share, COMMIT_TIME_PLANS, commit_time_bench)
    record_property(COMMIT_TIME, str(tally))
    assert tally.failures == ()


def test_every_change_of_an_option_is_put_back(tmp_path: Path) -> None:
    """Each kind at one of the few changing statements, in turn."""
    all_cases = cases_of(COMMIT_TIME, IN_PROCESS, tmp_path, COMMIT_TIME_PLANS, commit_time_bench)
    changing = sorted({case.number for case in all_cases if case.call.access is Access.CHANGE})
    assert len(changing) == 4  # two options, set and put back
    turns = {(changing[turn % len(changing)], kind) for turn, kind in enumerate(IN_PROCESS)}
    tally = run_in_branches([case for case in all_cases if (case.number, case.kind) in turns], tmp_path)
    assert tally.failures == ()
    assert tally.cases == len(IN_PROCESS)


@pytest.mark.prove
@pytest.mark.parametrize("kind", KILLS, ids=lambda kind: kind.name.lower())
def test_killed_while_options_are_set_they_are_restored(
    tmp_path: Path, kind: posed_lab.Kind, share: Share, record_property: Record
) -> None:
    """Signal 9 at every statement there, over TDS."""
    tally = _kill_everywhere(COMMIT_TIME, kind, tmp_path, share, SERVED_2025, COMMIT_TIME_PLANS)
    record_property(f"{COMMIT_TIME}, {kind.value}", str(tally))
    assert tally.failures == ()
    assert tally.left_open > 0 or share.part is not None  # a part may hold one case, after the last undo


def _all_kinds(
    name: str,
    folder: Path,
    share: Share,
    plans: Mapping[str, str] = PLANS,
    make_bench: Callable[[], Bench] = GroupBench,
) -> Tally:
    """Let all kinds of faults happen in branches of one session, each at this share of its statements."""
    cases = share.of_each(
        IN_PROCESS,
        lambda kind: cases_of(name, [kind], folder, plans, make_bench),
        stratum_of,
        repeats=reading_of,
    )
    return run_in_branches(cases, folder)


def _kill_everywhere(
    name: str,
    kind: posed_lab.Kind,
    folder: Path,
    share: Share,
    pose: Pose,
    plans: Mapping[str, str] = PLANS,
) -> wire_faults.Tally:
    """Kill a session at this share of its statements as they are sent over TDS, where connecting sends some, too."""
    cases = wire_faults.cases_of(write_plan(folder, name, plans), [kind], pose=pose)
    mine = share.of(cases, wire_faults.stratum_of, KILLS.index(kind), repeats=wire_faults.reading_of)
    return wire_faults.run_cases(mine, folder, pose)


def _kill_at(plan: Path, folder: Path, shares: tuple[float, ...]) -> wire_faults.Tally:
    """Kill a session after a few of its changes, told by the share of all that come before."""
    cases = wire_faults.cases_of(plan, [posed_lab.Kind.KILLED_AFTER], pose=SERVED)
    return wire_faults.run_cases([cases[int(len(cases) * share)] for share in shares], folder, SERVED)
