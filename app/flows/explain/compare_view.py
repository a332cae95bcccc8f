"""Two runs or sessions beside each other, or one beside published numbers: tables, plots and texts as plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.analysis.unlinked_means import Spread
from app.domain.comparison import Comparison
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import Setting, label_text, value_text
from app.domain.units import unit_word
from app.domain.view import NO_VALUE, Cell, Column, Emphasis, Row, TableContent, text_cell
from app.flows.explain.compare_choices import PUBLISHED
from app.flows.explain.compare_words import CompareWords, change_label, setting_label
from app.foundation.texts import _, in_its_words, in_words_of, local_number
from app.services.explain.comparison import (
    PublishedComparison,
    RunComparison,
    SessionComparison,
    compare_published,
    compare_runs,
)
from app.services.explain.comparison.runs import Contrast, EffectPair
from app.services.explain.comparison.sides import labels_of
from app.services.program import Program

_ASIDE: Final = 0.14  # of the distance between two settings, between the two sides
_MOST_TICKS: Final = 40


@dataclass(frozen=True)
class ShownComparison:
    """A comparison, ready to be shown.

    Attributes:
        cautions: how far it may be read, a line each.
        measured: both sides' means with ratio and interval.
        differing: what is not the same, and what was applied in between.
        effects: what each side found within its own blocks.
        plots: both sides in one picture each.
    """

    cautions: str
    measured: TableContent
    differing: TableContent
    effects: TableContent
    plots: tuple[PlotSpec, ...]


def compare(path: Path, first: str, second: str, program: Program) -> ShownComparison:
    """Compare two sides; for a worker thread.

    Raises:
        BadInput: they have nothing in common, or nothing published stands beside the first.
        StoreError: the file cannot be read.
    """
    words = CompareWords(program.families)
    if second == PUBLISHED:
        return show_published(compare_published(path, first, program.advisor), words)
    return show_runs(compare_runs(path, first, second, program.advisor), words)


@in_its_words
def show_runs(comparison: SessionComparison, words: CompareWords) -> ShownComparison:
    """Return two runs or sessions beside each other."""
    cautions = dict.fromkeys(text for pair in comparison.pairs for text in pair.cautions)
    left = [_("No counterpart: {run}.").format(run=label) for label in comparison.unmatched]
    return ShownComparison(
        cautions="\n".join((*cautions, *left)),
        measured=TableContent(
            _measured_columns(_("First"), _("Second")), tuple(_measured_rows(comparison.pairs, words))
        ),
        differing=TableContent(_differing_columns(), tuple(_differing_rows(comparison.pairs))),
        effects=TableContent(_effect_columns(), tuple(_effect_rows(comparison.pairs, words))),
        plots=tuple(plot for pair in comparison.pairs for plot in before_and_after(pair, words)),
    )


def show_published(comparisons: Sequence[PublishedComparison], words: CompareWords) -> ShownComparison:
    """Return a client's numbers beside the published ones."""
    columns = (
        Column("run", _("Run")),
        Column("metric", _("Measure")),
        Column("setting", _("Setting")),
        Column("first", _("Here"), is_number=True),
        Column("second", _("Published"), is_number=True),
        Column("unit", _("Unit")),
        Column("own", _("Change here"), is_number=True, hint=_("Ratio to the first setting, with a 95 % interval")),
        Column("published", _("Change published"), is_number=True, hint=_("Ratio to the same setting")),
        Column("source", _("Source")),
    )
    rows = (
        Row(
            f"{place}/{number}",
            (
                text_cell(item.side.label),
                text_cell(_metric_of(item, words)),
                text_cell(setting_label(row.setting)),
                _mean_cell(row.own),
                _mean_cell(row.published),
                text_cell(unit_word(item.unit)),
                _ratio_cell(row.own_change),
                _ratio_cell(row.published_change),
                text_cell(f"{item.source.author}, {item.source.published}", hint=item.source.title),
            ),
        )
        for place, item in enumerate(comparisons)
        for number, row in enumerate(item.rows)
    )
    return ShownComparison(
        cautions="\n".join(dict.fromkeys(text for item in comparisons for text in item.cautions)),
        measured=TableContent(columns, tuple(rows)),
        differing=TableContent(_differing_columns(), tuple(_published_conditions(comparisons))),
        effects=TableContent(_effect_columns()),
        plots=tuple(item.plot for item in comparisons),
    )


