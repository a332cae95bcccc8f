"""The commit mode of a group is measured from whatever modes its replicas are found with, and these come back."""

from dataclasses import replace

import pytest

from app.domain.events import RunStatus
from app.domain.load import Load
from app.domain.measurement import TrialStatus
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting
from app.domain.target import Target
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.offer import group_ports
from tests.contract.families.lab_runs import FAMILIES, run_on_lab

_GROUPS = {"AG_ASYNC": "LoadAsync", "AG_SYNC": "LoadSync"}
_PRIMARY, _SECONDARY = "SQLNODE1", "SQLNODE2"
_BOTH = (CommitMode.ASYNCHRONOUS, CommitMode.SYNCHRONOUS)


def _plan_for(group: str) -> Plan:
    plan = FAMILIES["commit_mode"].default_plan()
    load: dict[str, PlanValue] = {
        "group": group,
        "database": _GROUPS[group],
        "secondary": _SECONDARY,
        "inserts": (10,),
        "rows_total": 200,
        "settle_s": 1.0,
    }
    return replace(
        plan,
        factors=(Factor("availability_mode", ("async", "sync")),),
        baseline=Setting.of(availability_mode="async"),
        design=Design(blocks=2, confirm_blocks=0, further_blocks=0),
        load=Load.from_mapping({**plan.load, **load}),
    )


def _give(target: Target, group: str, primary: CommitMode, secondary: CommitMode) -> Target:
    """Give the replicas of a group their modes, as its DBA once did."""
    groups = group_ports(target).groups
    for server, mode in ((_SECONDARY, CommitMode.ASYNCHRONOUS), (_PRIMARY, primary), (_SECONDARY, secondary)):
        known = groups.discover().group_named(group)
        assert known is not None
        for change in groups.plan_mode(known, server, mode):
            if change.detail("replica") == server:
                target.changes.apply(change)
    target.clock.sleep(60.0)  # what is synchronous is synchronized
    return target


@pytest.mark.parametrize("secondary", _BOTH)
@pytest.mark.parametrize("primary", _BOTH)
@pytest.mark.parametrize("group", _GROUPS)
def test_every_arm_is_measured_from_whatever_modes_are_found(
    group: str, primary: CommitMode, secondary: CommitMode
) -> None:
    """Also where the primary replica is asynchronous: commits wait in each synchronous arm and in no other."""
    run = run_on_lab(
        FAMILIES["commit_mode"],
        _plan_for(group),
        noise=False,
        wrap=lambda target: _give(target, group, primary, secondary),
    )
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert [trial.status for trial in run.trials] == [TrialStatus.USED] * 4
    for trial in run.trials:
        waits = "sync_commit_wait" in {measured.metric for measured in trial.measurements}
        assert waits is (trial.setting["availability_mode"] == "sync")
    run.assert_restored()
