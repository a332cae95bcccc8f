"""What a header lets be NULL is NULL: a look, a plan's checks and a run either go on or end in one sentence."""

import contextlib
from collections.abc import Callable
from typing import Any, Final

import pytest

from app.domain.errors import ReplituneError
from app.domain.statement import Access, StatementRecord
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from app.services.plan.checking import prepare_run
from tests.contract.families.lab_runs import FAMILIES, LABS, small_plan
from tests.labs import answered_by, build_lab, sqlserver_over
from tests.shipped_rules import ADVISOR

_BY_SYSTEM: Final = {
    family.system.system_id: family for family in FAMILIES.values() if family.system.engine == "sqlserver"
}
CASES: Final = [
    (system, name)
    for system in sorted(_BY_SYSTEM)
    for name in sorted(answered_by(system))
    if catalogue()[name].access is Access.READ and any(column.nullable for column in catalogue()[name].columns)
]


def _emptied(usual: Callable[..., Any], places: list[int]) -> Callable[..., list[tuple[Any, ...]]]:
    def answer(*asked: Any) -> list[tuple[Any, ...]]:
        return [tuple(None if n in places else cell for n, cell in enumerate(row)) for row in usual(*asked)]

    return answer


@pytest.mark.parametrize(("system", "name"), CASES)
def test_what_may_be_null_is_null(system: str, name: str) -> None:
    """All such columns of a statement at once: nothing but an error of the program's own words ends it."""
    family, records = _BY_SYSTEM[system], list[StatementRecord]()
    lab = build_lab(LABS.get(family.subject, "lan"), noise=False)
    places = [n for n, column in enumerate(catalogue()[name].columns) if column.nullable]
    lab.answers[name] = _emptied(lab.answers[name], places)
    target = sqlserver_over(LabTransport(lab), LabClock(lab), records.append, simulates=system)
    for work in (
        lambda: look_at(target, Looking(ADVISOR, LookCost())),
        lambda: prepare_run(small_plan(family), family, target, "plan.toml"),
    ):
        with contextlib.suppress(ReplituneError):
            work()
    assert {record.access for record in records} <= {Access.READ}