def _published_conditions(comparisons: Sequence[PublishedComparison]) -> list[Row]:
    rows: dict[tuple[str, str, str, str], None] = {}
    for item in comparisons:
        source = f"{item.source.author}, {item.source.published}"
        for name in sorted({*item.own_conditions, *item.published_conditions}):
            here, there = item.own_conditions.get(name), item.published_conditions.get(name)
            if here != there:
                rows[source, name, _value(here), _value(there)] = None
    return [Row(str(place), tuple(text_cell(text or NO_VALUE) for text in row)) for place, row in enumerate(rows)]


def _value(value: object) -> str:
    return "" if value is None else str(value)


def _metric_of(item: PublishedComparison, words: CompareWords) -> str:
    with in_words_of(item.side):
        return words.metric(item.metric, item.phase)


def _measured_columns(first: str, second: str) -> tuple[Column, ...]:
    return (
        Column("run", _("Runs")),
        Column("metric", _("Measure")),
        Column("setting", _("Setting")),
        Column("conditions", _("Conditions"), is_circumstance=True),
        Column("first", first, is_number=True),
        Column("second", second, is_number=True),
        Column("unit", _("Unit")),
        Column("ratio", _("Ratio"), is_number=True, hint=_("Second to first, with a 95 % interval for all rows")),
        Column("trials", _("Estimated from"), hint=_("Confirming trials where both sides have some")),
    )


def one_estimate_each(contrasts: Sequence[Contrast]) -> tuple[Contrast, ...]:
    """Return one contrast of each measure and setting under its conditions: that of confirming trials if there is one.

    Exploring trials of the best setting look better than it is, because it was chosen for them; fresh ones do not.
    """
    chosen: dict[tuple[str, Setting, Setting, Setting], Contrast] = {}
    for c in contrasts:
        key = (c.metric, c.conditions, c.first_setting, c.second_setting)
        if key not in chosen or c.phase is Phase.CONFIRM:
            chosen[key] = c
    return tuple(chosen.values())


def _measured_rows(pairs: Sequence[RunComparison], words: CompareWords) -> list[Row]:
    rows = []
    for place, pair in enumerate(pairs):
        for number, c in enumerate(one_estimate_each(pair.contrasts)):
            cells = (
                _runs_cell(pair),
                text_cell(words.title(c.metric)),
                text_cell(change_label(c.first_setting, c.second_setting)),
                _conditions_cell(c.conditions, words),
                _mean_cell(c.first),
                _mean_cell(c.second),
                text_cell(unit_word(c.unit)),
                _ratio_cell(c.ratio),
                text_cell(_estimated_from(c)),
            )
            rows.append(Row(f"{place}/{number}", cells))
    return rows


def _estimated_from(c: Contrast) -> str:
    """Return of which trials a contrast is, with how many there are on each side."""
    sentence = (
        _("{first} + {second} confirming trials")
        if c.phase is Phase.CONFIRM
        else _("{first} + {second} exploring trials")
    )
    return sentence.format(first=value_text(c.first.count), second=value_text(c.second.count))


def before_and_after(pair: RunComparison, words: CompareWords) -> tuple[PlotSpec, ...]:
    """Return one picture of each measure and its conditions: both sides at every setting, one estimate each."""
    grouped: dict[tuple[str, str, Setting], list[Contrast]] = {}
    for c in one_estimate_each(pair.contrasts):
        grouped.setdefault((c.metric, c.unit, c.conditions), []).append(c)
    return tuple(_picture(pair, *key, contrasts, words) for key, contrasts in grouped.items())


def _picture(
    pair: RunComparison,
    metric: str,
    unit: str,
    conditions: Setting,
    contrasts: Sequence[Contrast],
    words: CompareWords,
) -> PlotSpec:
    shown = contrasts[:_MOST_TICKS]
    labels = labels_of(pair.first, pair.second)
    held = words.conditions(conditions)
    title = _("{metric}, before and after").format(metric=words.title(metric))
    return PlotSpec(
        plot_id=f"comparison/{metric}/{conditions.label()}",
        title=f"{title} ({held})" if held not in ("", NO_VALUE) else title,
        alt=_("{title}: means with 95 % intervals of {first} and of {second}; no block links the two.").format(
            title=title, first=labels[0], second=labels[1]
        ),
        x_label=" × ".join(pair.first.factors),
        y_label=f"{words.title(metric)} ({unit_word(unit)})",
        series=(
            _side_series(labels[0], [c.first for c in shown], -_ASIDE / 2, is_second=False),
            _side_series(labels[1], [c.second for c in shown], _ASIDE / 2, is_second=True),
        ),
        x_ticks=tuple((float(place), _tick(c)) for place, c in enumerate(shown)),
    )


