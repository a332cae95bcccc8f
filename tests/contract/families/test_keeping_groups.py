"""Keeping a commit mode on the client's own load: the whole of it stands, or the group commits as it was found."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.domain.change import Keep
from app.domain.plan import Factor
from app.domain.setting import Setting
from app.domain.work_source import WorkSource
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.lab.scenario_file import shipped_scenarios
from app.runner.keeping import KeepEnded
from app.runner.undo.restore import restore_entries
from app.services.plan.completing import read_site
from app.systems.availability_groups.groups import COMMIT_TIME, CommitMode
from app.systems.availability_groups.offer import group_ports
from tests.contract.families.lab_runs import FAMILIES, LabRun, open_lab_of
from tests.contract.families.own_work import own_plan
from tests.contract.families.test_keeping import assert_nothing_left, keep

FAMILY = FAMILIES["commit_mode"]
BUSY = shipped_scenarios()["ag-busy"]
ASYNC: Final = Setting.of(availability_mode="async")


def _keep(
    setting: Setting = ASYNC, scenario: Path = BUSY, how: Keep = Keep.FOR_GOOD, **more: object
) -> tuple[KeepEnded, LabRun]:
    source = WorkSource.OWN_TRAFFIC
    return keep(scenario, how, "commit_mode", setting, source=source, **more)  # type: ignore[arg-type]  # as `keep` has them


def _modes(run: LabRun) -> dict[str, tuple[CommitMode, str]]:
    (group,) = group_ports(run.target).groups.discover().groups
    return {replica.server: (replica.mode, replica.failover_mode) for replica in group.replicas}


def test_a_kept_mode_stands_until_it_is_undone_by_its_name() -> None:
    """The secondary no longer holds a commit up; the journal says of each change that it is kept."""
    ended, run = _keep()
    assert (ended.is_kept, ended.is_complete) == (True, True), ended.reason
    assert _modes(run)["SQLNODE2"] == (CommitMode.ASYNCHRONOUS, "manual")
    entries = run.journal.open_entries()
    assert entries
    assert all(entry.is_kept for entry in entries)
    assert restore_entries(run.target, run.journal, entries, lambda _change: None) == ()
    assert_nothing_left(ended, run, "undone by its name")


def test_compression_is_kept_with_its_mode() -> None:
    """Trace flags stand, and the group goes on committing as it was found."""
    wanted = Setting.of(availability_mode="sync", log_stream_compression="on")
    ended, run = _keep(wanted)
    assert ended.is_kept, ended.reason
    found = group_ports(run.target).groups.discover()
    assert found.trace_flags == (("SQLNODE1", 9592),)
    assert {mode for mode, _failover in _modes(run).values()} == {CommitMode.SYNCHRONOUS}
    assert restore_entries(run.target, run.journal, run.journal.open_entries(), lambda _change: None) == ()
    assert_nothing_left(ended, run, "undone by its name")


def test_a_commit_time_that_somebody_set_since_stays_and_is_told() -> None:
    """Undoing leaves it, says what stands there now, and leaves nothing of this session open."""
    ended, run = _keep(Setting.of(group_commit_time=1), shipped_scenarios()["ag-2025"])
    assert ended.is_kept, ended.reason
    home = group_ports(run.target).groups.discover().connected_to
    for change in group_ports(run.target).groups.plan_commit_time(home, 5):
        run.target.changes.apply(change)
    told: list[str] = []
    entries = run.journal.open_entries()
    problems = restore_entries(
        run.target, run.journal, entries, lambda _change: None, lambda _change, why: told.append(why)
    )
    assert problems == ()
    assert run.journal.open_entries() == ()
    assert any("5" in why for why in told), told
    option = group_ports(run.target).groups.discover().option(home, COMMIT_TIME)
    assert option is not None
    assert option.in_use == 5


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.LOST_AFTER])
@pytest.mark.parametrize("statement", ["set_availability_mode", "set_failover_mode", "set_trace_flag", "replica_mode"])
def test_a_fault_leaves_no_mode_half_kept(statement: str, kind: FaultKind) -> None:
    """Whichever statement fails, the group commits as it was found, or with the whole of what is kept."""
    wanted = Setting.of(availability_mode="async", log_stream_compression="off")
    ended, run = _keep(wanted, faults=(Fault(statement, 1, kind),))
    if ended.is_kept:
        assert all(entry.is_kept for entry in run.journal.open_entries())
        return
    assert_nothing_left(ended, run, f"{kind} at {statement}")


def _found(levels: tuple[str, ...], scenario: Path = BUSY) -> Setting | None:
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=scenario, noise=False)
    plan = own_plan(FAMILY, WorkSource.OWN_TRAFFIC)
    plan = replace(plan, factors=(Factor("availability_mode", levels),))
    site = read_site(target, FAMILY)
    rig = FAMILY.system.rig_kind(FAMILY.subject)
    return FAMILY.in_effect(rig.complete_plan(plan, site), site)


def test_what_is_found_is_the_mode_of_the_replicas(tmp_path: Path) -> None:
    """Whatever a plan calls its baseline: a synchronous secondary behind an asynchronous primary holds nothing up."""
    assert _found(("async", "sync")) == Setting.of(availability_mode="sync")
    text = BUSY.read_text(encoding="utf-8")
    path = tmp_path / "open.toml"
    text = re.sub(
        r'(server = "SQLNODE1"\n)availability_mode = "SYNCHRONOUS_COMMIT"\nfailover_mode = "AUTOMATIC"',
        r'\1availability_mode = "ASYNCHRONOUS_COMMIT"\nfailover_mode = "MANUAL"',
        text,
    )
    path.write_text(text, encoding="utf-8")
    assert _found(("async", "sync"), path) == ASYNC


def test_the_time_without_protection_has_no_end_of_its_own() -> None:
    """What is agreed to for an asynchronous mode; a synchronous one asks for nothing further."""
    plan = own_plan(FAMILY, WorkSource.OWN_TRAFFIC)
    risk = FAMILY.kept_risk(replace(plan, load=plan.load.but(group="AG_ORDERS")), ASYNC)
    assert "commits of AG_ORDERS wait for no secondary" in risk
    assert "a failover may lose data that was committed" in risk
    assert FAMILY.kept_risk(plan, Setting.of(availability_mode="sync")) == ""
    flags = FAMILY.kept_risk(plan, Setting.of(availability_mode="sync", log_stream_compression="on"))
    assert "A restart of the primary ends" in flags
