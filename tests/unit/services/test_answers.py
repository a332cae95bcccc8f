"""When servers last answered: the 30 seconds of a silence count from there, whenever they are asked in vain."""

from datetime import UTC, datetime

import pytest

from app.domain.ports import StatementSink
from app.domain.statement import Access, StatementRecord
from app.domain.target import Target
from app.services.target.answers import SILENT_FROM_S, Answers, GivenUp
from tests.labs import MemoryConnection, ignore
from tests.unit.runner.memory import MemoryClock

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
"""Of a clock in memory."""


class Site:
    """A target in memory whose statements a test lets end."""

    def __init__(self) -> None:
        self.clock = MemoryClock()
        self.connection = MemoryConnection(self.clock)
        self.sink: StatementSink = ignore
        self.cancels = 0
        self.connection.cancel = self._note_cancel  # type: ignore[method-assign]  # counted here
        self.answers = Answers(self._open, self.clock)
        self.target = self.answers.open("dist1", 1, ignore)

    def _open(self, _target: str, _seed: int, on_statement: StatementSink, /) -> Target:
        self.sink = on_statement
        return Target(self.connection, {})

    def _note_cancel(self) -> None:
        self.cancels += 1

    def end_statement(self, error: str = "") -> None:
        """A statement ends, with or without an answer."""
        self.sink(StatementRecord("s", Access.READ, "DIST1", "", "{}", BEGAN, 1.0, 0, error))

    def is_silent(self) -> bool:
        """Look, as the window does every second, also a second before."""
        return self.answers.look() is not None

    def look_for(self, seconds: float) -> float | None:
        """Look every second for so long; return after how many seconds silence is told, None where it is not."""
        for passed_s in range(1, round(seconds) + 1):
            self.clock.sleep(1.0)
            if self.answers.look() is not None:
                return float(passed_s)
        return None


@pytest.mark.parametrize("asked_after_s", [0, 1, 7, 13, 25])
def test_silence_counts_from_the_last_answer_whenever_the_next_question_is_asked(asked_after_s: int) -> None:
    """A site that is read at intervals is told silent no later than one that is asked all the time."""
    site = Site()
    site.end_statement()
    assert site.look_for(asked_after_s) is None
    with site.connection.asked.asking("SUB1"):
        assert site.look_for(60) == SILENT_FROM_S - asked_after_s
        silence = site.answers.look()
    assert silence is not None
    assert (silence.server, silence.silent_s) == ("SUB1", SILENT_FROM_S)
    assert silence.since_utc == BEGAN
    assert not site.is_silent()  # nobody is asked any more


def test_a_question_after_a_long_pause_has_a_moment_to_be_answered() -> None:
    """Readings may be a minute apart: the first second of one is no silence."""
    site = Site()
    site.end_statement()
    assert site.look_for(48) is None
    with site.connection.asked.asking("DIST1"):
        assert site.look_for(60) == 3.0


def test_a_statement_that_failed_is_no_answer() -> None:
    """Nor is the pause behind it: whoever tries again goes on waiting for the server."""
    site = Site()
    site.end_statement()
    with site.connection.asked.asking("DIST1"):
        assert site.look_for(20) is None
    site.end_statement("no answer within 15 s")
    assert site.look_for(60) == SILENT_FROM_S - 20.0
    site.end_statement()
    assert not site.is_silent()


def test_a_target_that_is_opened_is_named_as_it_was_asked_for() -> None:
    """Before a server told its name, the target is what a person knows."""
    site, seen = Site(), []

    def open_slowly(target: str, _seed: int, _sink: StatementSink, /) -> Target:
        for _second in range(31):
            site.clock.sleep(1.0)
            seen.append(answers.look())
        return Target(site.connection, {})

    answers = Answers(open_slowly, site.clock)
    answers.open("dist1.example", 1, ignore)
    assert seen[27] is None
    assert seen[28] is not None
    assert seen[28].server == "dist1.example"


def test_what_was_not_asked_in_a_pause_is_no_silence() -> None:
    """A run that goes on after a pause counts anew."""
    site = Site()
    site.clock.sleep(600.0)
    site.answers.begin_anew()
    with site.connection.asked.asking("DIST1"):
        assert site.look_for(60) == SILENT_FROM_S


def test_work_that_is_given_up_ends_with_its_statement_and_opens_nothing_more() -> None:
    """Nobody on the way makes a reading of it; each give-up ends the statement that runs by then."""
    site = Site()
    site.answers.give_up()
    site.answers.give_up()
    assert site.cancels == 2
    with pytest.raises(GivenUp):
        site.end_statement("cancelled")
    with pytest.raises(GivenUp):
        site.answers.open("dist1", 1, ignore)
