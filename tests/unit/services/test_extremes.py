"""What can be said of values that are all one number, of effects beyond any percentage, and of single runs."""

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.domain.comparison import Verdict
from app.domain.decision import DecisionKind
from app.domain.family import ExperimentFamily
from app.domain.session import Advice
from app.reporting.decision_words import headline, lead_text, short_interval
from app.reporting.wording import Vocabulary, effect_text
from app.services.explain.imported_session import read_session
from tests.shipped_rules import ADVISOR
from tests.unit.services.test_imported_decisions import PICKING, _levels, _runs, _session

BETTER: Final = Verdict.IMPROVEMENT
WORDS = Vocabulary(ADVISOR.families.values())


def _advice(folder: Path, times_by_streams: dict[int, tuple[float, ...]], noise_cv: float | None = None) -> Advice:
    rows = [
        f"distribution_agent,{streams}-{block},{block},run_time,{time_s},s,{streams}"
        for streams, times in times_by_streams.items()
        for block, time_s in enumerate(times, start=1)
    ]
    head = "family,run,block,metric,value,unit,SubscriptionStreams"
    (path := folder / "site.csv").write_text("\n".join((head, *rows)), encoding="utf-8")
    return ADVISOR.advise(read_session(path, ADVISOR.families, noise_cv))


def test_equal_values_show_no_difference_and_say_what_that_rests_on(tmp_path: Path) -> None:
    """An interval from a third to three times would say less than the numbers do."""
    advice = _advice(tmp_path, {1: (100.0,) * 3, 8: (100.0,) * 3})
    (only,) = advice.comparisons
    assert only.verdict is Verdict.NO_DIFFERENCE
    assert 0.95 < only.low < 1 < only.high < 1.05
    (told,) = (warning for warning in advice.warnings if "the same number, 100\u00a0s" in warning)
    assert "takes that to be 1 %" in told  # as the interval does, which is no wider for being unknown


def test_an_effect_beyond_any_percentage_is_a_change(tmp_path: Path) -> None:
    """A narrow interval around 200 times says more than one around a third."""
    (decision,) = _advice(tmp_path, {1: (10_000.0, 10_100.0, 10_050.0), 8: (50.1, 50.2, 50.3)}).decisions
    assert decision.kind is DecisionKind.CHANGE
    assert "200 times as fast (193–207" in headline(decision, WORDS)


def test_a_single_run_with_stated_noise_says_what_it_rests_on(tmp_path: Path) -> None:
    """Under a verdict of improvement stands the condition it holds by, not that nothing is settled."""
    advice = _advice(tmp_path, {1: (100.0,), 8: (61.0,)}, noise_cv=0.03)
    (decision,) = advice.decisions
    assert advice.comparisons[0].verdict is Verdict.IMPROVEMENT
    assert decision.kind is DecisionKind.MEASURE_AGAIN
    told = lead_text(decision, WORDS)
    assert "does not settle" not in told
    assert told.endswith("holds if runs vary as little as is stated; none was repeated, so measure it here first.")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_an_effect_that_is_shown_is_decided_however_wide_its_interval(family: ExperimentFamily, seed: int) -> None:
    """From 25 hours to 3 seconds at 30 % noise: both ends say little, the near one enough for a change."""
    chance = random.Random(seed)
    base, other, dear = _levels(family.parameters[0])
    shrinks = chance.choice((0.3, 0.01, 3e-5))
    for metric in family.main_metrics:
        runs = _runs(family, metric, {base: 1.0, other: shrinks**0.5, dear: shrinks})
        noisy = [replace(m, value=m.value * chance.lognormvariate(0, 0.3)) for m in runs]
        advice = ADVISOR.advise(_session(noisy))
        shown = [c for c in advice.comparisons if (c.reference[family.parameters[0].name], c.verdict) == (base, BETTER)]
        changes = [one for one in advice.decisions if one.kind is DecisionKind.CHANGE]
        assert bool(changes) == bool(shown)
        for change in changes:
            told = (headline(change, WORDS), lead_text(change, WORDS))
            assert not [text for text in told if "no interval" in text or "(95 % interval )" in text]
            assert not re.search(r"\d{2},\d{3}\s%", " ".join(told))


@pytest.mark.parametrize(
    ("ratio", "low", "high", "told"),
    [
        (1 / 32_717, 1e-7, 1 / 3_100, "32,717 times as fast (at least 3,100"),
        (0.3, 1e-4, 0.9, "70 % less run time (at least 10 %"),
        (1.5, 1.02, 1e6, "50 % more run time (at least 2 %"),
        (250.0, 90.0, 1e6, "250.0 times the run time (at least 90.0"),
    ],
)
def test_of_an_interval_too_wide_for_both_ends_the_near_one_is_told(
    ratio: float, low: float, high: float, told: str, tmp_path: Path
) -> None:
    """It is the least there is, which a claim rests on."""
    (decision,) = _advice(tmp_path, {1: (10_000.0, 10_100.0, 10_050.0), 8: (50.1, 50.2, 50.3)}).decisions
    assert decision.gain is not None
    wide = replace(decision.gain.comparison, ratio=ratio, low=low, high=high)
    made = replace(decision, gain=replace(decision.gain, comparison=wide))
    assert told in headline(made, WORDS).replace("\u00a0", " ")
    assert "or more" in short_interval(wide)
    assert "at least" in effect_text(wide, "Run time")
