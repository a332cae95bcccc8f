"""Rivals of the setting that stays: what the trials exclude, worked out by hand, and whom they concern."""

import math
from dataclasses import replace

from app.analysis.compare import against, compare
from app.analysis.distributions import t_quantile
from app.analysis.rivals import Seen, with_rivals
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from tests.unit.analysis.making import level, table

BLOCKS = 3


def _rows(second: float, scatter: float = 0.04) -> tuple[Measurement, ...]:
    """Return 1, 4 and 8 streams in three blocks with residuals of a known size; 4 take `second` times what 8 do."""
    turns = ((1, -1, 0), (0, 1, -1), (-1, 0, 1))
    levels = ((1, 500.0), (4, 300.0 * second), (8, 300.0))
    return table({v: [s * math.exp(scatter * n) for n in turn] for (v, s), turn in zip(levels, turns, strict=True)})


def _judged(rows: tuple[Measurement, ...], verdict: Verdict, candidate: int = 8) -> Comparison:
    made = compare(rows, against(level(1)), Better.LOWER, 0.05, None)
    (comparison,) = (c for c in made if c.candidate == level(candidate))
    return replace(comparison, verdict=verdict)


def _named(rows: tuple[Measurement, ...], verdict: Verdict = Verdict.IMPROVEMENT) -> tuple[Setting, ...]:
    rivals = with_rivals(_judged(rows, verdict), Seen(rows, Better.LOWER)).rivals
    return () if rivals is None else rivals.settings


def test_a_rival_is_what_the_one_sided_interval_does_not_exclude() -> None:
    """Nine trials less three blocks and two settings leave four degrees of freedom; the residual is known exactly."""
    log_sd = math.sqrt(6 * 0.04**2 / 4)
    reach = t_quantile(0.95, 4) * log_sd * math.sqrt(2 / BLOCKS)
    edge = math.exp(reach - math.log(1.05))  # as much slower 4 must have measured to be excluded
    assert _named(_rows(edge * 0.999)) == (level(4),)
    assert _named(_rows(edge * 1.001)) == ()


def test_rivals_are_of_what_stays() -> None:
    """An improvement leaves 8 in place, no difference the baseline; what is open leaves nothing to compare with."""
    rows = _rows(1.0)
    improved = with_rivals(_judged(rows, Verdict.IMPROVEMENT), Seen(rows, Better.LOWER)).rivals
    left = with_rivals(_judged(rows, Verdict.NO_DIFFERENCE), Seen(rows, Better.LOWER)).rivals
    assert improved is not None
    assert left is not None
    assert (improved.against, left.against) == (level(8), level(1))
    assert improved.settings == left.settings == (level(4),)
    assert _named(rows, Verdict.CANNOT_TELL) == ()


def test_confirming_trials_tell_of_rivals_as_well() -> None:
    """Fresh pairs of 8 and the baseline that scatter less: the noise is smaller and better known."""
    rows = _rows(1.03)
    fresh = (replace(m, phase=Phase.CONFIRM, block=m.block + 3, trial_id=f"C{m.trial_id}") for m in _rows(1.0, 0.005))
    pairs = tuple(m for m in fresh if m.setting != level(4))
    told = with_rivals(_judged(rows, Verdict.IMPROVEMENT), Seen((*rows, *pairs), Better.LOWER))
    assert _named(rows) == (level(4),)
    assert told.rivals is None


def test_other_values_of_a_parameter_are_those_with_all_else_alike() -> None:
    """Of two factors a decision speaks of one: its other values beside the recommended value of the other factor."""
    rows = tuple(
        replace(m, setting=Setting.of(SubscriptionStreams=m.setting["SubscriptionStreams"], CommitBatchSize=batch),
                trial_id=f"{m.trial_id}/{batch}")
        for batch in (100, 200)
        for m in _rows(1.0)
    )  # fmt: skip
    base, best = (Setting.of(SubscriptionStreams=s, CommitBatchSize=b) for s, b in ((1, 100), (8, 200)))
    made = compare(rows, against(base), Better.LOWER, 0.05, None)
    (found,) = (replace(c, verdict=Verdict.IMPROVEMENT) for c in made if c.candidate == best)
    rivals = with_rivals(found, Seen(rows, Better.LOWER)).rivals
    assert rivals is not None
    assert rivals.values_of("SubscriptionStreams") == (4,)
    assert rivals.values_of("CommitBatchSize") == (100,)
