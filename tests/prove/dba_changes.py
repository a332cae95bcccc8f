"""A DBA changes what a session is about to change, or has changed, over TDS: theirs stays and is told."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from app.domain.change import Change, EntryState
from app.domain.events import RunStatus
from app.domain.statement import Access
from app.services.run.restoring import open_changes, restore_all
from app.store import UndoJournalFile
from app.systems.transactional_replication.lab_server.site import LabAgent
from app.systems.transactional_replication.lab_server.steps import find_tokens, with_token
from app.systems.transactional_replication.server.agent_changes import AGENT_STARTED, AGENT_STOPPED
from app.systems.transactional_replication.server.profile_parameter import PROFILE_PARAMETER
from app.systems.transactional_replication.server.profile_plans import PROFILE_ASSIGNMENT
from app.systems.transactional_replication.server.step_changes import JOB_STEP_TOKEN
from tests.e2e.posed_lab import Call, Posed, PosedLab, Truth, posed_lab
from tests.prove.wire_faults import USUAL, installed_drivers
from tests.prove.wire_session import Ended, open_target, run_session

THIRD_VALUE = "7"
VERBOSE = {2: 4, 3: 5}
"""Ids of the lab's verbose profiles, by type of agent."""


class Moment(StrEnum):
    """When the DBA comes."""

    BEFORE_SENT = "between intent and send"
    BEFORE_SET = "between reading and setting"
    AFTER_APPLIED = "between apply and restore"
    RENAMED = "renames the agent between apply and restore"


@dataclass(frozen=True)
class Visit:
    """A DBA who comes at one change of a session.

    Attributes:
        number: of the change, from 1.
        change: as it was in a session nobody came to.
    """

    plan: Path
    number: int
    kind: str
    moment: Moment

    def __str__(self) -> str:
        return f"{self.moment.value}, change {self.number} ({self.kind})"


def stratum_of(visit: Visit) -> str:
    """Return what the parts hold an equal share of."""
    return visit.kind


def visits_of(plan: Path, moments: Sequence[Moment], folder: Path) -> list[Visit]:
    """Return the visits at each change of a session that somebody else can make, too."""
    kinds: list[str] = []

    def note(change: Change, state: EntryState) -> None:
        if state is EntryState.INTENT:
            kinds.append(change.kind)

    with posed_lab(USUAL) as lab, _at_each_intent(note):
        ended = run_session(plan, lab.key(), folder / "undisturbed")
        assert ended.status is RunStatus.SUCCEEDED, ended
    return [
        Visit(plan, number, kind, moment)
        for number, kind in enumerate(kinds, 1)
        for moment in moments
        if kind in _DEEDS and (moment in _NOT_MADE or kind in _TO_LOSE)
    ]


@dataclass(frozen=True)
class Tally:
    """How many visits there were, how many were told in the end of the run, and what failed."""

    cases: int
    told: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.cases} visits, {self.told} told, {len(self.failures)} left changed, overwritten or unreported"


def receive(visits: Sequence[Visit], folder: Path) -> Tally:
    """Have every visit on a lab of its own and keep what failed."""
    failures: list[str] = []
    told = 0
    for visit in visits:
        try:
            told += _receive(visit, folder / f"{visit.moment.name}-{visit.number}")
        except (AssertionError, pytest.fail.Exception) as failed:
            failures.append(f"{visit}: {failed}")
    return Tally(len(visits), told, tuple(failures))


def _receive(visit: Visit, out: Path) -> bool:
    """Return whether the run told of it."""
    met: list[Change] = []
    count = 0
    wanted = EntryState.INTENT if visit.moment in _NOT_MADE else EntryState.APPLIED
    with posed_lab(USUAL) as lab:
        before = lab.ask(PosedLab.truth)

        def come(change: Change, state: EntryState) -> None:
            nonlocal count
            if state is not wanted:
                return
            count += 1
            if count == visit.number:
                met.append(change)
                deed = _rename if visit.moment is Moment.RENAMED else _DEEDS[change.kind]
                deed = partial(deed, str(change.detail("job_id")), str(change.detail_or("parameter", "")))
                lab.ask(partial(_at_next_change, deed) if visit.moment is Moment.BEFORE_SET else deed)

        drivers = installed_drivers()
        with _at_each_intent(come):
            ended = run_session(visit.plan, lab.key(drivers[visit.number % len(drivers)]), out)
        assert met, "nobody came"
        after = lab.ask(partial(_named_as_before, str(met[0].detail("job_id"))))
        journal = out / "undo.journal"
        if visit.moment is Moment.RENAMED:
            assert ended.status is RunStatus.SUCCEEDED, ended
            assert after == before
            assert open_changes(journal) == ()
            return False
        _check(met[0], ended, before, after)
        _check_journal(lab, ended, after, journal)
        return True


def _check(met: Change, ended: Ended, before: Truth, after: Truth) -> None:
    """The run ends with a sentence on it, the DBA's value stands, and everything else is as it was."""
    assert ended.status is RunStatus.FAILED, ended
    assert "somebody else changed" in f"{ended.problem} {ended.not_restored}", ended
    assert _without_started(after) == _without_started(_as_wanted(before, met)), f"after:\n{after}\nbefore:\n{before}"
    # what an earlier trial had set there is listed until somebody decides
    assert all("somebody else" in sentence for sentence in ended.not_restored), ended


