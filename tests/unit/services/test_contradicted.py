"""Numbers of a file that cannot all hold are no reason for a change; the decision says so, not the note alone."""

from pathlib import Path

import pytest

from app.domain.decision import Decision, DecisionKind
from app.reporting.decision_card import decision_card
from app.reporting.decision_words import headline, lead_text
from app.reporting.wording import Vocabulary
from app.services.explain.imported_session import read_session
from tests.shipped_rules import ADVISOR

WORDS = Vocabulary(ADVISOR.families.values())
HEAD = "family,run,block,metric,value,unit,SubscriptionStreams"


def _runs(rate_of_eight: int, *, rate_of_two: int | None = None) -> str:
    """Return three blocks of one stream at 2,000 commands/s, of eight, and where asked of two in 90 s."""
    rates = {1: (100, 2000), 8: (61, rate_of_eight)} | ({2: (90, rate_of_two)} if rate_of_two else {})
    rows = [
        f"distribution_agent,{streams}-{block},{block},{cells},{streams}"
        for block in (1, 2, 3)
        for streams, (time_s, rate) in rates.items()
        for cells in (f"run_time,{time_s * (1 + block / 1000)},s", f"throughput,{rate - block},commands/s")
    ]
    return "\n".join((HEAD, *rows))


def _decision(folder: Path, text: str) -> Decision:
    (path := folder / "site.csv").write_text(text, encoding="utf-8")
    (decision,) = ADVISOR.advise(read_session(path, ADVISOR.families, None)).decisions
    return decision


def test_runs_of_unequal_work_ask_for_no_change(tmp_path: Path) -> None:
    """Times that do not compare change nothing, however far apart they are."""
    decision = _decision(tmp_path, _runs(1200))
    assert decision.kind is DecisionKind.MEASURE_AGAIN
    assert headline(decision, WORDS) == (
        "Leave SubscriptionStreams at 1: numbers of the runs that compare it with 8 contradict each other"
    )
    assert "Numbers of these runs cannot all hold, so check them first." in lead_text(decision, WORDS)
    assert not decision_card(decision, WORDS).also  # such as that the most streams tried did best


def test_a_contradiction_elsewhere_leaves_a_comparison_alone(tmp_path: Path) -> None:
    """Only comparisons that rest on a run whose numbers do not hold are in doubt."""
    decision = _decision(tmp_path, _runs(3280, rate_of_two=100))
    assert (decision.kind, decision.to_value) == (DecisionKind.CHANGE, 8)


@pytest.mark.parametrize(("rate", "kind"), [(3280, DecisionKind.CHANGE), (2600, DecisionKind.MEASURE_AGAIN)])
def test_a_stated_amount_is_held_against_each_run(tmp_path: Path, rate: int, kind: DecisionKind) -> None:
    """A rate and a time make the commands of the backlog, or the change rests on numbers that do not hold."""
    head, *rows = _runs(rate).splitlines()
    assert _decision(tmp_path, "\n".join((f"{head},commands", *(f"{row},200000" for row in rows)))).kind is kind
