"""What a run may not put back for a while: whoever puts it back later has it in effect, or says that it is not yet."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

import pytest

from app.domain.errors import BadInput, ConnectionLost
from app.domain.events import RunEvent, RunStatus, SamplesTaken, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor, Plan
from app.domain.setting import Setting
from app.domain.statement import Access
from app.domain.system import system_of
from app.domain.target import Target
from app.drivers.oracle.errors import OracleError
from app.drivers.sqlserver.errors import SqlError
from app.foundation.clock import Clock
from app.runner.control import RunControl
from app.runner.undo import restore_entries
from app.systems.oracle_streams.subjects import STREAMS
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import (
    CASE_IDS,
    CASES,
    FAMILIES,
    LabRun,
    Sink,
    run_on_lab,
    settings_of,
    small_plan,
)
from tests.labs import lab_behind
from tests.prove.shares import Share

REASONS: Final = ("the right is lost", "a deadlock", "the log is full")
_OWNER: Final = "S20261128-073000-a1b2c3"
_SQL_SERVER: Final = (
    SqlError(229, "The EXECUTE permission was denied on the object.", "42000"),
    SqlError(1205, "Transaction was deadlocked and has been chosen as the victim.", "40001"),
    SqlError(9002, "The transaction log for database 'msdb' is full due to 'ACTIVE_TRANSACTION'.", "42000"),
)
_ORACLE: Final = (
    "ORA-01031: insufficient privileges",
    "ORA-00060: deadlock detected while waiting for resource",
    "ORA-00257: Archiver error. Connect AS SYSDBA only until resolved.",
)


@dataclass
class Refusing:
    """Statements that a lab refuses until that is lifted; names of all that were sent.

    Attributes:
        is_gone: nothing is answered any more.
    """

    names: frozenset[str] = frozenset()
    reason: str = REASONS[0]
    sent: list[str] = field(default_factory=list)
    is_gone: bool = False

    def stand_before(self, target: Target) -> Target:
        """Refuse at the servers behind a target from now on what is named by then."""
        lab = lab_behind(target)
        run: Callable[..., Any] = lab.run

        def refusing(statement: Any, *how: Any) -> Any:
            name = statement if isinstance(statement, str) else statement.name
            self.sent.append(name)
            if self.is_gone:
                raise self._lost(is_oracle=not isinstance(statement, str))
            if name in self.names:
                raise self._error(is_oracle=not isinstance(statement, str))
            return run(statement, *how)

        lab.run = refusing
        return target

    def _lost(self, *, is_oracle: bool) -> Exception:
        if is_oracle:
            return OracleError.of_text("ORA-03113: end-of-file on communication channel")
        return SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01")

    def _error(self, *, is_oracle: bool) -> Exception:
        number = REASONS.index(self.reason)
        return OracleError.of_text(_ORACLE[number]) if is_oracle else _SQL_SERVER[number]


@dataclass
class Ended:
    """A run that has ended, and the names of the statements it sent to put everything back."""

    run: LabRun
    sent: list[str]


def plans_of(name: str, scenario: Scenario) -> list[Plan]:
    """Return a small plan of a family; of Streams also for what counts from a start of its apply or capture only."""
    family = FAMILIES[name]
    plan = small_plan(family, scenario)
    if family.subject != STREAMS:
        return [plan]
    varied = {"_HASH_TABLE_SIZE": (1_000_000, 2_000_000), "_SGA_SIZE": (10, 40)}
    return [
        plan,
        *(
            replace(plan, factors=(Factor(one, levels),), baseline=Setting.of(**{one: levels[0]}))
            for one, levels in varied.items()
        ),
    ]


def _run(plan: Plan, refusing: Refusing, *names: str, after: int = 1) -> Ended:
    """Run a plan until somebody cancels it after so many trials; from then on statements are refused."""
    ended, sent = 0, 0

    def make(control: RunControl) -> Sink:
        def watch(event: RunEvent) -> None:
            nonlocal ended, sent
            if isinstance(event, TrialFinished):
                ended += 1
                if ended == after:
                    refusing.names, sent = frozenset(names), len(refusing.sent)
                    control.cancel()

        return watch

    family = FAMILIES[plan.family]
    run = run_on_lab(family, plan, noise=False, wrap=refusing.stand_before, make_sink=make, session_id=_OWNER)
    return Ended(run, refusing.sent[sent:])


def refusals_at_the_end(plan: Plan, after: int) -> list[tuple[str, ...]]:
    """Return the changing statements that a run cancelled after so many trials sends to put everything back.

    Each alone, and all that set something: whoever lost the right to set may still have the one to start.
    """
    ended = _run(plan, Refusing(), after=after)
    access = {statement.name: statement.access for statement in ended.run.target.statements()}
    names = sorted({name for name in ended.sent if access.get(name) is Access.CHANGE})
    setting = tuple(name for name in names if not name.startswith(("start_", "stop_")))
    return [*((name,) for name in names), *((setting,) if len(setting) > 1 else ())]


def _restore(run: LabRun) -> tuple[str, ...]:
    return restore_entries(run.target, run.journal, run.journal.open_entries(), lambda _change: None)


def _is_as_found(run: LabRun) -> bool:
    try:
        return settings_of(run.target) == run.before
    except BadInput:  # something of the run's own is still there
        return False


def _shows_what_was_left(run: LabRun) -> bool:
    """Tell whether somebody who has another journal sees that this run left something."""
    return bool(system_of(run.family).read_leftovers(run.target, run.site))


def check_refused(plan: Plan, names: tuple[str, ...], reason: str, after: int) -> None:
    """Refuse statements for good after so many trials, restore, lift that, and restore again."""
    refusing = Refusing(reason=reason)
    run = _run(plan, refusing, *names, after=after).run
    when = f"{plan.family}, {plan.factors}: {names} refused after trial {after}, {reason}"
    assert _is_as_found(run) or run.end.not_restored, f"{when}: the run says that everything is as it was"
    assert bool(run.journal.open_entries()) == bool(run.end.not_restored), when
    problems = _restore(run)
    assert _is_as_found(run) or problems, f"{when}: a restore says that everything is as it was"
    assert _is_as_found(run) or _shows_what_was_left(run), f"{when}: the next run takes what stands there for its own"
    refusing.names = frozenset()
    run.target.clock.sleep(1.0)
    problems = _restore(run)
    assert problems == (), when
    assert run.journal.open_entries() == (), when
    run.assert_as_found(when)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_was_refused_for_good_is_in_effect_once_it_is_put_back(name: str) -> None:
    """Each statement of the end is refused, for one reason or another: never is a process left to run on untold."""
    for plan in plans_of(name, Scenario.DRAINED):
        # a trial may run what is in effect, and leave little to undo
        trials, refusals = next((n, found) for n in (1, 2, 3) if len(found := refusals_at_the_end(plan, n)) >= 2)
        for number, refused in enumerate(refusals):
            check_refused(plan, refused, REASONS[number % len(REASONS)], trials)


class _Gone:
    """A server's clock that cannot be asked once its server is gone."""

    def __init__(self, clock: Clock, refusing: "Refusing") -> None:
        self._clock = clock
        self._refusing = refusing

    def __getattr__(self, name: str) -> Any:
        if self._refusing.is_gone:
            raise ConnectionLost("the server is gone, and its clock with it")
        return getattr(self._clock, name)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_not_undone_is_told_where_not_even_the_clock_answers(name: str) -> None:
    """A server that is gone for good in mid-run, with the clock a run is timed by: its end names all that is open."""
    refusing = Refusing()

    def wrap(target: Target) -> Target:
        target.clock = cast("Clock", _Gone(target.clock, refusing))  # type: ignore[misc]  # final for everybody else
        return refusing.stand_before(target)

    def make(_control: RunControl) -> Sink:
        def watch(event: RunEvent) -> None:
            refusing.is_gone |= isinstance(event, SamplesTaken)

        return watch

    plan = small_plan(FAMILIES[name], Scenario.DRAINED)
    run = run_on_lab(FAMILIES[name], plan, noise=False, wrap=wrap, make_sink=make)
    assert run.end.status is RunStatus.FAILED
    assert "the server is gone" in run.end.reason or "connection" in run.end.reason
    open_now = {entry.change.subject for entry in run.journal.open_entries()}
    assert open_now
    assert {problem.split(": ")[0] for problem in run.end.not_restored} == open_now
    assert [trial.status for trial in run.trials] == [TrialStatus.ABORTED]


@pytest.mark.prove
@pytest.mark.parametrize(("name", "scenario"), CASES, ids=CASE_IDS)
def test_whatever_is_refused_for_good_at_any_trial(name: str, scenario: Scenario, share: Share) -> None:
    """After each trial, each statement of the end, for each reason."""
    cases = [
        (plan, refused, reason, after)
        for plan in plans_of(name, scenario)
        for after in (1, 2)
        for refused in refusals_at_the_end(plan, after)
        for reason in REASONS
    ]
    for case in share.of(cases, lambda case: (case[1], case[3]), list(FAMILIES).index(name)):
        check_refused(*case)
