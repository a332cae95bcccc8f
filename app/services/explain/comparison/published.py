"""A client's numbers beside the published ones: changes against the same setting, conditions of both in sight."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.analysis.settings_order import setting_key
from app.analysis.unlinked_means import Spread, mean_of, ratio_of
from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting
from app.foundation.texts import _
from app.reporting.wording import Vocabulary
from app.services.explain.advising import Advisor
from app.services.explain.comparison.sides import Side, read_sides
from app.services.explain.gathering import Families
from app.services.explain.importing import (
    ImportedExperiment,
    PublishedSource,
    columns_of,
    experiments,
    published_sources,
    read_measurements,
)

_Values = Mapping[Setting, Sequence[float]]
_MOST_EXPERIMENTS: Final = 60


@dataclass(frozen=True)
class PublishedRow:
    """One setting on both sides.

    Attributes:
        own, published: means in the measure's unit; published values are mostly single ones.
        own_change, published_change: ratio to the same reference setting on each side; the own one as the run's own
            blocks show it, where it made that comparison.
    """

    setting: Setting
    own: Spread
    published: Spread
    own_change: Spread
    published_change: Spread


@dataclass(frozen=True)
class PublishedComparison:
    """One experiment of a run beside one published experiment of the same measure and parameters.

    Attributes:
        phase: of the own trials.
        reference: the setting both sides' changes are counted from.
        own_conditions, published_conditions: what each was measured under, as far as it is stated.
        cautions: how far this may be read.
    """

    side: Side
    source: PublishedSource
    metric: str
    unit: str
    factor: str
    phase: Phase
    reference: Setting
    own_conditions: Setting
    published_conditions: Setting
    rows: tuple[PublishedRow, ...]
    plot: PlotSpec
    cautions: tuple[str, ...]


def compare_published(path: Path, reference: str, advisor: Advisor) -> tuple[PublishedComparison, ...]:
    """Put a run, a session, or for "" the newest session beside every published experiment it has settings with.

    Raises:
        BadInput: nothing published has two settings of a measure in common with it, or no such run.
        StoreError: the file cannot be read.
    """
    comparisons: list[PublishedComparison] = []
    words = Vocabulary(advisor.families.values())
    experiments_by_source = [(source, _experiments_of(source, advisor.families)) for source in published_sources()]
    for side in read_sides(path, reference, advisor):
        main = {metric.name for metric in advisor.families[side.family].main_metrics}
        swept = {condition.name for condition in advisor.families[side.family].swept}
        own = experiments(m for m in side.measurements if m.metric in main)
        for source, published in experiments_by_source:
            for ours in own:
                for theirs in _nearest(ours, [p for p in published if _fits(ours, p, swept)]):
                    made = _beside(side, source, ours, theirs, words)
                    comparisons += [made] if made is not None else []
    if not comparisons:
        raise BadInput(
            _(
                "nothing published compares with it: no published experiment has the measure, the parameters and "
                "at least two settings of {path}"
            ).format(path=path)
        )
    return tuple(comparisons[:_MOST_EXPERIMENTS])


def _experiments_of(source: PublishedSource, families: Families) -> tuple[ImportedExperiment, ...]:
    columns = {name: columns_of(family) for name, family in families.items()}
    try:
        read = read_measurements(source.path, columns)
    except BadInput:  # of a family that is not installed
        return ()
    return experiments(read.measurements, columns)


def _fits(ours: ImportedExperiment, theirs: ImportedExperiment, swept: set[str]) -> bool:
    """Tell whether two experiments measure the same of the same parameters, at the same shape of the workload."""
    same = (ours.family, ours.metric, ours.unit, ours.factors) == (
        theirs.family,
        theirs.metric,
        theirs.unit,
        theirs.factors,
    )
    return same and all(ours.conditions.get(name) == theirs.conditions.get(name) for name in swept)


def _nearest(ours: ImportedExperiment, theirs: Sequence[ImportedExperiment]) -> Sequence[ImportedExperiment]:
    """Return the published experiments whose stated conditions are these, all where none has them."""
    own = ours.conditions
    equal = [p for p in theirs if all(own[name] == value for name, value in p.conditions.items() if name in own)]
    return equal or theirs


def _beside(
    side: Side, source: PublishedSource, ours: ImportedExperiment, theirs: ImportedExperiment, words: Vocabulary
) -> PublishedComparison | None:
    own, published = _values(ours.measurements), _values(theirs.measurements)
    shared = sorted(own.keys() & published.keys(), key=setting_key)
    if len(shared) < 2:
        return None
    reference = _reference(side, shared)
    rows = tuple(
        PublishedRow(
            setting=setting,
            own=mean_of(own[setting]),
            published=mean_of(published[setting]),
            own_change=_own_change(side, ours, own, setting, reference, len(shared) - 1),
            published_change=_change(published, setting, reference, len(shared) - 1),
        )
        for setting in shared
    )
    return PublishedComparison(
        side=side,
        source=source,
        metric=ours.metric,
        unit=ours.unit,
        factor=ours.factor,
        phase=ours.phase,
        reference=reference,
        own_conditions=ours.conditions,
        published_conditions=theirs.conditions,
        rows=rows,
        plot=_plot(side, source, ours, rows, reference),
        cautions=_cautions(source, ours, theirs, words),
    )


def _own_change(
    side: Side, ours: ImportedExperiment, own: _Values, setting: Setting, reference: Setting, comparisons: int
) -> Spread:
    """Return the change as the run's own blocks show it; where it did not compare the two, from the values alone."""
    for c in side.comparisons:
        same = (c.metric, c.phase, c.conditions) == (ours.metric, ours.phase, ours.conditions)
        if same and (c.reference, c.candidate) == (reference, setting) and c.low > 0 and math.isfinite(c.high):
            return Spread(c.ratio, c.low, c.high, min(len(c.reference_trials), len(c.candidate_trials)))
    return _change(own, setting, reference, comparisons)