def _side_series(label: str, means: Sequence[Spread], aside: float, *, is_second: bool) -> Series:
    return Series(
        label,
        Mark.INTERVALS,
        tuple(place + aside for place in range(len(means))),
        tuple(mean.value for mean in means),
        tuple(mean.value if mean.low is None else mean.low for mean in means),
        tuple(mean.value if mean.high is None else mean.high for mean in means),
        emphasised=is_second,
    )


def _tick(c: Contrast) -> str:
    first, second = (s.values_text() for s in (c.first_setting, c.second_setting))
    return first if first == second else f"{first} → {second}"


def _differing_columns() -> tuple[Column, ...]:
    return (
        Column("where", _("Where")),
        Column("name", _("What")),
        Column("first", _("First")),
        Column("second", _("Second")),
    )


def _differing_rows(pairs: Sequence[RunComparison]) -> list[Row]:
    rows = []
    for place, pair in enumerate(pairs):
        applied = [
            (_("recommendation applied in between"), a.parameter, a.before, a.after, a.finding) for a in pair.applied
        ]
        differing = [(d.where, d.name, d.first or NO_VALUE, d.second or NO_VALUE, "") for d in pair.differences]
        for number, (*texts, hint) in enumerate((*applied, *differing)):
            emphasis = Emphasis.STRONG if hint else Emphasis.PLAIN
            shown = (*texts[:2], *map(label_text, texts[2:]))
            cells = tuple(text_cell(text, emphasis=emphasis, hint=hint or text) for text in shown)
            rows.append(Row(f"{place}/{number}", cells))
    return rows


def _effect_columns() -> tuple[Column, ...]:
    return (
        Column("run", _("Runs")),
        Column("metric", _("Measure")),
        Column("from", _("From")),
        Column("to", _("To")),
        Column("first", _("First"), is_number=True, hint=_("Ratio within its own blocks, with a 95 % interval")),
        Column("second", _("Second"), is_number=True, hint=_("Ratio within its own blocks, with a 95 % interval")),
        Column("conditions", _("Conditions"), is_circumstance=True),
    )


def _one_effect_each(effects: Sequence[EffectPair]) -> tuple[EffectPair, ...]:
    """Return one pair of each comparison under its conditions: that of confirming trials where there is one."""
    chosen: dict[tuple[str, Setting, Setting, Setting], EffectPair] = {}
    for effect in effects:
        c = effect.first or effect.second
        if c is not None:
            key = (c.metric, c.reference, c.candidate, c.conditions)
            if key not in chosen or c.phase is Phase.CONFIRM:
                chosen[key] = effect
    return tuple(chosen.values())


def _effect_rows(pairs: Sequence[RunComparison], words: CompareWords) -> list[Row]:
    rows = []
    for place, pair in enumerate(pairs):
        for number, effect in enumerate(_one_effect_each(pair.effects)):
            either = effect.first or effect.second
            if either is None:
                continue
            cells = (
                _runs_cell(pair),
                text_cell(words.metric(either.metric, either.phase)),
                text_cell(setting_label(either.reference)),
                text_cell(setting_label(either.candidate)),
                _effect_cell(effect.first),
                _effect_cell(effect.second),
                _conditions_cell(either.conditions, words),
            )
            rows.append(Row(f"{place}/{number}", cells))
    return rows


def _runs_cell(pair: RunComparison) -> Cell:
    first, second = labels_of(pair.first, pair.second)
    return text_cell(f"{pair.first.run_id or first} | {pair.second.run_id or second}", hint=f"{first} | {second}")


def _conditions_cell(conditions: Setting, words: CompareWords) -> Cell:
    text = words.conditions(conditions)
    return text_cell(text, emphasis=Emphasis.QUIET, hint=text)


def _mean_cell(spread: Spread) -> Cell:
    text = local_number(f"{spread.value:,.4g}")
    return Cell(text, spread.value, f"{spread.value:.6g}", hint=_interval_text(spread))


def _ratio_cell(spread: Spread) -> Cell:
    return _ratio(spread.value, spread.low, spread.high)


def _effect_cell(c: Comparison | None) -> Cell:
    return Cell(NO_VALUE, None, "") if c is None else _ratio(c.ratio, c.low, c.high)


def _ratio(value: float, low: float | None, high: float | None) -> Cell:
    text = local_number(f"{value:.3g}")
    if low is not None and high is not None:
        text += local_number(f" ({low:.3g}\u2013{high:.3g})")
    return Cell(text, value, text)


def _interval_text(spread: Spread) -> str:
    if spread.low is None or spread.high is None:
        return _("one trial")
    return _("95 % interval {low:,.4g} to {high:,.4g}, {count} trials").format(
        low=spread.low, high=spread.high, count=value_text(spread.count)
    )
