"""The lines a command ends with."""

import io
from dataclasses import replace
from pathlib import Path

from app.cli.summary import print_summary
from app.domain.plan import Phase
from app.domain.session import Advice
from app.services.explain.deciding import decided
from app.services.workplace import Workplace
from tests.report.sample import FAMILIES, full_advice, full_session

PLACE = Workplace(Path("somewhere"))


def _said(advice: Advice, *, is_imported: bool = False) -> str:
    stream = io.StringIO()
    print_summary(advice, PLACE, stream, FAMILIES, is_imported=is_imported)
    return stream.getvalue()


def _explored() -> Advice:
    advice = full_advice()
    return replace(advice, comparisons=tuple(replace(c, phase=Phase.EXPLORE) for c in advice.comparisons))


def test_leads_are_not_counted_as_improvements() -> None:
    """A run that ended while exploring shows leads, which claim nothing; what it recommends is not confirmed."""
    advice = _explored()
    facts = (("confirmed", False, ""),)
    doubtful = replace(advice, findings=tuple(replace(f, facts=facts) for f in advice.findings))
    said = _said(decided(full_session(), doubtful, FAMILIES))
    assert "none; exploring trials claim nothing. Leads: " in said
    assert "improved" not in said
    listed = said.partition("Verdicts")[0]
    assert "Change: " not in listed


def test_what_may_be_claimed_is_counted() -> None:
    """Confirmations count alone; measurements from elsewhere have no other trials than theirs."""
    assert "improved" in _said(full_advice())
    assert "not confirmed" not in _said(full_advice())
    assert "improved" in _said(_explored(), is_imported=True)


def test_decisions_are_listed_and_what_changes_nothing_stands_below_them() -> None:
    """One numbered line for each decision, as the report's table has it; no finding is a line of its own."""
    advice = full_advice()
    said = _said(advice).splitlines()
    numbered = [line for line in said if line[:1].isdigit()]
    assert [line.partition(".")[0] for line in numbered] == [str(one.number) for one in advice.decisions]
    notes = [note for one in advice.decisions for note in one.notes]
    assert notes
    for note in notes:
        assert sum(line.startswith(f"   - {note.title}") for line in said) == 1
