"""Which of the settings that were explored goes on to be confirmed."""

from collections.abc import Sequence

from app.analysis.compare import best_position
from app.analysis.disturbed import undisturbed
from app.analysis.estimate import estimate
from app.analysis.factorial import factorial_of
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting


def winner_of(
    explored: Sequence[Measurement], better: Better, baseline: Setting, outcomes: frozenset[str] = frozenset()
) -> Setting:
    """Return the setting that goes on: where two factors can be taken apart, the levels that help by themselves.

    Else the one with the best mean of its trials that nothing disturbed.

    Args:
        outcomes: as in `disturbed.undisturbed`; what happened in these trials is a part of what their setting does.

    Raises:
        ValueError: as in `estimate`.
    """
    apart_by_factor = factorial_of(explored, baseline, better)
    if apart_by_factor is not None:
        return apart_by_factor.recommended
    fit = estimate(undisturbed(explored, outcomes).clear)
    return fit.settings[best_position(fit, better)]
