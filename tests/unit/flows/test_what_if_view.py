"""Noise and smallest effect as a what-if: verdicts move, the session does not."""

import pytest

from app.bootstrap import build_program
from app.domain.comparison import Verdict
from app.domain.errors import BadInput
from app.domain.view import Emphasis
from app.flows.explain.what_if_view import plan_percents, read_percent, what_if
from app.foundation.paths import resource_path
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession
from app.services.explain.imported_session import read_session
from app.services.program import Program
from tests.report.sample import full_session


@pytest.fixture(scope="module")
def program() -> Program:
    """The program with its own analysis and rules."""
    return build_program()


@pytest.fixture(scope="module")
def words(program: Program) -> Vocabulary:
    """What the window calls things."""
    return Vocabulary(tuple(program.families.values()))


@pytest.fixture(scope="module")
def explained(program: Program) -> ExplainedSession:
    """A session of two runs."""
    session = full_session()
    return ExplainedSession(session, program.advisor.advise(session), "")


def test_the_plans_own_values_change_nothing(explained: ExplainedSession, program: Program, words: Vocabulary) -> None:
    """Every comparison stands beside itself."""
    found = what_if(explained, program.advisor, words, None, None)
    assert found.sentence == "No verdict would change."
    assert len(found.table.rows) == len(explained.advice.comparisons)
    assert all(row.cells[1].text == row.cells[3].text for row in found.table.rows)


def test_other_values_make_other_verdicts(explained: ExplainedSession, program: Program, words: Vocabulary) -> None:
    """Noisier servers leave open what was shown, a larger effect settles it; the session's own advice stays."""
    before = explained.advice
    noisy = what_if(explained, program.advisor, words, None, 0.15)
    strong = [row for row in noisy.table.rows if row.cells[4].emphasis is Emphasis.STRONG]
    assert strong
    assert {row.cells[4].verdict for row in strong} == {Verdict.CANNOT_TELL}
    assert f"of {len(noisy.table.rows)} verdicts would change" in noisy.sentence
    large = what_if(explained, program.advisor, words, 0.9, 0.15)
    assert any(row.cells[4].verdict is Verdict.NO_DIFFERENCE for row in large.table.rows)
    assert program.advisor.advise(explained.session) == before


def test_another_noise_makes_other_intervals_of_measurements_from_elsewhere(
    program: Program, words: Vocabulary
) -> None:
    """A published study with one run each shows less the noisier its servers were."""
    session = read_session(resource_path("published", "replication-agents-2018.csv"), program.families, 0.03)
    study = ExplainedSession(session, program.advisor.advise(session), "")
    found = what_if(study, program.advisor, words, None, 0.2)
    assert all(row.cells[1].text != row.cells[3].text for row in found.table.rows)
    assert "verdicts would change" in found.sentence
    assert plan_percents(session) == ("", "")


def test_fields_begin_with_the_plans_values(explained: ExplainedSession) -> None:
    """In percent; a noise that is measured is left empty."""
    effect, _noise = plan_percents(explained.session)
    assert effect == f"{explained.session.runs[-1].plan.design.minimum_effect * 100:g}"


@pytest.mark.parametrize(("text", "share"), [("5", 0.05), (" 2,5 % ", 0.025), ("", None)])
def test_a_percentage_is_read(text: str, share: float | None) -> None:
    """Point or comma; nothing keeps the plan's value."""
    assert read_percent(text) == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize("text", ["0", "100", "x"])
def test_what_is_no_percentage_is_told(text: str) -> None:
    """In one sentence."""
    with pytest.raises(BadInput):
        read_percent(text)
