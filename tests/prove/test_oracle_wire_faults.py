"""The fault matrix of Oracle over a socket: at every statement of a session, all that a driver there can meet."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from app.domain.statement import Access
from tests.e2e.oracle_wire import LEAVES_SOCKETS
from tests.prove.group_faults import Case, cases_of, run_cases, stratum_of
from tests.prove.group_session import Kind
from tests.prove.oracle_wire_session import PLANS, WireBench, WireKind, run_wire_case
from tests.prove.shares import Share

pytestmark = [pytest.mark.prove, *LEAVES_SOCKETS]
Record = Callable[[str, object], None]
KINDS = cast("Sequence[Kind]", tuple(WireKind))  # both say whether a statement runs first
# A reading meets this share of the kinds, the next one others: none of them changes anything. So does a change with the
# errors that a database answers instead of running it, which differ in their number alone.
READINGS_TURN = 5
ERRORS_TURN = 3
ERRORS: frozenset[object] = frozenset(
    {WireKind.NO_TABLE, WireKind.DENIED, WireKind.DEADLOCK, WireKind.BUSY, WireKind.DDL_LOCK}
)


@pytest.fixture(scope="module")
def cases_by_plan(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Case]]:
    """Every kind at each changing statement; of readings and plain errors, each at some."""
    return {plan: _chosen(_cases_of(plan, tmp_path_factory.mktemp(plan))) for plan in sorted(PLANS)}


def _cases_of(plan: str, folder: Path) -> list[Case]:
    with closing(WireBench()) as bench:
        return cases_of(plan, KINDS, folder, PLANS, lambda: bench)


def _chosen(cases: Sequence[Case]) -> list[Case]:
    """Return cases at the first call of each statement and at its last, mostly one of the clean-up, in turns."""
    first = {case.call.name: case.number for case in reversed(cases)}
    last = {case.call.name: case.number for case in cases}
    turns = {name: turn for turn, name in enumerate(sorted(last))}
    return [
        case
        for case in cases
        for turn in (KINDS.index(case.kind) + turns[case.call.name],)
        if case.number == (last if turn // _every(case) % 2 else first)[case.call.name] and turn % _every(case) == 0
    ]


def _every(case: Case) -> int:
    if case.call.access is Access.READ:
        return READINGS_TURN
    return ERRORS_TURN if case.kind in ERRORS else 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("plan", sorted(PLANS))
def test_at_every_statement_the_databases_come_out_as_they_were(
    tmp_path_factory: pytest.TempPathFactory,
    cases_by_plan: Mapping[str, list[Case]],
    plan: str,
    kind: Kind,
    share: Share,
    record_property: Record,
) -> None:
    """Both databases equal their state before, or the difference is listed and `restore` removes it."""
    cases = [case for case in cases_by_plan[plan] if case.kind is kind]
    assert len(cases) > 5
    mine = share.of(cases, stratum_of, KINDS.index(kind))
    tally = run_cases(mine, tmp_path_factory.mktemp("cases"), run_wire_case)
    print(f"streams_apply ({plan}) over a socket, {kind.value}, {share}: {tally}")
    record_property(f"streams_apply ({plan}) over a socket, {kind.value}", str(tally))
    assert tally.failures == ()
