"""A dry run lists what a run does: of every family, nothing is changed that nobody was told of."""

import pytest

from app.domain.change import Change
from app.domain.rig import PREVIEW_OWNER
from app.services.plan.completing import read_site
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import CASE_IDS, CASES, FAMILIES, open_lab_of, run_on_lab, small_plan


@pytest.mark.parametrize(("name", "scenario"), CASES, ids=CASE_IDS)
def test_every_change_of_a_run_was_listed_before(name: str, scenario: Scenario) -> None:
    """Each thing that is changed stands in the list with the value it gets, and nothing that stays as it is."""
    family = FAMILIES[name]
    plan, target = small_plan(family, scenario), open_lab_of(family.subject, lambda _record: None, noise=False)
    rig = family.system.rig_kind(family.subject)
    site = rig.complete_site(plan, read_site(target, family), target)
    planned = rig.planned_changes(rig.complete_plan(plan, site), family, site, target)
    run = run_on_lab(family, plan, noise=False)
    listed = {_without(str(PREVIEW_OWNER), change) for change in planned}
    made = {_without("S1", entry.change) for entry in run.journal.entries.values()}
    assert made <= listed
    # of a value in effect that others are set over in between, only the order of trials tells whether it is set
    assert {(kind, subject) for kind, subject, _new in made} == {(kind, subject) for kind, subject, _new in listed}


def _without(owner: str, change: Change) -> tuple[str, str, str]:
    """Return what a change is of and makes, without the name of the session that makes it."""
    return change.kind, change.subject.replace(owner, "*"), change.new.replace(owner, "*")
