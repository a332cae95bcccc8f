"""Groups that somebody else built: looked at as they are, an experiment where one can be, and everything put back."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.events import RunStatus, TrialFinished
from app.domain.load import Load
from app.domain.measurement import TrialStatus
from app.domain.plan import Plan
from app.domain.rights import Mode
from app.services.look.doctor import target_health
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking
from app.services.plan.checking import prepare_run
from app.systems.availability_groups.observing import observe_groups
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.views.discovered import discovered_lines
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.labs import lab_file, open_lab
from tests.shipped_rules import ADVISOR

SCENARIO = "on-site-group"


def plan_for(group: str, database: str) -> Plan:
    """Return a small plan of the commit mode about one group."""
    plan = small_plan(FAMILIES["commit_mode"])
    load = {**plan.load, "group": group, "database": database, "secondary": "SQLNODE2"}
    return replace(plan, load=Load.from_mapping(load))


def test_every_kind_of_group_is_discovered() -> None:
    """No server is looked for under the name of a group, and a listener at the own address hinders nothing."""
    topology = group_ports(open_lab(SCENARIO)).groups.discover()
    assert [group.name for group in topology.groups] == ["AG_ASYNC", "AG_CONTAINED", "AG_SYNC", "AG_WORLD"]
    assert {server for server, _why in topology.unreachable} == {"SQLNODE3", "WITNESS1"}
    assert topology.opened_through == ""
    (said,) = topology.cautions()
    assert said.startswith("AG_WORLD is a distributed group, whose replicas are the groups AG_SYNC, AG_FAR")


def test_a_look_names_what_is_suspended_first() -> None:
    """Before the secondaries that do not synchronize because they are off."""
    seen = observe_groups(open_lab(SCENARIO), Looking(ADVISOR, LookCost(), watch_s=5.0))
    assert seen is not None
    assert next(finding.title for finding in seen.findings) == "Data movement is suspended: Archive at SQLNODE2"
    assert not any("AG_WORLD" in sentence and "connect to its primary" in sentence for sentence in seen.unread)


@pytest.mark.parametrize(("group", "database"), [("AG_SYNC", "LoadSync"), ("AG_ASYNC", "LoadAsync")])
def test_an_experiment_runs_where_one_can_be(group: str, database: str) -> None:
    """Also in a group without a cluster and beside a replica that is off; the site comes out as before."""
    run = run_on_lab(FAMILIES["commit_mode"], plan_for(group, database), scenario=SCENARIO)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
    run.assert_restored()


@pytest.mark.parametrize(
    ("group", "says"), [("AG_CONTAINED", "is a contained group"), ("AG_WORLD", "is a distributed group")]
)
def test_kinds_of_groups_that_no_experiment_is_for_are_refused(group: str, says: str) -> None:
    """With the sentence that says what can be measured instead."""
    family = FAMILIES["commit_mode"]
    with pytest.raises(BadInput, match=says):
        prepare_run(plan_for(group, "LoadSync"), family, open_lab(SCENARIO), "plan.toml")


def test_a_replica_that_is_off_and_one_that_holds_nothing_need_no_right() -> None:
    """Experiments run beside them, so that no right is missing; that one gave no answer is told."""
    health = target_health(f"lab:{SCENARIO}", FAMILIES, build_program().parts.open_target)
    assert {right.server for right in health.rights.rights} == {"SQLNODE1", "SQLNODE2"}
    by_family = {experiment.family: experiment for experiment in health.experiments}
    for family in ("commit_mode", "seeding"):
        assert Mode.HANDS_ON in by_family[family].modes
        assert by_family[family].missing == ()
    assert any("SQLNODE3" in sentence for sentence in health.rights.unread)
    assert not any("WITNESS1" in sentence for sentence in health.rights.unread)


@pytest.mark.parametrize(("version", "writes"), [("16.0.4135.4", "TCP://sqlnode1.example:1433"), ("14.0.3456.2", "")])
def test_routing_of_reads_and_writes_is_read_where_the_release_has_it(
    tmp_path: Path, version: str, writes: str
) -> None:
    """Who may read at a secondary, and addresses that lead elsewhere; those for writes are there from 2019 on."""
    text = lab_file(SCENARIO).read_text(encoding="utf-8").replace("16.0.4135.4", version)
    path = tmp_path / "site.toml"
    path.write_text(text.replace(f'name = "{SCENARIO}"', 'name = "site"'), encoding="utf-8")
    topology = group_ports(open_lab(path)).groups.discover()
    group = topology.group_named("AG_SYNC")
    assert group is not None
    told = {one.server: (one.reads, one.reads_routed_to, one.writes_routed_to) for one in group.replicas}
    assert told["SQLNODE2"] == ("read_only", "TCP://sqlnode2.example:1433", "")
    assert told["SQLNODE1"] == ("no", "", writes)
    lines = "\n".join(discovered_lines(topology))
    assert "SQLNODE2 may be read by connections with read intent" in lines
    assert ("connections that write are routed there" in lines) == bool(writes)
