"""Which of the settings that were explored goes on to be confirmed."""

from collections.abc import Sequence

from app.analysis.compare import best_position
from app.analysis.disturbed import undisturbed
from app.analysis.estimate import estimate
from app.analysis.factorial import factorial_of
from app.analysis.outcomes import NOTHING_KNOWN, Circumstances
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting


def winner_of(
    explored: Sequence[Measurement], better: Better, baseline: Setting, circumstances: Circumstances = NOTHING_KNOWN
) -> Setting:
    """Return the setting that goes on: where two factors can be taken apart, the levels that help by themselves.

    Else the one with the best mean of its trials that nothing disturbed.

    Args:
        circumstances: as in `disturbed.undisturbed`.

    Raises:
        ValueError: as in `estimate`.
    """
    apart_by_factor = factorial_of(explored, baseline, better)
    if apart_by_factor is not None:
        return apart_by_factor.recommended
    fit = estimate(undisturbed(explored, circumstances).clear)
    return fit.settings[best_position(fit, better)]
