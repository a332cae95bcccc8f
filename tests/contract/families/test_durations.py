"""While a reading runs a lab's time stands still, unless it fails or its header says that its duration is of account.

The clock of a lab behind a port relies on that: it asks for the time only after what may have taken some.
"""

import pytest

from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import catalogue
from app.services.plan.completing import read_site
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LABS, run_on_lab, small_plan

SAY_SO = {name for name, statement in catalogue().items() if statement.takes_time}
LIVED_IN = "on-site"  # with weeks of history, which take their time to be counted
CASES = [
    *((name, LABS.get(family.subject, "lan")) for name, family in FAMILIES.items()),
    *((name, LIVED_IN) for name in AGENT_FAMILIES),
]


@pytest.mark.parametrize(("name", "lab"), CASES, ids=[f"{name}-{lab}" for name, lab in CASES])
def test_readings_that_take_time_say_so(name: str, lab: str) -> None:
    """In a whole run of each family, and in what is read of its site."""
    family = FAMILIES[name]
    ran = run_on_lab(family, small_plan(family), scenario=lab)
    read_site(ran.target, family)
    answered = [record for record in ran.records if record.access is Access.READ and not record.error]
    taking = {record.name for record in answered if record.duration_ms > 0}
    assert taking <= SAY_SO
    assert ("transfer_probe" in taking) is (name in AGENT_FAMILIES)
    assert ("agent_backlog" in taking) is (lab == LIVED_IN)
