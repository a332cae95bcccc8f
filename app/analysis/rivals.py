"""Rivals: settings that may do better than the one a comparison leaves in place, as far as the trials tell.

That a setting is better than the baseline does not say that it is the best. Another one is a rival as long as all
trials of the run, exploring and confirming, do not exclude that it does better by the minimum effect. Whichever setting
is in truth the best, and so much better, is then passed over in silence in at most 5 % of sessions: that takes its own
interval alone, so the error is not shared out among the settings.

Source: selecting a subset that contains the best, Gupta (1965), Technometrics 7: 225-245, and comparisons with the
best, Hsu (1984), Annals of Statistics 12: 1136-1144; the level was held against worlds of noise by simulation
(`tests/prove/test_simplest_setting.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.analysis.distributions import t_quantile
from app.analysis.disturbed import undisturbed
from app.analysis.estimate import estimate
from app.analysis.noise import FLOOR_LOG_SD, Noise, judging_noise
from app.analysis.outcomes import NOTHING_KNOWN, Circumstances
from app.analysis.power import Question, trials_needed
from app.analysis.settings_order import setting_key
from app.analysis.student import CONFIDENCE
from app.domain.comparison import Comparison, Rivals, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting


@dataclass(frozen=True)
class Seen:
    """All measurements of one metric in a run, and the terms they are judged by.

    Attributes:
        measurements: of exploring and confirming trials; at least one.
        better, noise_cv: as in `compare`.
        circumstances: as in `disturbed.undisturbed`.
    """

    measurements: tuple[Measurement, ...]
    better: Better
    noise_cv: float | None = None
    circumstances: Circumstances = NOTHING_KNOWN


def with_rivals(confirmed: Comparison, seen: Seen) -> Comparison:
    """Return a confirmed comparison with the rivals of the setting it leaves in place.

    Nothing is added where it is open itself: then it is not known either what stays.

    Raises:
        ValueError: as in `estimate`.
    """
    if confirmed.verdict is Verdict.CANNOT_TELL:
        return confirmed
    kept = confirmed.candidate if confirmed.verdict is Verdict.IMPROVEMENT else confirmed.reference
    alike = [replace(m, phase=Phase.EXPLORE) for m in seen.measurements]
    told = undisturbed(alike, seen.circumstances)
    noise = judging_noise(told.noise, seen.noise_cv).noise
    if noise is None:
        return confirmed
    others = {m.setting for m in alike} - {confirmed.candidate, confirmed.reference}
    excluded = _excluded(told.clear, kept, seen.better, noise, math.log1p(confirmed.minimum_effect))
    rivals = tuple(sorted(others - excluded, key=setting_key))
    if not rivals:
        return confirmed
    question = Question(settings=len(rivals) + 1, comparisons=len(rivals))
    needed = trials_needed(math.log1p(confirmed.minimum_effect), _judged_by(noise), question)
    return replace(confirmed, rivals=Rivals(kept, rivals, needed))


def _excluded(
    clear: Sequence[Measurement], kept: Setting, better: Better, noise: Noise, margin: float
) -> frozenset[Setting]:
    """Return the settings that do not do better than the kept one by the margin, a log; they ran undisturbed."""
    fit = estimate(clear)
    if kept not in fit.settings:
        return frozenset()
    place = fit.position_of(kept)
    sign = 1 if better is Better.LOWER else -1
    quantile = t_quantile(CONFIDENCE, noise.degrees_of_freedom)
    return frozenset(
        setting
        for position, setting in enumerate(fit.settings)
        if sign * fit.log_ratio(place, position) + quantile * fit.standard_error(place, position, _judged_by(noise))
        <= margin
    )


def _judged_by(noise: Noise) -> float:
    return max(noise.log_sd, FLOOR_LOG_SD)
