"""What the session before showed is told where the next thing is chosen, and is proposed last."""

from dataclasses import replace

import pytest

from app.domain.comparison import Verdict
from app.domain.plan import Factor, Plan
from app.domain.setting import Setting
from app.flows.target.proposals import Proposal
from app.flows.target.shown_before import shown_last, shown_line
from app.services.explain.verdict_counts import Showed

SHOWED = Showed({Verdict.IMPROVEMENT: 1}, "SubscriptionStreams 8, CommitBatchSize 5,000", -0.41)


def proposal(*names: str) -> Proposal:
    """Return the proposal of an experiment on some parameters."""
    plan = Plan("a family", tuple(Factor(name, (1, 8)) for name in names), Setting())
    return Proposal("a family", ", ".join(names), "", "", None, plan, "")


@pytest.mark.parametrize("showed", [(), (Showed({}),), (replace(SHOWED, best=""),)])
def test_nothing_is_told_where_nothing_was_shown(showed: tuple[Showed, ...]) -> None:
    """An undecided session leaves the proposals as they are."""
    made = (proposal("SubscriptionStreams"), proposal("ReadBatchSize"))
    assert shown_line(showed) == ""
    assert shown_last(made, showed) == made


def test_a_parameter_that_was_shown_comes_behind_the_others() -> None:
    """One that was tried beside a new one is new."""
    made = (proposal("SubscriptionStreams"), proposal("SubscriptionStreams", "PacketSize"), proposal("ReadBatchSize"))
    assert shown_last(made, (SHOWED,)) == (made[1], made[2], made[0])
    told = shown_line((SHOWED, SHOWED)).replace("\u00a0", " ")
    assert told == "Already shown here: SubscriptionStreams 8, CommitBatchSize 5,000: −41 %"


def test_every_session_of_the_client_counts() -> None:
    """What an earlier one showed is not proposed first either, and stands in the line."""
    earlier = Showed({Verdict.IMPROVEMENT: 1}, "ReadBatchSize 5,000", -0.18)
    made = (proposal("ReadBatchSize"), proposal("PacketSize"), proposal("SubscriptionStreams"))
    assert shown_last(made, (earlier, SHOWED)) == (made[1], made[0], made[2])
    told = shown_line((earlier, SHOWED)).replace("\u00a0", " ")
    assert "ReadBatchSize 5,000: −18 %; SubscriptionStreams 8" in told
