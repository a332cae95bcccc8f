"""The lines a command ends with."""

import io
from dataclasses import replace
from pathlib import Path

from app.cli.summary import print_summary
from app.domain.plan import Phase
from app.domain.session import Advice
from app.services.workplace import Workplace
from tests.report.sample import full_advice

PLACE = Workplace(Path("somewhere"))


def _said(advice: Advice, *, is_imported: bool = False) -> str:
    stream = io.StringIO()
    print_summary(advice, PLACE, stream, is_imported=is_imported)
    return stream.getvalue()


def _explored() -> Advice:
    advice = full_advice()
    return replace(advice, comparisons=tuple(replace(c, phase=Phase.EXPLORE) for c in advice.comparisons))


def test_leads_are_not_counted_as_improvements() -> None:
    """A run that ended while exploring shows leads, which claim nothing; what it recommends is not confirmed."""
    advice = _explored()
    facts = (("confirmed", False, ""),)
    doubtful = replace(advice, findings=tuple(replace(f, facts=facts) for f in advice.findings))
    said = _said(doubtful)
    assert "none; exploring trials claim nothing. Leads: " in said
    assert "improved" not in said
    assert " (not confirmed)" in said.partition("Verdicts")[0]


def test_what_may_be_claimed_is_counted() -> None:
    """Confirmations count alone; measurements from elsewhere have no other trials than theirs."""
    assert "improved" in _said(full_advice())
    assert "not confirmed" not in _said(full_advice())
    assert "improved" in _said(_explored(), is_imported=True)
