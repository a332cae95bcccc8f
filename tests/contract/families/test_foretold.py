"""A dry run lists what a run does: of every family, nothing is changed that nobody was told of."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.domain.change import Change
from app.domain.family import ExperimentFamily
from app.domain.load import Load
from app.domain.plan import Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.rig import PREVIEW_OWNER
from app.domain.setting import Setting
from app.services.plan.completing import read_site
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import CASE_IDS, CASES, FAMILIES, open_lab_of, run_on_lab, small_plan


@pytest.mark.parametrize(("name", "scenario"), CASES, ids=CASE_IDS)
def test_every_change_of_a_run_was_listed_before(name: str, scenario: Scenario) -> None:
    """Each thing that is changed stands in the list with the value it gets, and nothing that stays as it is."""
    _assert_foretold(FAMILIES[name], small_plan(FAMILIES[name], scenario))


# Its values count from the next start of a capture process, which a run brings about by another change.
RESTARTING = "_SGA_SIZE"

# Earlier servers do not know these; the group there has another name, and works by itself.
LABS_OF = dict.fromkeys(("group_commit_time", "backup_compression"), "ag-2025")
LOADS_OF: Mapping[str, Mapping[str, PlanValue]] = {
    "group_commit_time": {
        "source": "own_traffic",
        "window_s": 60.0,
        "settle_s": 0.0,
        "group": "AG_ORDERS",
        "database": "Orders",
        "secondary": "",
    }
}

PARAMETERS = [
    pytest.param(name, parameter.name, id=f"{name}-{parameter.name}", marks=() if is_quick else pytest.mark.prove)
    for name, family in FAMILIES.items()
    for parameter in family.parameters
    for is_quick in [parameter.name == RESTARTING]
    if parameter.name not in [factor.name for factor in small_plan(family).factors]
]


@pytest.mark.parametrize(("name", "varied"), PARAMETERS)
def test_every_change_for_a_parameter_was_listed_before(name: str, varied: str) -> None:
    """So it is whichever parameter is varied, with what must be restarted for it."""
    family = FAMILIES[name]
    levels = next(parameter.levels for parameter in family.parameters if parameter.name == varied)[:2]
    baseline = Setting.from_mapping({varied: levels[0]})
    small = small_plan(family)
    load = Load.from_mapping({**small.load, **LOADS_OF.get(varied, {})})
    plan = replace(small, factors=(Factor(varied, levels),), baseline=baseline, load=load)
    _assert_foretold(family, plan, LABS_OF.get(varied, ""))


def _assert_foretold(family: ExperimentFamily, plan: Plan, lab: str = "") -> None:
    target = open_lab_of(family.subject, lambda _record: None, lab=lab, noise=False)
    rig = family.system.rig_kind(family.subject)
    site = rig.complete_site(plan, read_site(target, family), target)
    planned = rig.planned_changes(rig.complete_plan(plan, site), family, site, target)
    run = run_on_lab(family, plan, scenario=lab, noise=False)
    listed = {_without(str(PREVIEW_OWNER), change) for change in planned}
    made = {_without("S1", entry.change) for entry in run.journal.entries.values()}
    assert made <= listed
    # of a value in effect that others are set over in between, only the order of trials tells whether it is set
    assert {(kind, subject) for kind, subject, _new in made} == {(kind, subject) for kind, subject, _new in listed}


def _without(owner: str, change: Change) -> tuple[str, str, str]:
    """Return what a change is of and makes, without the name of the session that makes it."""
    return change.kind, change.subject.replace(owner, "*"), change.new.replace(owner, "*")
