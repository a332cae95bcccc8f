"""Whole runs on incidents drawn at random: how long they take, how good their pick is, and whether their claims hold.

The figures are printed (`pytest -rP` shows them) and recorded as properties of the tests.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from scipy.stats import norm

from tests.benchmarks.figures import fewest_by_chance, most_by_chance
from tests.prove.kept_incidents import BLOCKS, INCIDENTS, NOISES, cell
from tests.prove.shares import PARTS, ROUNDS, Share

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

FALSE = 0.05
COVERED = 0.93
MOST_APART = 0.05


class Goal(NamedTuple):
    """The goals of one cell.

    Attributes:
        minutes: mean, of the servers' time. in_time: sessions that end within `kept_incidents.MOST_MINUTES`.
        right: picks within 2 % of the best. loss: mean, a share.
        delivered: at least, against what would have been delivered had the agent been left alone; on a flat site, where
            nothing makes up for switching, what the simulation of the design came to.
    """

    minutes: float
    in_time: float = 0.90
    right: float = 0.93
    loss: float = 0.005
    delivered: float = 1.0


GOALS = {
    cell("joint space", "site"): Goal(30),
    cell("SubscriptionStreams alone", "site"): Goal(15),
    cell("flat", "site"): Goal(45, delivered=0.7),
}
"""ReadBatchSize has none: its sessions take 24 minutes, not the 15 aimed at, and pick within 2 % in 77 of 100. Its
settings differ by 5 to 20 % at most sites while windows of one scatter by 10 %, so that most of the time is pairs."""


def _line(name: str) -> str:
    """Return the figures of a cell."""
    count, told = (max(1, INCIDENTS.count(name, what)) for what in ("sessions", "telling"))
    means = ("minutes", "in time", "right", "loss", "pairs", "delivered")
    minutes, in_time, right, loss, pairs, delivered = (INCIDENTS.sum(name, what) / count for what in means)
    counted = ("claiming", "false", "covering", "confirming", "changes", "if worth it")
    claims, false, covers, of, changes, opens = (INCIDENTS.count(name, what) for what in counted)
    stated, came = INCIDENTS.sum(name, "stated") / told, INCIDENTS.sum(name, "right where told") / told
    return (
        f"{name}: {minutes:.1f} min, {in_time:.0%} within 45; within 2 % {right:.1%}, mean loss {loss:.2%}; told "
        f"{stated:.1%}, came true {came:.1%} of {told}; {pairs:.1f} pairs, {claims} claims, {false} false, covers "
        f"{covers} of {of}; {changes} changes, {opens} of them if worth it; delivered {delivered:.2f} of leaving it; "
        f"{count} sessions"
    )


EXPERIMENTS = tuple(dict.fromkeys(kind for kind, _noise in BLOCKS))
"""Whose blocks at a site and at a rough one take turns."""


def test_each_round_of_a_part_meets_every_experiment_and_both_kinds_of_site() -> None:
    """Of any share something is run again; all rounds of all parts run all of it."""
    rounds = [Share(part + 1, "test", number) for part in range(PARTS) for number in range(ROUNDS)]
    met = [[block for kind in EXPERIMENTS for block in _chosen(kind, share)] for share in rounds]
    noises = [{noise for noise in NOISES for name, _block in blocks if name.endswith(noise)} for blocks in met]
    assert noises == [set(NOISES)] * len(rounds)
    everything = {(name, block) for name, series in INCIDENTS.series.items() for block in range(series.blocks)}
    assert {block for blocks in met for block in blocks} == everything


def _chosen(kind: str, share: Share) -> Sequence[tuple[str, int]]:
    """Return the blocks of an experiment that are run again."""
    return INCIDENTS.chosen(share, *_cells(kind))


def _cells(kind: str) -> list[str]:
    return [cell(kind, noise) for noise in NOISES if (kind, noise) in BLOCKS]


@pytest.mark.minutes
@pytest.mark.parametrize("kind", EXPERIMENTS)
def test_the_sessions_kept_are_what_the_lab_does(kind: str, share: Share) -> None:
    """To each limit; after a change `python -m tests.prove.kept_incidents` writes them anew."""
    INCIDENTS.check_again(share, *_cells(kind))


@pytest.mark.parametrize("name", INCIDENTS.series)
def test_what_is_claimed_holds(name: str, record_property: Record) -> None:
    """False claims, coverage, and the probability that the model told of its pick, beside the share that is right."""
    line = _line(name)
    record_property(name, line)
    print(line)
    sessions, confirming, told = (INCIDENTS.count(name, what) for what in ("sessions", "confirming", "telling"))
    assert INCIDENTS.count(name, "false") <= most_by_chance(sessions, FALSE), line
    assert INCIDENTS.count(name, "covering") >= fewest_by_chance(confirming, COVERED), line
    if told:
        stated, came = INCIDENTS.sum(name, "stated") / told, INCIDENTS.count(name, "right where told") / told
        by_chance = float(norm.ppf(0.99)) * math.sqrt(stated * (1 - stated) / told)
        assert stated - came - by_chance <= MOST_APART, line


@pytest.mark.parametrize("name", GOALS)
def test_the_goals_are_met(name: str) -> None:
    """Minutes, the pick, and what was delivered meanwhile; shares may be missed by chance."""
    goal, line, count = GOALS[name], _line(name), INCIDENTS.count(name, "sessions")
    assert INCIDENTS.sum(name, "minutes") / count <= goal.minutes, line
    assert INCIDENTS.count(name, "in time") >= fewest_by_chance(count, goal.in_time), line
    assert INCIDENTS.count(name, "right") >= fewest_by_chance(count, goal.right), line
    assert INCIDENTS.sum(name, "loss") / count <= goal.loss, line
    assert INCIDENTS.sum(name, "delivered") / count >= goal.delivered, line