def _change(values: _Values, setting: Setting, reference: Setting, comparisons: int) -> Spread:
    if setting == reference:
        return Spread(1.0, None, None, len(values[setting]))
    return ratio_of(values[setting], values[reference], comparisons)


def _values(measurements: Sequence[Measurement]) -> dict[Setting, list[float]]:
    values_by_setting: dict[Setting, list[float]] = {}
    for m in measurements:
        if m.value > 0:
            values_by_setting.setdefault(m.setting, []).append(m.value)
    return values_by_setting


def _reference(side: Side, shared: Sequence[Setting]) -> Setting:
    """Return the baseline where both sides have it, else the first setting they share."""
    if side.plan is None:
        return shared[0]
    return next((s for s in shared if all(side.plan.baseline.get(name) == s[name] for name in s)), shared[0])


def _cautions(
    source: PublishedSource, ours: ImportedExperiment, theirs: ImportedExperiment, words: Vocabulary
) -> tuple[str, ...]:
    texts = [
        _(
            "Other servers, another load, another year: compare how much a setting changes, not the values "
            "themselves. Published numbers claim nothing about these servers."
        )
    ]
    own, published = (
        _differing(ours.conditions, theirs.conditions, words),
        _differing(theirs.conditions, ours.conditions, words),
    )
    if own != published:
        texts.append(
            _("The conditions differ. Here: {own}. Published: {published}.").format(own=own, published=published)
        )
    if source.not_stated:
        texts.append(_("Not stated there: {what}.").format(what=_(source.not_stated)))
    return tuple(texts)


def _differing(conditions: Setting, others: Setting, words: Vocabulary) -> str:
    """Return the conditions that are not among the others, in words."""
    differ = {name: value for name, value in conditions.items() if name not in others or others[name] != value}
    told = words.conditions(Setting.from_mapping(differ))
    return _("none stated") if told == "–" else told


def _plot(
    side: Side, source: PublishedSource, ours: ImportedExperiment, rows: Sequence[PublishedRow], reference: Setting
) -> PlotSpec:
    places = tuple(float(place) for place in range(len(rows)))
    own = [row.own_change for row in rows]
    title = _("{factor}: change against {reference}").format(factor=ours.factor, reference=reference.text())
    low = tuple(s.value if s.low is None else s.low for s in own)
    high = tuple(s.value if s.high is None else s.high for s in own)
    return PlotSpec(
        plot_id=f"published/{source.path.stem}/{ours.metric}/{ours.conditions.label()}",
        title=title,
        alt=_("{title}: {own} with 95 % intervals, and the values of “{source}”.").format(
            title=title, own=side.label, source=source.title
        ),
        x_label=ours.factor,
        y_label=_("Ratio of {metric}").format(metric=ours.metric.replace("_", " ")),
        series=(
            Series(side.label, Mark.INTERVALS, places, tuple(s.value for s in own), low, high, emphasised=True),
            Series(
                _("published {date}").format(date=source.published),
                Mark.POINTS,
                places,
                tuple(row.published_change.value for row in rows),
            ),
        ),
        x_ticks=tuple((place, row.setting.text()) for place, row in zip(places, rows, strict=True)),
        reference_y=1.0,
        reference_label=reference.text(),
    )
