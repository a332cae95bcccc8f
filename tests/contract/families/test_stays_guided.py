"""Guided work stays guided whatever interrupts it: until somebody says otherwise, only the DBA changes anything."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from app.bootstrap import load_systems
from app.domain.change import Change
from app.domain.errors import ConnectionLost
from app.domain.events import HandRequested, RunEvent, RunStatus
from app.domain.family import ExperimentFamily
from app.domain.statement import Access, StatementRecord
from app.domain.target import Target
from app.runner.asking import HandDesk, HandRequest
from app.runner.by_hand import ChangesByHand, HandGate
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.run.guided_session import GuidedSession
from app.services.run.restoring import RestoreWay, open_changes, restore_all
from app.services.run.resuming import find_interrupted
from app.services.workplace import open_workplace
from app.store import open_for_reading
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LABS, settings_of, small_plan
from tests.contract.families.watched_by_hand import done_by, switches_of
from tests.labs import open_lab, target_over
from tests.prove.shares import Share

GUIDED = [*AGENT_FAMILIES, "commit_mode", "streams_apply"]


class Interruption(StrEnum):
    """What ends a run in its midst, right after the DBA has run a script."""

    KILLED = "killed"
    CANCELLED = "cancelled, and nobody runs a script any more"
    LINE_LOST = "connection lost"


class _Killed(BaseException):
    """The end of a process, after which it does nothing more."""


@dataclass
class Site:
    """A lab as a server of somebody's: changed by the DBA alone, and everything sent there on record.

    Attributes:
        own: names of changing statements the program itself sent.
    """

    family: ExperimentFamily
    scenario: str | None = None
    own: list[str] = field(default_factory=list)
    dba_acts: bool = False
    is_lost: bool = False
    _known: dict[str, tuple[Change, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lab = open_lab(self.scenario or LABS.get(self.family.subject), on_statement=self._sent)
        connection: Any = lab.open_connection
        connection.key = "lab@127.0.0.1:1"  # not of this process, as far as anybody can tell
        connection.close = lambda: None
        run = connection.session.run

        def over_the_line(*call: Any, **values: Any) -> Any:
            if self.is_lost and not self.dba_acts:
                raise ConnectionLost("the line is gone")
            return run(*call, **values)

        connection.session.run = over_the_line
        self._connection = connection
        self.target = target_over(connection)
        self.load = self.family.system.load_statements

    def open(self, _key: str, _seed: int, _sink: Callable[[StatementRecord], None]) -> Target:
        """Open it again."""
        return target_over(self._connection)

    def _sent(self, record: StatementRecord) -> None:
        if record.access is Access.CHANGE and not self.dba_acts:
            self.own.append(record.name)

    def note(self, change: Change) -> None:
        """Learn what the scripts of a change do."""
        self._known.setdefault(change.undo_sql, (change, True))
        self._known[change.apply_sql] = (change, False)

    def run_script(self, script: str) -> None:
        """Run a script as the DBA."""
        self.dba_acts = True
        try:
            for change, undo in done_by(script, {**switches_of(self.target), **self._known}):
                (self.target.changes.undo if undo else self.target.changes.apply)(change)
        finally:
            self.dba_acts = False

    @contextmanager
    def known_scripts(self) -> Iterator[None]:
        """Let the DBA know what each script that is asked for does."""
        with pytest.MonkeyPatch.context() as patch:
            for owner, name, place in ((ChangesByHand, "_obtain", 2), (HandGate, "_obtain", 1)):
                patch.setattr(owner, name, self._noting(getattr(owner, name), place))
            yield

    def _noting(self, original: Callable[..., None], place: int) -> Callable[..., None]:
        def ask(asking: Any, *given: Any, **more: Any) -> None:
            self.note(given[place])
            original(asking, *given, **more)

        return ask


@dataclass
class Work:
    """A guided session at such a site."""

    site: Site
    folder: Path

    @property
    def journal(self) -> Path:
        """The undo journal."""
        return self.folder / "undo.journal"

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left to do when the run was interrupted: its last scripts only put back."""
        with open_for_reading(self.folder / "out" / "session.replitune") as reader:
            return reader.list_runs()[-1].status is RunStatus.SUCCEEDED

    def run_until(self, interruption: Interruption, at: int) -> int:
        """Run a small plan and interrupt it once the DBA has run so many scripts; return how many were asked for."""
        asked = 0
        desk, control, site = HandDesk(0.0), RunControl(), self.site

        def answer(event: RunEvent) -> None:
            nonlocal asked
            if not isinstance(event, HandRequested):
                return
            asked += 1
            if asked > at and interruption is Interruption.KILLED:
                raise _Killed
            if asked > at:
                return
            site.run_script(event.script)
            if asked == at:
                control.cancel() if interruption is Interruption.CANCELLED else None
                site.is_lost = interruption is Interruption.LINE_LOST
                desk.give_up()
                if interruption is Interruption.KILLED:
                    raise _Killed

        family = site.family
        with GuidedSession(open_workplace(self.folder / "out"), self.journal, site.open) as session:
            target = session.open_target("site", 1)
            prepared = prepare_run(small_plan(family, Scenario.DRAINED), family, target, "plan")
            with suppress(_Killed):
                session.run(prepared, target, control, [answer], desk=desk)
        site.is_lost = False
        return asked

    def restore(self, way: RestoreWay) -> tuple[str, ...]:
        """Restore; return the problems."""
        return restore_all(self.journal, self.site.open, lambda _change: None, None, way).problems

    def resume(self, desk: HandDesk) -> RunStatus:
        """Go on as the program does by itself, with the DBA at hand."""

        def answer(event: RunEvent) -> None:
            if isinstance(event, HandRequested):
                self.site.run_script(event.script)

        place, family = open_workplace(self.folder / "out"), self.site.family
        earlier = find_interrupted(place)
        assert earlier.run.by_hand
        with GuidedSession(place, self.journal, self.site.open, resume=True) as session:
            target, control = session.open_target("site", 1), RunControl()
            session.restore_open(target, family, control, [answer], desk)
            prepared = prepare_run(earlier.run.plan, family, target, "plan")
            run = earlier.run
            return session.run(
                prepared, target, control, [answer], desk=desk, run_id=run.run_id, done=run.trials
            ).status


