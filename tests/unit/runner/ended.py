"""What tests ask of a run that has ended, whatever it ran on."""

import shutil
import tempfile
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from app.advice import Pack, load_packs
from app.domain.events import RunEvent, RunFinished, TrialFinished
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import TrialResult
from app.domain.plan import Plan
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.target import Target
from app.foundation.paths import rules_root
from app.services.explain.advising import Advisor
from app.services.plan.completing import read_site
from app.services.run.environment import read_environment
from tests.kinds import KINDS
from tests.unit.runner.memory import MemoryJournal

_AT = datetime(2026, 1, 1, tzinfo=UTC)


@cache
def rules_of(family_id: str) -> tuple[Pack, ...]:
    """Return the packs of one family alone, with the sentences that all share."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (family_id, "common"):
            shutil.copytree(rules_root() / name, Path(folder) / name)
        return load_packs((Path(folder),), (family_id,), KINDS)


class EndedRun(ABC):
    """A run that has ended; who made it keeps plan, journal and events in it."""

    family: ExperimentFamily
    plan: Plan
    journal: MemoryJournal
    events: list[RunEvent]

    @property
    @abstractmethod
    def port(self) -> Target:
        """The target it ran on."""

    @abstractmethod
    def assert_as_found(self, when: str) -> None:
        """Check that the servers are as they were."""

    @property
    def trials(self) -> tuple[TrialResult, ...]:
        """The finished trials."""
        return tuple(event.trial for event in self.events if isinstance(event, TrialFinished))

    @property
    def end(self) -> RunFinished:
        """How it ended."""
        assert isinstance(self.events[-1], RunFinished)
        return self.events[-1]

    def site_now(self) -> Site:
        """Return what the report says it ran on."""
        return read_site(self.port, self.family)

    def session(self) -> SessionRecord:
        """Return the run as the store would hand it back."""
        end = self.end
        record = RunRecord("E1", self.plan, self.port.key, end.status, end.reason, _AT, _AT, self.trials)
        environment = read_environment(self.port, self.site_now(), self.family.system)
        changes = self.journal.entries_of("S1")
        return SessionRecord("S1", "test", "", "", _AT, "0", (environment,), (record,), changes=changes)

    def advisor(self) -> Advisor:
        """Return who says something about it: the rules of its family alone."""
        return Advisor({self.family.family_id: self.family}, rules_of(self.family.family_id))

    def advise(self) -> Advice:
        """Return what the program would say about it."""
        return self.advisor().advise(self.session())

    def assert_restored(self, when: str = "") -> None:
        """Check that the servers are as they were found and nothing is left to undo."""
        assert self.end.not_restored == (), when
        assert self.journal.open_entries() == (), when
        self.assert_as_found(when)
