"""What may do better than the recommended setting is named in the decision, wherever it is read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from app.domain.decision import Decision, DecisionKind
from app.domain.plan import Design, Stop
from app.domain.session import Advice
from app.reporting.decision_card import card_lines, decision_card
from app.reporting.export.json_export import advice_json
from app.reporting.wording import Vocabulary
from tests.contract.families.lab_runs import FAMILIES
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import plan_of
from tests.unit.services.test_advising import measured

STREAMS = plan_of(SubscriptionStreams=(1, 4, 8, 16))
CONFIRMED: Mapping[int, Sequence[float]] = {1: (500, 520, 490, 505), 8: (300, 290, 309, 305)}
CLOSE: Mapping[int, Sequence[float]] = {
    1: (500, 470, 540), 4: (305, 318, 296), 8: (300, 309, 303), 16: (440, 420, 470),
}  # fmt: skip
APART = {**CLOSE, 4: (370, 386, 359)}
OPEN = "Whether SubscriptionStreams 4 does better than 8 by 5\u00a0% or more is open: "


def _advised(explored: Mapping[int, Sequence[float]], design: Design | None = None) -> Advice:
    plan = replace(STREAMS, design=design or STREAMS.design)
    return ADVISOR.advise(measured(plan, explored, CONFIRMED))


def _change(advice: Advice) -> Decision:
    return next(decision for decision in advice.decisions if decision.parameter == "SubscriptionStreams")


def test_a_value_that_may_do_better_still_is_named_everywhere() -> None:
    """8 streams are shown better than 1; the trials do not exclude that 4 does better than 8, and 16 they do."""
    advice = _advised(CLOSE)
    decision = _change(advice)
    assert (decision.kind, decision.to_value, decision.rivals) == (DecisionKind.CHANGE, 8, (4,))
    assert decision.rival_trials_needed > 3
    sentence = f"{OPEN}{decision.rival_trials_needed} more trials of each settle it."
    card = decision_card(decision, Vocabulary(FAMILIES.values()))
    assert card.lead.endswith(sentence)
    assert any(sentence in line for line in card_lines([card]))
    assert decision.finding.because.endswith(sentence)


def test_json_names_them_with_the_runs_needed() -> None:
    """Beside the runs the decision itself needs, which is settled."""
    decision = _change(_advised(CLOSE))
    (written,) = (
        d
        for d in json.loads(json.dumps(advice_json(_advised(CLOSE), Vocabulary(FAMILIES.values()))))["decisions"]
        if d["parameter"] == "SubscriptionStreams"
    )
    assert (written["rivals"], written["rival_runs_needed"]) == ([4], decision.rival_trials_needed)
    assert written["runs_needed"] == 0


def test_nothing_is_said_where_the_others_are_worse() -> None:
    """All others are shown not to do better: the decision stands as it is."""
    decision = _change(_advised(APART))
    assert (decision.rivals, decision.rival_trials_needed) == ((), 0)
    assert "is open" not in decision_card(decision, Vocabulary(FAMILIES.values())).lead + decision.finding.because


@pytest.mark.parametrize("stop", Stop)
def test_whatever_ends_exploring_they_are_named(stop: Stop) -> None:
    """A model, too, tells apart no more than its trials do: what it predicts excludes nothing."""
    assert _change(_advised({**CLOSE, 4: (302, 315, 293)}, Design(stop=stop))).rivals == (4,)
    assert _change(_advised(APART, Design(stop=stop))).rivals == ()


@pytest.mark.parametrize(("needed", "said"), [(50, "50 more trials of each settle it."), (51, "too large to settle")])
def test_nobody_is_sent_for_hundreds_of_trials(needed: int, said: str) -> None:
    """What no run settles is said to be so."""
    decision = _change(_advised(CLOSE))
    assert decision.gain is not None
    comparison = decision.gain.comparison
    assert comparison.rivals is not None
    more = replace(comparison, rivals=replace(comparison.rivals, trials_needed=needed))
    told = replace(decision, gain=replace(decision.gain, comparison=more))
    assert said in decision_card(told, Vocabulary(FAMILIES.values())).lead


def test_the_value_in_effect_is_not_called_the_best_beside_a_rival() -> None:
    """Leave it; that it did best of all is not known."""
    decision = _change(_advised(CLOSE))
    left = replace(decision, kind=DecisionKind.LEAVE, to_value=None, in_effect="8")
    assert decision_card(left, Vocabulary(FAMILIES.values())).headline == (
        "Leave SubscriptionStreams at 8 (measured: 8 against 1)"
    )
