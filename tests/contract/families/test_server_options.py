"""A server option is varied and put back, whatever happens while it is set; what others left pending is not touched."""

from dataclasses import replace
from typing import Final

import pytest

from app.domain.errors import BadInput, TargetError
from app.domain.events import RunStatus
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.services.plan.checking import prepare_run
from app.systems.availability_groups.groups import COMMIT_TIME, SHOW_ADVANCED, ServerOption
from app.systems.availability_groups.offer import group_ports
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab
from tests.labs import lab_behind, open_lab

FAMILY: Final = FAMILIES["commit_mode"]
LAB: Final = "ag-2025"


def plan() -> Plan:
    """Return two times over windows of the client's own load."""
    usual = FAMILY.default_plan()
    return replace(
        usual,
        factors=(Factor("group_commit_time", (0, 1)),),
        baseline=Setting.of(group_commit_time=0),
        design=Design(blocks=2, confirm_blocks=0, further_blocks=0),
        load=usual.load.but(source="own_traffic", window_s=60.0, settle_s=0.0, group="AG_ORDERS", database="Orders"),
    )


def _run(*faults: Fault) -> LabRun:
    return run_on_lab(FAMILY, plan(), scenario=LAB, faults=faults)


def test_it_is_shown_only_while_it_is_set() -> None:
    """Each trial that sets it first lets it be set; both are back at the end, and the group stayed synchronous."""
    run = _run()
    run.assert_restored("a run to its end")
    assert run.end.status is RunStatus.SUCCEEDED
    kinds = [entry.change.detail("option") for entry in run.journal.entries.values()]
    assert kinds[:2] == [SHOW_ADVANCED, COMMIT_TIME]
    assert set(kinds) == {SHOW_ADVANCED, COMMIT_TIME}


@pytest.mark.parametrize("call", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "kind", [FaultKind.TIMEOUT, FaultKind.LOST_BEFORE, FaultKind.LOST_AFTER, FaultKind.EXECUTED_LATE]
)
def test_whatever_ends_the_run_there_both_are_put_back(kind: FaultKind, call: int) -> None:
    """Ahead of each set of a run, those that put back among them."""
    _run(Fault("set_server_option", call, kind)).assert_restored(f"{kind} at {call}")


def test_what_somebody_set_and_did_not_put_into_effect_is_told_before_the_run() -> None:
    """RECONFIGURE would put it into effect: the run is refused with its name."""
    target = open_lab(LAB)
    lab, groups = lab_behind(target), group_ports(target).groups
    usual = lab.answers["server_options"]
    lab.answers["server_options"] = lambda *asked: [*usual(*asked), ("max degree of parallelism", 4, 8, 0, 32_767)]
    assert ServerOption("max degree of parallelism", 4, 8, 0, 32_767) in [o for _s, o in groups.discover().options]
    with pytest.raises(BadInput, match=r"No server option waits for RECONFIGURE” – .* max degree of parallelism"):
        prepare_run(plan(), FAMILY, target, "plan.toml")


def test_a_value_somebody_else_set_meanwhile_stays() -> None:
    """Neither the original nor the run's own: it is told, and left."""
    target = open_lab(LAB)
    lab, groups = lab_behind(target), group_ports(target).groups
    changes = tuple(groups.plan_commit_time("SQLNODE1", 1))
    for change in changes:
        target.changes.apply(change)
    lab.state.lab.set_option("SQLNODE1", COMMIT_TIME, 5)
    with pytest.raises(TargetError, match="changed to"):
        target.changes.undo(changes[-1])
    assert lab.state.lab.options("SQLNODE1")[COMMIT_TIME] == 5