def asking(site: Site) -> RestoreWay:
    """Return the way of a restore with the DBA at hand."""
    desk = HandDesk(0.0)

    def answer(request: HandRequest) -> None:
        site.run_script(request.script)

    desk.attach(answer, lambda _request: None)
    return RestoreWay(load_systems, desk)


@pytest.mark.parametrize("interruption", list(Interruption))
@pytest.mark.parametrize("family_id", GUIDED)
def test_what_a_guided_run_left_is_changed_by_nobody_but_the_dba(
    tmp_path: Path, family_id: str, interruption: Interruption
) -> None:
    """A restore asks, as what goes on after it does; without a DBA it tells what is open and leaves it."""
    site = Site(FAMILIES[family_id])
    with site.known_scripts():
        work = Work(site, tmp_path)
        before = settings_of(site.target)
        work.run_until(interruption, 3)
        assert set(site.own) <= site.load
        assert open_changes(work.journal)
        site.own.clear()
        assert work.restore(RestoreWay(load_systems))
        assert open_changes(work.journal)
        assert work.restore(asking(site)) == ()
        assert open_changes(work.journal) == ()
        assert settings_of(site.target) == before
        assert site.own == []


# Scenarios each family runs on in guided mode, but the usual one.
OTHERS = [
    *((family_id, name) for family_id in AGENT_FAMILIES for name in ("wan-512k", "lan-uneven")),
    ("commit_mode", "ag-uneven"),
    ("streams_apply", "streams-12c"),
    ("streams_apply", "streams-uneven"),
]


WAYS = [
    *((family_id, None, interruption) for family_id in GUIDED for interruption in Interruption),
    *((family_id, scenario, Interruption.KILLED) for family_id, scenario in OTHERS),
]


@pytest.mark.prove
@pytest.mark.parametrize(("family_id", "scenario", "interruption"), WAYS)
def test_wherever_a_guided_run_is_interrupted_nobody_but_the_dba_changes_anything(
    tmp_path: Path, family_id: str, scenario: str | None, interruption: Interruption, share: Share
) -> None:
    """After each of the first scripts, in every scenario; then the run goes on to its end."""
    places = range(1, 10)
    changed_itself = []
    for at in share.of(places, lambda _place: 0, WAYS.index((family_id, scenario, interruption))):
        site = Site(FAMILIES[family_id], scenario)
        with site.known_scripts():
            work = Work(site, tmp_path / str(at))
            before = settings_of(site.target)
            work.run_until(interruption, at)
            left = set(site.own) - site.load
            site.own.clear()
            work.restore(RestoreWay(load_systems))
            assert work.restore(asking(site)) == ()
            assert settings_of(site.target) == before
            left |= set(site.own)
            site.own.clear()
            # one that writes anew on a slow link may reach a limit of its plan
            assert work.is_complete or work.resume(HandDesk(0.0)) in (RunStatus.SUCCEEDED, RunStatus.ABORTED)
            left |= set(site.own) - site.load
            assert settings_of(site.target) == before
        changed_itself += [f"{name} after script {at}" for name in sorted(left)]
    assert changed_itself == []


@pytest.mark.parametrize("family_id", GUIDED)
def test_a_guided_run_goes_on_guided(tmp_path: Path, family_id: str) -> None:
    """What it left is asked back first, and every further change asked for: the program writes the load alone."""
    site = Site(FAMILIES[family_id])
    with site.known_scripts():
        work = Work(site, tmp_path)
        before = settings_of(site.target)
        work.run_until(Interruption.KILLED, 3)
        assert work.resume(HandDesk(0.0)) is RunStatus.SUCCEEDED
        assert set(site.own) <= site.load
        assert open_changes(work.journal) == ()
        assert settings_of(site.target) == before


@pytest.mark.parametrize("family_id", GUIDED)
def test_an_explicit_word_lets_the_program_undo_what_a_guided_run_left(tmp_path: Path, family_id: str) -> None:
    """It does it all by itself then."""
    site = Site(FAMILIES[family_id])
    with site.known_scripts():
        work = Work(site, tmp_path)
        before = settings_of(site.target)
        work.run_until(Interruption.KILLED, 3)
        site.own.clear()
        assert work.restore(RestoreWay(hands_on=True)) == ()
        assert site.own
        assert settings_of(site.target) == before
