"""Sessions of a client's file as one: runs numbered through, decided together, one set of scripts."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.decision import DecisionKind
from app.domain.errors import BadInput
from app.domain.own_words import OwnWords
from app.domain.session import SessionRecord
from app.reporting.document.scripts import Scripts
from app.reporting.document.timeline import timeline_section
from app.reporting.wording import Vocabulary
from app.services.explain.joining import explain_joined, joined
from app.store import open_for_reading
from tests.e2e.client_file import write_client_file
from tests.report.sample import full_session, imported_request
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import NOW, plan_of
from tests.unit.services.test_advising import measured

WORDS = Vocabulary(ADVISOR.families.values())


def afternoon(name: str, best: int, hours: float) -> SessionRecord:
    """Return a session that confirmed one number of streams, so many hours after the first."""
    others = {1: 540.0, 8: 440.0, 16: 440.0} | {best: 300.0}
    explored = {n: (value, value * 1.02, value * 0.99) for n, value in others.items()}
    confirmed = {n: explored[n] for n in (1, best)}
    plan = plan_of("distribution_agent", SubscriptionStreams=(1, 8, 16))
    session = measured(plan, explored, confirmed)
    here = replace(full_session().environments[0], target=session.runs[0].target)
    return replace(session, session_id=name, created_utc=NOW + timedelta(hours=hours), environments=(here,))


def test_runs_and_trials_are_numbered_through() -> None:
    """Two experiments E1 of two sessions are E1 and E2 of one, oldest first, with trials of their own."""
    both = joined([afternoon("S-b", 8, 2), afternoon("S-a", 8, 0)])
    assert both.session_id == "S-a + S-b"
    assert [run.run_id for run in both.runs] == ["E1", "E2"]
    named = [trial.trial_id for run in both.runs for trial in run.trials]
    assert len(set(named)) == len(named)
    assert {m.trial_id for run in both.runs for trial in run.trials for m in trial.measurements} == set(named)


def test_one_alone_stays_as_it_is() -> None:
    """Nothing is renamed where nothing is joined."""
    session = afternoon("S-a", 8, 0)
    assert joined([session]) is session


def test_what_agrees_is_one_decision_and_what_contradicts_it_is_said() -> None:
    """One place has one value: the other experiment's is named as set aside, and no script sets it."""
    agreed = ADVISOR.advise(joined([afternoon("S-a", 8, 0), afternoon("S-b", 8, 2)]))
    assert [d.to_value for d in agreed.decisions if d.kind is DecisionKind.CHANGE] == [8]
    session = joined([afternoon("S-a", 8, 0), afternoon("S-b", 16, 2)])
    advice = ADVISOR.advise(session)
    changes = [d for d in advice.decisions if d.kind is DecisionKind.CHANGE]
    assert len(changes) == 1
    assert {changes[0].to_value, *(f.to_value for f in changes[0].set_aside)} == {8, 16}
    assert len(Scripts(session, WORDS, advice.decisions).files()) == 1


def test_the_newest_words_count_and_old_notes_say_whose_they_are() -> None:
    """A title given later stands; a note may name E1 of its session, so it stands with that."""
    first = replace(afternoon("S-a", 8, 0), client="Freight", own_words=OwnWords(title="First", foreword="Hello"))
    second = replace(afternoon("S-b", 8, 2), notes=("E1: a backup ran",), own_words=OwnWords(title="Second"))
    both = joined([first, second])
    assert (both.client, both.own_words.title, both.own_words.foreword) == ("Freight", "Second", "Hello")
    assert both.notes == ("S-b: E1: a backup ran",)


def test_two_imports_are_not_thrown_together() -> None:
    """Their runs may have the same names, so one of them is to be chosen."""
    imported = imported_request().session
    with pytest.raises(BadInput, match="choose one of them"):
        joined([imported, replace(imported, session_id="S-other")])


def test_a_file_is_explained_as_one_session(tmp_path: Path) -> None:
    """Every session that measured anything, or those that are named; their runs all stand in the timeline."""
    file = write_client_file(tmp_path / "freight.replitune")
    with open_for_reading(file) as reader:
        every = [reader.read_session(one.header.session_id) for one in reader.list_sessions()]
    own = [one for one in every if one.runs]
    explained = explain_joined(file, [one.session_id for one in own], ADVISOR)
    assert len(explained.session.runs) == sum(len(one.runs) for one in own)
    assert len(explained.session.changes) == sum(len(one.changes) for one in own)
    assert explain_joined(file, (), ADVISOR).session.session_id == every[0].session_id
    section = timeline_section(explained.session, WORDS)
    assert bool(section.blocks) is (len(explained.session.runs) > 1)