def _check_journal(lab: Posed, ended: Ended, after: Truth, journal: Path) -> None:
    """What was never sent is closed; what the DBA has now stays listed until somebody decides, and stays as it is."""
    assert bool(open_changes(journal)) == bool(ended.not_restored), ended
    left: list[str] = []
    restore_all(journal, open_target, lambda _change: None, lambda change, _why: left.append(change.subject))
    assert bool(left) == bool(ended.not_restored), ended
    assert open_changes(journal) == ()
    assert _without_started(lab.ask(PosedLab.truth)) == _without_started(after)


def _without_started(truth: Truth) -> Truth:
    """What an agent last started with follows from when the DBA came; what it starts with next is compared."""
    return replace(truth, started_with={})


def _as_wanted(before: Truth, met: Change) -> Truth:
    """Return what must stand where at the end: all as it was, but for what the DBA set."""
    name = str(met.detail("agent_name"))
    if met.kind == PROFILE_ASSIGNMENT:
        return replace(before, assigned={**before.assigned, name: VERBOSE[int(met.detail("agent_type"))]})
    if met.kind == JOB_STEP_TOKEN:
        step = with_token(before.steps[name], str(met.detail("parameter")), THIRD_VALUE)
        return replace(before, steps={**before.steps, name: step})
    if met.kind in (AGENT_STOPPED, AGENT_STARTED):
        return replace(before, running={**before.running, name: met.kind == AGENT_STARTED})
    return before  # a value in a profile of the session's own, which goes with it


def _agent(lab: PosedLab, job_id: str) -> LabAgent:
    agent = lab.state.site.agent_of_job(job_id)
    assert agent is not None
    return agent


def _at_next_change(deed: Callable[[PosedLab], None], lab: PosedLab) -> None:
    """Have the next statement that changes anything find it done: what it was read from is no longer there."""

    def before_call(served: PosedLab, call: Call) -> None:
        if call.access is Access.CHANGE:
            served.before_call = None
            deed(served)

    lab.before_call = before_call


def _assign(job_id: str, _parameter: str, lab: PosedLab) -> None:
    agent = _agent(lab, job_id)
    own = lab.state.profiles.get(lab.state.profile_ids[agent.job_id])
    assert own is not None
    lab.state.profile_ids[agent.job_id] = VERBOSE[own.agent_type]


def _edit_step(job_id: str, parameter: str, lab: PosedLab) -> None:
    agent = _agent(lab, job_id)
    lab.state.steps[agent.job_id] = with_token(lab.state.steps[agent.job_id], parameter, THIRD_VALUE)
    assert find_tokens(lab.state.steps[agent.job_id], parameter)


def _stop(job_id: str, _parameter: str, lab: PosedLab) -> None:
    lab.state.stop(_agent(lab, job_id))
    while lab.state.agent_state(_agent(lab, job_id)).running:
        lab.state.advance(1.0)


def _start(job_id: str, _parameter: str, lab: PosedLab) -> None:
    lab.state.start(_agent(lab, job_id))


def _edit_profile(_job_id: str, _parameter: str, lab: PosedLab) -> None:
    for profile in lab.state.profiles.own():
        for name in profile.values:
            profile.values[name] = THIRD_VALUE


def _rename(job_id: str, _parameter: str, lab: PosedLab) -> None:
    agent = _agent(lab, job_id)
    object.__setattr__(agent, "name", f"{agent.name} renamed")


def _named_as_before(job_id: str, lab: PosedLab) -> Truth:
    agent = _agent(lab, job_id)
    object.__setattr__(agent, "name", agent.name.removesuffix(" renamed"))
    return lab.truth()


_DEEDS: dict[str, Callable[[str, str, PosedLab], None]] = {
    PROFILE_PARAMETER: _edit_profile,
    PROFILE_ASSIGNMENT: _assign,
    JOB_STEP_TOKEN: _edit_step,
    AGENT_STOPPED: _stop,
    AGENT_STARTED: _start,
}
_NOT_MADE = (Moment.BEFORE_SENT, Moment.BEFORE_SET)
_TO_LOSE = (PROFILE_ASSIGNMENT, JOB_STEP_TOKEN)
"""Kinds of which a DBA can set a third value that lasts beyond the session."""


@contextmanager
def _at_each_intent(come: Callable[[Change, EntryState], None]) -> Iterator[None]:
    """Tell of each change when its intent is on disk, and when it is on disk that it was made."""
    record, mark = UndoJournalFile.record_intent, UndoJournalFile.mark_applied
    changes: dict[int, Change] = {}

    def recorded(journal: UndoJournalFile, session_id: str, target: str, change: Change) -> int:
        entry_id = record(journal, session_id, target, change)
        changes[entry_id] = change
        come(change, EntryState.INTENT)
        return entry_id

    def applied(journal: UndoJournalFile, entry_id: int, made: Change | None = None) -> None:
        mark(journal, entry_id, made)
        come(changes[entry_id], EntryState.APPLIED)

    with (
        patch.object(UndoJournalFile, "record_intent", recorded),
        patch.object(UndoJournalFile, "mark_applied", applied),
    ):
        yield
