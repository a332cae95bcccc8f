"""One factor that helps by itself is told by all trials with and without it, where its own few leave that open."""

import math
from dataclasses import replace

import pytest

from app.analysis.compare import AgainstBest, compare
from app.analysis.comparing.by_factors import by_factors
from app.analysis.factorial import Factorial
from app.analysis.simplest import Judging
from app.analysis.student import CONFIDENCE, simultaneous_quantile
from app.domain.comparison import Comparison, Contrast, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting
from tests.unit.analysis.observing import setting

BASE, PACKED, LARGE, BOTH = (setting(batch=batch, packed=packed) for batch in (1, 9) for packed in (0, 1))
NOISY = {BASE: (10.0, 7.0), PACKED: (8.0, 6.5), LARGE: (9.0, 7.5), BOTH: (6.0, 8.5)}
JUDGING = Judging(BASE, {}, Better.LOWER, 0.05)
MEASURED = tuple(
    Measurement("toy", f"T{block}-{of.label()}", block, "run_time", value, "s", of)
    for of, values in NOISY.items()
    for block, value in enumerate(values, start=1)
)


def contrast(shown_by: float, comparisons: int = 3, degrees: float = 7.0) -> Contrast:
    """Return the contrast of packing, whose interval ends at this share of the way beyond no effect."""
    reach, error = simultaneous_quantile(CONFIDENCE, comparisons, degrees), 0.1
    log = -(1 + shown_by) * reach * error
    low, high = math.exp(log - reach * error), math.exp(log + reach * error)
    return Contrast("packed", 1, 0, (), math.exp(log), low, high, error, degrees, comparisons)


def told(*contrasts: Contrast, recommended: Setting = PACKED, interacts: bool = False) -> dict[Setting, Comparison]:
    """Return the comparisons of the recommended setting, by what it is compared with."""
    compared = compare(MEASURED, AgainstBest(recommended), Better.LOWER, 0.05, None)
    apart = Factorial(interacts, contrasts, recommended)
    return {one.reference: one for one in by_factors(compared, apart, JUDGING, MEASURED)}


@pytest.mark.parametrize("comparisons", [1, 3])
def test_its_p_follows_the_interval(comparisons: int) -> None:
    """Where the interval just ends at no effect, p is the error it leaves, shared out as that is."""
    just = told(contrast(1e-9, comparisons))[BASE]
    assert just.high == pytest.approx(1.0)
    assert just.p_adjusted == pytest.approx(1 - CONFIDENCE)


def test_all_trials_with_and_without_it_stand_behind_the_comparison_with_the_baseline() -> None:
    """Whatever the other factor was; comparisons with other settings stay as they were."""
    made, plain = told(contrast(1.0)), told()
    one = made.pop(BASE)
    plain.pop(BASE)
    assert one.verdict is Verdict.IMPROVEMENT
    assert set(one.reference_trials) == {m.trial_id for m in MEASURED if m.setting in {BASE, LARGE}}
    assert set(one.candidate_trials) == {m.trial_id for m in MEASURED if m.setting in {PACKED, BOTH}}
    assert one.trials_needed == 0
    assert (one.ratio, one.low, one.high) == (contrast(1.0).ratio, contrast(1.0).low, contrast(1.0).high)
    assert made == plain


def test_what_could_have_been_shown_follows_from_its_own_noise() -> None:
    """Twice the standard error asks for the square of the change."""
    of = contrast(1.0)
    narrow, wide = told(of)[BASE], told(replace(of, error=2 * of.error))[BASE]
    assert 1 + wide.smallest_effect == pytest.approx((1 + narrow.smallest_effect) ** 2)


@pytest.mark.parametrize(
    "made",
    [
        {"recommended": BOTH, "interacts": True},
        {"interacts": True},
        {"recommended": BASE},
    ],
)
def test_where_it_does_not_help_alone_single_cells_are_told(made: dict[str, object]) -> None:
    """Two factors or one that depend on each other, none."""
    both = contrast(1.0), replace(contrast(1.0), factor="batch", level=9, reference=1)
    assert told(*both, **made) == told(**made)  # type: ignore[arg-type]  # cases name what it takes


def test_several_that_help_by_themselves_are_told_by_each() -> None:
    """Their intervals hold together, so what they make together lies between the products of their ends."""
    packing, batches = contrast(1.0), replace(contrast(1.0), factor="batch", level=9, reference=1)
    one = told(packing, batches, recommended=BOTH)[BASE]
    plain = told(recommended=BOTH)[BASE]
    assert plain.verdict is not Verdict.IMPROVEMENT
    assert one.verdict is Verdict.IMPROVEMENT
    assert (one.ratio, one.low, one.high) == pytest.approx((packing.ratio**2, packing.low**2, packing.high**2))
    assert one.p_adjusted < 1 - CONFIDENCE
    assert (one.reference_trials, one.candidate_trials) == (plain.reference_trials, plain.candidate_trials)
