"""One agent has one setting: whatever combinations a file holds, one change of it is made, against one reference."""

import io
import itertools
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.cli.summary import print_summary
from app.domain.decision import DecisionKind
from app.domain.measurement import Measurement
from app.domain.session import SessionRecord
from app.domain.setting import Setting
from app.reporting.decision_card import decision_card
from app.reporting.wording import Vocabulary
from app.services.workplace import Workplace
from tests.one_reference import assert_holds_at_the_site
from tests.shipped_rules import ADVISOR
from tests.unit.services.test_imported_decisions import _session as imported

SHIPPED = tuple(ADVISOR.families.values())
WORDS = Vocabulary(SHIPPED)
NAMES = ("CommitBatchSize", "SubscriptionStreams")

Cells = Mapping[tuple[int, int], float]

SIX_OF_TWELVE: Cells = {(100, 4): 300, (400, 1): 420, (400, 4): 200, (400, 8): 150, (200, 8): 170, (100, 8): 240}
STAR: Cells = {(100, 1): 300, (200, 1): 240, (400, 1): 200, (100, 4): 180, (100, 8): 170}
STAR_BESIDE_THE_DEFAULT: Cells = {(200, 4): 300, (200, 1): 400, (100, 4): 350, (400, 4): 240, (200, 8): 200}
GRID_AND_SWEEP: Cells = {(100, 1): 300, (200, 1): 250, (100, 4): 200, (200, 4): 160, (800, 1): 120, (1600, 1): 100}
APART: Cells = {(100, 1): 300, (200, 1): 250, (400, 8): 150, (800, 8): 110}


def from_cells(cells: Cells, chance: random.Random, *, blocks: int = 3, noise: float = 0.02) -> SessionRecord:
    """Return a file of so many runs of each combination, all of one Distribution Agent under one load."""
    return imported(
        [
            Measurement(
                family="distribution_agent",
                trial_id=f"{size}-{streams}-{block}",
                block=block,
                metric="run_time",
                value=seconds * chance.lognormvariate(0, noise),
                unit="s",
                setting=Setting.from_mapping(dict(zip(NAMES, (size, streams), strict=True))),
            )
            for block in range(1, blocks + 1)
            for (size, streams), seconds in cells.items()
        ]
    )


@pytest.mark.parametrize(
    "cells",
    [SIX_OF_TWELVE, STAR, STAR_BESIDE_THE_DEFAULT, GRID_AND_SWEEP, APART],
    ids=["six of twelve cells", "star", "star beside the default", "grid and sweep", "apart"],
)
def test_an_agent_measured_in_some_combinations_is_changed_once(cells: Cells) -> None:
    """Not three changes with three references, which the run sheet would make one after the other."""
    session = from_cells(cells, random.Random(3))
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, {})
    assert [one.kind for one in advice.decisions].count(DecisionKind.CHANGE) == 1


def test_six_of_twelve_combinations_are_judged_against_one_of_them() -> None:
    """400 x 8 did best: that is the setting told, against the baseline, and no cell without the one beside it."""
    advice = ADVISOR.advise(from_cells(SIX_OF_TWELVE, random.Random(3)))
    assert {tuple(c.candidate[name] for name in NAMES) for c in advice.comparisons} == {(400, 8)}
    change = next(one for one in advice.decisions if one.kind is DecisionKind.CHANGE)
    assert change.gain is not None
    assert tuple(change.gain.comparison.reference[name] for name in NAMES) == (100, 4)


def test_the_second_arm_of_a_star_is_to_be_measured_beside_the_first() -> None:
    """Both arms gain; nothing ran both changes, so the second is asked for where the first is in effect."""
    advice = ADVISOR.advise(from_cells(STAR, random.Random(3)))
    first, second = advice.decisions
    assert (first.kind, second.kind) == (DecisionKind.CHANGE, DecisionKind.MEASURE_AGAIN)
    assert {first.parameter, second.parameter} == set(NAMES)
    told = decision_card(second, WORDS).headline
    assert told.startswith(f"Measure {second.parameter} ")
    assert f"with {first.parameter} {first.to_value} first: " in told
    assert f"was seen with {first.parameter} {first.from_value}" in told


@pytest.mark.parametrize("seed", range(60))
def test_whatever_combinations_ran_an_agent_has_one_change(seed: int) -> None:
    """Any part of a grid, with and without a cliff at one level, in files of any noise."""
    chance = random.Random(seed)
    sizes, streams = chance.sample((100, 200, 400, 800), 3), chance.sample((1, 2, 4, 8), 3)
    cells = list(itertools.product(sizes, streams))
    cells = chance.sample(cells, chance.randint(3, len(cells)))
    steep, deep, cliff = chance.uniform(0.0, 0.8), chance.uniform(0.0, 0.8), chance.choice(streams)
    falls = chance.choice((1.0, 0.02, 40.0))
    seconds = {
        (size, many): 300 * (size / 100) ** -steep * many**-deep * (falls if many >= cliff else 1.0)
        for size, many in cells
    }
    session = from_cells(seconds, chance, noise=chance.choice((0.01, 0.05, 0.2)))
    assert_holds_at_the_site(session, ADVISOR.advise(session), WORDS, {})


def test_counts_of_verdicts_say_what_they_compare() -> None:
    """One setting with five others: "4 improved" is of that one, against each."""
    session = from_cells(SIX_OF_TWELVE, random.Random(3))
    print_summary(ADVISOR.advise(session), Workplace(Path("a")), (out := io.StringIO()), SHIPPED, is_imported=True)
    assert "(CommitBatchSize 400, SubscriptionStreams 8 against each other setting)" in out.getvalue()
