"""What a change would bring stands there already, and nobody of this program brought it: it is told, and left."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.errors import ChangedMeanwhile
from app.domain.family import ExperimentFamily
from app.domain.ports import ServerChanges
from app.domain.statement import Access
from app.domain.target import Target
from app.systems.transactional_replication.server.profile_plans import DEDICATED_PROFILE
from app.systems.transactional_replication.server.tracer_tokens import TRACER_TOKEN
from tests.contract.families.lab_runs import CASE_IDS, CASES, FAMILIES, run_on_lab, small_plan
from tests.labs import with_changes

# Objects with a name of the session's own, which nobody else gives one.
OWN = {DEDICATED_PROFILE, TRACER_TOKEN}


class SentTwice:
    """Makes each change as somebody else would, just before the program does: the program's own is refused."""

    def __init__(self, changes: ServerChanges, met: Counter[str]) -> None:
        self._changes = changes
        self._met = met

    def apply(self, change: Change) -> Change | None:
        """Make it, then have it made once more."""
        made = self._changes.apply(change)
        if change.kind in OWN or change.original == change.new:
            return made
        self._met[change.kind] += 1
        with pytest.raises(ChangedMeanwhile, match="somebody else changed it"):
            self._changes.apply(change)
        assert self._changes.is_applied(change)
        return made

    def undo(self, change: Change) -> None:
        """Undo as the server does."""
        self._changes.undo(change)

    def is_applied(self, change: Change) -> bool:
        """Read as the server does."""
        return self._changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Read as the server does."""
        return self._changes.is_undone(change)

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop as the server does."""
        return self._changes.quiesce(changes)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan as the server does."""
        return self._changes.plan_quiesce(changes)

    def process_of(self, change: Change) -> OfProcess | None:
        """Tell as the server does."""
        return self._changes.process_of(change)

    def run_of(self, change: Change) -> str:
        """Read as the server does."""
        return self._changes.run_of(change)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Restart as the server does."""
        return self._changes.restart(change, make, take_back)


@pytest.mark.parametrize(("name", "scenario"), CASES, ids=CASE_IDS)
def test_every_kind_of_change_is_sent_from_what_was_planned_only(name: str, scenario: object) -> None:
    """Whatever a family changes: where it stands otherwise by then, nothing is sent."""
    family: ExperimentFamily = FAMILIES[name]
    met: Counter[str] = Counter()

    def wrap(target: Target) -> Target:
        return with_changes(target, lambda changes: SentTwice(changes, met))

    run = run_on_lab(family, small_plan(family, scenario), noise=False, wrap=wrap)  # type: ignore[arg-type]  # of CASES
    run.assert_restored("every change refused once")
    assert met
    assert any(record.access is Access.CHANGE for record in run.records)
