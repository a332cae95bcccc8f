"""After a lost session, at every change of it: whoever comes next is told, and takes nothing for an original."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import pytest

from app.domain.ports import StatementSink
from app.domain.target import Target
from app.drivers.oracle.connection import OracleConnection
from app.systems.oracle_streams.lab_server.server import LabClock, LabTransport
from tests.labs import target_over
from tests.prove import streams_session
from tests.prove.group_faults import Case, cases_of, run_cases, stratum_of
from tests.prove.group_session import PLANS as GROUP_PLANS
from tests.prove.group_session import Bench, DisturbedLab, GroupBench, PosedGroups
from tests.prove.lost_sessions import KINDS, is_change, run_lost_case, statement_of
from tests.prove.shares import Share
from tests.prove.streams_session import PosedStreams, StreamsBench


class AnothersBench(StreamsBench):
    """The same databases with another login, which works in a schema of its own."""

    def open(self, _target: str, _seed: int, on_statement: StatementSink) -> Target:
        """Open a target on it."""
        transport, clock, key = LabTransport(self.lab), LabClock(self.lab), self.key
        return target_over(OracleConnection(transport, clock, on_statement, key, key, load_schema="SCOTT"))


@dataclass(frozen=True)
class Lost:
    """Sessions of one system, and who comes after them."""

    plans: dict[str, str]
    make_bench: Callable[[], Bench]
    open_next: Callable[[DisturbedLab], Bench]

    def cases(self, plan: str, folder: Path) -> list[Case]:
        """Return a case at each change of a session, the kinds taking turns."""
        cases = [case for case in cases_of(plan, KINDS, folder, self.plans, self.make_bench) if is_change(case)]
        return [case for turn, case in enumerate(cases) if turn // len(KINDS) % len(KINDS) == KINDS.index(case.kind)]

    def check(self, case: Case, out: Path) -> tuple[bool, bool]:
        """Lose a session and send another one after it."""
        return run_lost_case(case, out, self.open_next)


LOST: Final = {
    "groups": Lost(GROUP_PLANS, GroupBench, lambda lab: GroupBench(cast(PosedGroups, lab))),
    "streams": Lost(streams_session.PLANS, StreamsBench, lambda lab: AnothersBench(cast(PosedStreams, lab))),
}
PLACES: Final = [(system, plan) for system in sorted(LOST) for plan in sorted(LOST[system].plans)]


@pytest.mark.prove
@pytest.mark.parametrize(("system", "plan"), PLACES)
def test_what_a_session_left_is_never_an_original(tmp_path: Path, system: str, plan: str, share: Share) -> None:
    """At every change: the next one is refused with what was left, and the first one's journal puts it back."""
    lost = LOST[system]
    cases = share.of(lost.cases(plan, tmp_path), stratum_of, PLACES.index((system, plan)), repeats=statement_of)
    tally = run_cases(cases, tmp_path, lost.check)
    print(
        f"{system} ({plan}), {share}: {tally.cases} lost sessions, {tally.left_open} followers refused, "
        f"{len(tally.failures)} left unreported or taken for an original"
    )
    assert tally.left_open > 0 or share.part is not None  # of the three changes of a part, each may be undone by itself
    assert tally.failures == ()
