"""One page for each finding: what to do, how sure that is, what it costs, and how to take it back."""

import re
from collections.abc import Sequence
from typing import Final

from app.domain.comparison import Comparison
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.plot import PlotSpec
from app.domain.session import Advice, SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import (
    Block,
    Cell,
    Code,
    Column,
    Columns,
    Fields,
    FigureBlock,
    Heading,
    Paragraph,
    Table,
    VerdictBox,
)
from app.reporting.matching import carrying_comparison, comparisons_behind
from app.reporting.numbers import number, quantity
from app.reporting.scripts import core_statements
from app.reporting.sources import SourceList
from app.reporting.wording import (
    Vocabulary,
    against_text,
    change_of,
    change_text,
    common_factor,
    conditions_text,
    effect_text,
    interval_text,
    is_change,
    trial_ranges,
    values_text,
    verdict_word,
)

_UNIT_SUFFIX: Final = re.compile(r"_(percent|share|ms|kbps|s|h)$")
_SHOWN: Final = frozenset({"factor", "verdict"})  # facts that the page shows by themselves
_MOST_COMPARISONS: Final = 6  # more would push the page over its end; all stand in the table of comparisons


def finding_blocks(
    finding: Finding, session: SessionRecord, advice: Advice, words: Vocabulary, sources: SourceList
) -> list[Block]:
    """Return the blocks of one finding, from a new page on."""
    behind = comparisons_behind(finding, advice.comparisons)
    blocks: list[Block] = [Heading(finding.title, level=2, new_page=True)]
    blocks += _verdict(finding, carrying_comparison(finding, advice.comparisons), words)
    blocks.append(Paragraph(finding.recommendation, label=_("Recommendation.")))
    blocks.append(Paragraph(finding.because, label=_("Because.")))
    blocks += _figure(finding, advice.plots)
    if behind:
        blocks.append(comparison_table(behind[:_MOST_COMPARISONS], words))
    blocks.append(
        Columns(
            (
                (Paragraph(finding.trade_offs or "–", label=_("Trade-off.")),),
                (Paragraph(finding.risk or "–", label=_("Risk.")),),
                (Paragraph(finding.undo or "–", label=_("Undo.")),),
            )
        )
    )
    blocks += _scripts(finding, session)
    blocks += _facts(finding)
    blocks += _evidence(finding, sources)
    return blocks


def comparison_table(comparisons: Sequence[Comparison], words: Vocabulary, caption: str = "") -> Table:
    """Return a table of comparisons with effect, interval, sample sizes and verdict.

    A factor or measure that all rows share stands in the head of its column instead of in every row.
    """
    factor = common_factor(comparisons)
    measures = {words.metric(c.family, c.metric) for c in comparisons}
    measure = measures.pop() if len(measures) == 1 else ""
    columns = (
        Column(factor or _("Compared"), width=1),
        Column(measure or _("Change"), "right", width=0 if measure else 1),
        Column(_("95 % interval"), "right"),
        Column("p", "right"),
        Column(_("Trials"), "right"),
        Column(_("Phase")),
        Column(_("Verdict")),
    )
    rows = tuple(
        (
            values_text(c, factor) if factor else against_text(c),
            change_text(c.ratio) if measure else f"{words.metric(c.family, c.metric)}: {change_text(c.ratio)}",
            interval_text(c.low, c.high),
            "< 0.001" if c.p_adjusted < 0.001 else f"{c.p_adjusted:.3f}",
            f"{len(c.candidate_trials)} / {len(c.reference_trials)}",
            _("confirmed") if c.phase is Phase.CONFIRM else _("explored"),
            Cell(verdict_word(c.verdict), verdict=c.verdict),
        )
        for c in comparisons
    )
    return Table(columns, rows, caption=caption, small=True)


def _verdict(finding: Finding, comparison: Comparison | None, words: Vocabulary) -> list[Block]:
    """Return the verdict that carries the finding, or what it is about where no comparison does."""
    change = change_of(finding) if is_change(finding) else ""
    pairs = [(_("Change"), change)] if change else []
    pairs.append((_("Experiment"), words.family(finding.family)))
    pairs.append((_("Priority"), _("{priority} of 5 (1 is most urgent)").format(priority=finding.priority)))
    if comparison is None:
        return [Fields(tuple(pairs), columns=2)]
    if comparison.conditions:
        pairs.append((_("Under"), conditions_text(comparison.conditions)))
    text = effect_text(comparison, words.metric(comparison.family, comparison.metric))
    if comparison.phase is Phase.CONFIRM:
        text += " " + _("From fresh confirmation trials.")
    return [
        VerdictBox(comparison.verdict, verdict_word(comparison.verdict), text),
        Fields(tuple(pairs), columns=2),
    ]


def _figure(finding: Finding, plots: Sequence[PlotSpec]) -> list[Block]:
    for index, plot in enumerate(plots):
        if plot.plot_id == finding.figure:
            return [FigureBlock(index, plot.title, plot.alt)]
    return []


def _scripts(finding: Finding, session: SessionRecord) -> list[Block]:
    apply_text, rollback_text = core_statements(finding, session)
    if not apply_text:
        return []
    return [
        Columns(
            (
                (Code(apply_text, _("Apply (core of apply.sql)")),),
                (Code(rollback_text, _("Roll back (core of rollback.sql)")),),
            )
        )
    ]


def _facts(finding: Finding) -> list[Block]:
    pairs = tuple(
        (_fact_title(name), quantity(value, unit)) for name, value, unit in finding.facts if name not in _SHOWN
    )
    return [Heading(_("What the rule looked at"), level=3, minor=True), Fields(pairs, columns=3)] if pairs else []


def _fact_title(name: str) -> str:
    """Return a fact's name in words; its unit stands beside its value."""
    return _UNIT_SUFFIX.sub("", name).replace("_", " ")


def _evidence(finding: Finding, sources: SourceList) -> list[Block]:
    items = (f"[{sources.number_of(source)}]\u00a0{source.title}" for source in finding.sources)
    named = "; ".join(items)
    blocks: list[Block] = [Paragraph(_("Sources: {sources}.").format(sources=named), quiet=True)] if named else []
    text = _("Rule {rule}, version {version}. Trials behind it: {trials}.").format(
        rule=finding.rule, version=number(finding.version), trials=trial_ranges(finding.evidence)
    )
    blocks.append(Paragraph(text, quiet=True))
    return blocks
