"""Two runs, or two sessions, beside each other: differences, measurements, and how far these may be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.analysis.settings_order import setting_key
from app.analysis.unlinked_means import Spread, mean_of, ratio_of
from app.domain.comparison import Comparison
from app.domain.errors import BadInput
from app.domain.measurement import Metric
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.domain.system import systems_of
from app.foundation.texts import _, in_words_of
from app.services.explain.advising import Advisor
from app.services.explain.comparison.differences import AppliedChange, Difference, applied_changes, differences
from app.services.explain.comparison.sides import Side, labels_of, read_sides

_ASIDE: Final = 0.14  # of the distance between two settings, between the two runs
_MOST_TICKS: Final = 40


@dataclass(frozen=True)
class Contrast:
    """One measure on both sides under equal conditions.

    Attributes:
        phase: of the trials on both sides; means of exploring and confirming trials never mix.
        first_setting, second_setting: equal, but for the row that compares how each side was set when it began.
        first, second: geometric means with pointwise 95 % intervals.
        ratio: second / first with an interval that holds together with the others; of the scatter within each run.
    """

    metric: str
    unit: str
    conditions: Setting
    phase: Phase
    first_setting: Setting
    second_setting: Setting
    first: Spread
    second: Spread
    ratio: Spread


@dataclass(frozen=True)
class EffectPair:
    """One comparison of two settings as each side made it by itself, None where a side did not."""

    first: Comparison | None
    second: Comparison | None


@dataclass(frozen=True)
class RunComparison:
    """Two runs beside each other.

    Attributes:
        differences: of plan and environment. applied: recommendations of the first in effect at the second.
        effects: each side's own, randomised comparisons, matched. contrasts: the same settings of both sides.
        plots: both sides in one picture, one for each measure and set of conditions.
        cautions: how far this may be read, one sentence each.
    """

    first: Side
    second: Side
    differences: tuple[Difference, ...]
    applied: tuple[AppliedChange, ...]
    effects: tuple[EffectPair, ...]
    contrasts: tuple[Contrast, ...]
    plots: tuple[PlotSpec, ...]
    cautions: tuple[str, ...]


@dataclass(frozen=True)
class SessionComparison:
    """All pairs of runs of two sessions, or the one pair that was asked for.

    Attributes:
        unmatched: labels of runs that have no counterpart of their family and parameters.
    """

    pairs: tuple[RunComparison, ...]
    unmatched: tuple[str, ...]

    @property
    def is_windowed(self) -> bool:
        """Whether all that is compared was measured in windows."""
        return all(pair.first.is_windowed and pair.second.is_windowed for pair in self.pairs)


_Key = tuple[str, Setting, Phase]
_Values = Mapping[_Key, Mapping[Setting, Sequence[float]]]


def compare_runs(path: Path, first: str, second: str, advisor: Advisor) -> SessionComparison:
    """Compare two references, each as `read_sides` takes it.

    Raises:
        BadInput: a run is not there, both are the same, or they have no family and parameters in common.
        StoreError: the file cannot be read, or holds no such session.
    """
    ours, theirs = list(read_sides(path, first, advisor)), list(read_sides(path, second, advisor))
    if {(s.session_id, s.run_id) for s in ours} == {(s.session_id, s.run_id) for s in theirs}:
        raise BadInput(
            _("{first} and {second} are the same; give two different runs").format(first=first, second=second)
        )
    pairs: list[RunComparison] = []
    left: list[Side] = []
    for side in ours:
        partner = _partner(side, theirs)
        if partner is None:
            left.append(side)
            continue
        theirs.remove(partner)
        pairs.append(compare_sides(side, partner, advisor))
    if not pairs:
        raise BadInput(
            _("{first} and {second} cannot be compared: they have no experiment with the same parameters").format(
                first=first, second=second
            )
        )
    return SessionComparison(tuple(pairs), tuple(f"{side.label}: {side.family}" for side in (*left, *theirs)))


def compare_sides(first: Side, second: Side, advisor: Advisor) -> RunComparison:
    """Compare two sides of one family that vary the same parameters."""
    metrics = advisor.families[first.family].main_metrics
    systems = systems_of(advisor.families)
    ours, theirs = _values(first, metrics), _values(second, metrics)
    contrasts = _contrasts(first, second, ours, theirs)
    with in_words_of(first if second.is_windowed else second):
        plots = [_plot(metric, key, first, second, ours, theirs) for metric, key in _shared(metrics, ours, theirs)]
        cautions = _cautions(first, second, contrasts)
    return RunComparison(
        first=first,
        second=second,
        differences=differences(first, second, advisor.families[first.family].load_fields, systems),
        applied=applied_changes(first, second, systems),
        effects=_effects(first, second),
        contrasts=contrasts,
        plots=tuple(plots),
        cautions=cautions,
    )


def _partner(side: Side, others: Sequence[Side]) -> Side | None:
    fitting = [other for other in others if (other.family, other.factors) == (side.family, side.factors)]
    return next((other for other in fitting if other.target == side.target), next(iter(fitting), None))


def _values(side: Side, metrics: Sequence[Metric]) -> dict[_Key, dict[Setting, list[float]]]:
    """Return the positive values of the main measures, by measure, conditions and phase, then by setting."""
    values_by_key: dict[_Key, dict[Setting, list[float]]] = {}
    units = {metric.name: metric.unit for metric in metrics}
    for m in side.measurements:
        if units.get(m.metric) == m.unit and m.value > 0:
            values_by_key.setdefault((m.metric, m.conditions, m.phase), {}).setdefault(m.setting, []).append(m.value)
    return values_by_key


def _shared(metrics: Sequence[Metric], ours: _Values, theirs: _Values) -> list[tuple[Metric, _Key]]:
    by_name = {metric.name: metric for metric in metrics}
    return [(by_name[key[0]], key) for key in ours if key in theirs]


def _contrasts(first: Side, second: Side, ours: _Values, theirs: _Values) -> tuple[Contrast, ...]:
    """Return the same settings of both sides, preceded by the settings they began with where these differ."""
    units = {m.metric: m.unit for m in (*first.measurements, *second.measurements)}
    pairs: list[tuple[_Key, Setting, Setting]] = []
    for key in ours:
        if key not in theirs:
            continue
        begun = _begun(first, second)
        if begun is not None and begun[0] in ours[key] and begun[1] in theirs[key]:
            pairs.append((key, *begun))
        pairs += [(key, s, s) for s in sorted(ours[key].keys() & theirs[key].keys(), key=setting_key)]
    return tuple(
        Contrast(
            metric=key[0],
            unit=units[key[0]],
            conditions=key[1],
            phase=key[2],
            first_setting=one,
            second_setting=other,
            first=mean_of(ours[key][one]),
            second=mean_of(theirs[key][other]),
            ratio=ratio_of(theirs[key][other], ours[key][one], len(pairs)),
        )
        for key, one, other in pairs
    )


def _begun(first: Side, second: Side) -> tuple[Setting, Setting] | None:
    """Return the baselines of two own runs where they differ: as it was set then, and as it is set now."""
    if first.plan is None or second.plan is None or first.plan.baseline == second.plan.baseline:
        return None
    return first.plan.baseline, second.plan.baseline


def _effects(first: Side, second: Side) -> tuple[EffectPair, ...]:
    """Match the comparisons each side made within its own blocks."""
    ours, theirs = ({_effect_key(c): c for c in side.comparisons} for side in (first, second))
    keys = dict.fromkeys((*ours, *theirs))
    return tuple(EffectPair(ours.get(key), theirs.get(key)) for key in keys)


def _effect_key(c: Comparison) -> tuple[str, Setting, Setting, Setting, Phase]:
    return c.metric, c.reference, c.candidate, c.conditions, c.phase


def _cautions(first: Side, second: Side, contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    texts = [
        _(
            "This is no randomised comparison: the two runs were made at different times, and no block links them. "
            "Whatever else changed in between (load, data, hardware, other jobs) is in these numbers too."
        )
    ]
    if any(contrast.ratio.low is not None for contrast in contrasts):
        texts.append(
            _(
                "The intervals cover only the scatter of the trials within each run; a difference between the "
                "days would not show in them. A claim needs both settings measured again within the same blocks."
            )
        )
    if first.target != second.target:
        texts.append(_("The two were measured on different targets."))
    if not contrasts:
        texts.append(_("Nothing was measured under equal conditions at equal settings, so no values can be compared."))
    return tuple(texts)


def _plot(metric: Metric, key: _Key, first: Side, second: Side, ours: _Values, theirs: _Values) -> PlotSpec:
    _name, conditions, phase = key
    settings = sorted({*ours[key], *theirs[key]}, key=setting_key)[:_MOST_TICKS]
    title = (
        _("{metric} by setting, confirming trials") if phase is Phase.CONFIRM else _("{metric} by setting")
    ).format(metric=metric.title)
    held = f" ({conditions.text()})" if conditions else ""
    labels = labels_of(first, second)
    return PlotSpec(
        plot_id=f"comparison/{metric.name}/{phase.value}/{conditions.label()}",
        title=title + held,
        alt=_("{title}: means with 95 % intervals of {first} and of {second}; no block links the two.").format(
            title=title, first=labels[0], second=labels[1]
        ),
        x_label=" × ".join(first.factors),
        y_label=f"{metric.title} ({metric.unit})",
        series=tuple(
            _series(label, values[key], settings, aside, is_second=aside > 0)
            for label, values, aside in zip(labels, (ours, theirs), (-_ASIDE / 2, _ASIDE / 2), strict=True)
        ),
        x_ticks=tuple((float(place), setting.values_text()) for place, setting in enumerate(settings)),
    )


def _series(
    label: str, values: Mapping[Setting, Sequence[float]], settings: Sequence[Setting], aside: float, *, is_second: bool
) -> Series:
    points = [(place + aside, mean_of(values[s])) for place, s in enumerate(settings) if s in values]
    return Series(
        label,
        Mark.INTERVALS,
        tuple(at for at, _mean in points),
        tuple(mean.value for _at, mean in points),
        tuple(mean.value if mean.low is None else mean.low for _at, mean in points),
        tuple(mean.value if mean.high is None else mean.high for _at, mean in points),
        emphasised=is_second,
    )
