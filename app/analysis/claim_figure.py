"""The figure that carries a claim: every trial, today's setting and the proposed one, in one unit on one axis.

Exploring trials chose the setting, confirming ones claim it; both are there, told apart. The bar beside the proposed
setting is where its value lies by the claim's interval, seen from the baseline's confirming mean.
"""

import math
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from app.analysis.claim import Claim
from app.analysis.figures import MOST_CATEGORIES, held_text, plot_id, tick
from app.analysis.settings_order import setting_key
from app.analysis.thinning import MOST_POINTS
from app.domain.comparison import Comparison
from app.domain.family import Evidence
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting, value_text
from app.domain.units import unit_word
from app.foundation.texts import _, local_number

KIND: Final = "trials"
_MINUTES_FROM_S: Final = 120.0
_ASIDE: Final = 0.12  # confirming trials stand right of the exploring ones of their setting
_BAR: Final = 0.2


def claim_plot(evidence: Evidence, claim: Claim | None) -> PlotSpec | None:
    """Return all trials of the main measure with the claim among them, None where no fresh trials make one."""
    told = None if claim is None else _confirmed(evidence, claim)
    if claim is None or told is None:
        return None
    measured = [m for m in evidence.measurements if m.metric == claim.metric.name]
    settings = sorted({m.setting for m in measured}, key=setting_key)
    if len(settings) > MOST_CATEGORIES or len(measured) > MOST_POINTS:
        return None
    return _drawn(_Drawn(evidence, claim.metric, told, tuple(measured), tuple(settings)))


@dataclass(frozen=True)
class _Drawn:
    """A figure: all measurements, their settings by level, and the claim among them."""

    evidence: Evidence
    metric: Metric
    claim: Comparison
    measured: tuple[Measurement, ...]
    settings: tuple[Setting, ...]

    @property
    def scale(self) -> tuple[str, float]:
        """The unit of the axis, and the divisor that leads to it: long times are told in minutes."""
        is_long = self.metric.unit == "s" and max(m.value for m in self.measured) > _MINUTES_FROM_S
        return ("min", 60.0) if is_long else (self.metric.unit, 1.0)

    def points(self, label: str, phase: Phase) -> Series:
        """Return the trials of a phase."""
        own = [m for m in self.measured if m.phase is phase]
        aside = _ASIDE if phase is Phase.CONFIRM else 0.0
        x = tuple(self.settings.index(m.setting) + aside for m in own)
        return Series(label, Mark.POINTS, x, tuple(m.value / self.scale[1] for m in own))

    @property
    def before(self) -> float:
        """The geometric mean of the reference's confirming trials, in the unit of the axis."""
        own = [m for m in self.measured if m.setting == self.claim.reference]
        logs = (math.log(m.value) for m in own if m.trial_id in self.claim.reference_trials)
        return math.exp(fmean(logs)) / self.scale[1]


def _drawn(shown: _Drawn) -> PlotSpec:
    told, metric, before, (unit, _divisor) = shown.claim, shown.metric, shown.before, shown.scale
    after, low, high = (before * ratio for ratio in (told.ratio, told.low, told.high))
    bar, place = _("proposed, 95 % interval"), float(shown.settings.index(told.candidate))
    series = (
        shown.points(_("exploring: chose the setting"), Phase.EXPLORE),
        shown.points(_("fresh: carry the claim"), Phase.CONFIRM),
        Series(bar, Mark.INTERVALS, (place + _BAR,), (after,), (low,), (high,), emphasised=True),
    )
    alt = _("{metric} of {count} trials. With {base} {before}; with {to} {after} ({low} to {high}) {unit}.").format(
        metric=metric.title,
        count=value_text(len(shown.measured)),
        base=tick(told.reference),
        to=tick(told.candidate),
        before=_short(before),
        after=_short(after),
        low=_short(low),
        high=_short(high),
        unit=unit_word(unit),
    )
    held = held_text(shown.evidence)
    return PlotSpec(
        plot_id=plot_id(shown.evidence, KIND),
        title=_("{metric} of every trial{held}").format(metric=metric.title, held=held),
        alt=alt,
        x_label=told.factor,
        y_label=f"{metric.title} ({unit_word(unit)})",
        series=tuple(one for one in series if one.x),
        x_ticks=tuple((float(at), tick(setting)) for at, setting in enumerate(shown.settings)),
        reference_y=before,
        reference_label=_("measured against: {setting}").format(setting=tick(told.reference)),
    )


def _confirmed(evidence: Evidence, claim: Claim) -> Comparison | None:
    """Return the confirmed comparison of the main measure with a finite interval."""
    return next(
        (
            c
            for c in evidence.comparisons
            if (c.metric, c.phase) == (claim.metric.name, Phase.CONFIRM) and c.low > 0 and math.isfinite(c.high)
        ),
        None,
    )


def _short(value: float) -> str:
    return local_number(f"{value:,.4g}")
