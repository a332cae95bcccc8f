"""One page for each finding: what to do, how sure that is, what it costs, and how to take it back."""

import math
from collections.abc import Sequence
from typing import Final

from app.domain.comparison import Comparison
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.plot import PlotSpec
from app.domain.session import Advice, SessionRecord
from app.foundation.texts import _, local_number
from app.reporting.blocks import (
    Block,
    Callout,
    Cell,
    Code,
    Column,
    Columns,
    Fields,
    FigureBlock,
    Group,
    Heading,
    Paragraph,
    Table,
    VerdictBox,
)
from app.reporting.document.fact_words import fact_title, fact_value, shown_facts
from app.reporting.document.in_effect import InEffect
from app.reporting.document.place import Places
from app.reporting.document.scripts import Scripts
from app.reporting.document.sources import SourceList
from app.reporting.document.worked_out import MARK, worked_out_note
from app.reporting.matching import carrying_comparison, comparisons_behind
from app.reporting.numbers import number
from app.reporting.wording import (
    Vocabulary,
    against_text,
    change_text,
    claim_word,
    common_factor,
    effect_text,
    interval_text,
    is_change,
    lead_word,
    trial_ranges,
    values_text,
)

_FIGURE_WIDTH: Final = 0.88  # what leaves a page room for a long recommendation
_BESIDE: Final = (1.9, 1)  # widths of a figure and the consequences beside it
_MOST_COMPARISONS: Final = 6  # more would push the page over its end; all stand in the table of comparisons


class FindingPages:
    """Makes the page of each finding; a table that an earlier page showed is not repeated."""

    def __init__(self, session: SessionRecord, advice: Advice, words: Vocabulary, sources: SourceList) -> None:
        self._advice, self._words, self._sources = advice, words, sources
        self._in_effect, self._scripts = InEffect(session, words.writers), Scripts(session, words)
        self._places = Places(session, words)
        self._shown: set[tuple[Comparison, ...]] = set()

    def blocks(self, finding: Finding) -> list[Block]:
        """Return the blocks of one finding: from a new page on, or together on a page with others of its kind."""
        carrying = carrying_comparison(finding, self._advice.comparisons)
        behind = self._behind(finding, carrying)
        has_own_page = is_change(finding) or carrying is not None
        repeated = not has_own_page and behind in self._shown
        self._shown.add(behind)
        where = self._places.text(finding)
        head = Heading(finding.title, level=2, tag=where, new_page=has_own_page)
        rest = _verdict(finding, carrying, self._words, self._places, self._in_effect)
        note = self._in_effect.note(finding)
        if note:
            rest.append(Callout("warn", _("The baseline is not what was in effect"), note))
        rest.append(Paragraph(finding.recommendation, label=_("Recommendation.")))
        rest.append(Paragraph(finding.because, label=_("Because.")))
        figure = _figure(finding, self._advice.plots, _FIGURE_WIDTH if has_own_page else 1.0)
        consequences = _consequences(finding)
        is_beside = bool(figure) and not has_own_page
        rest += [Columns((figure, consequences), _BESIDE)] if is_beside else figure
        if behind and not repeated:
            rest.append(comparison_table(behind, self._words, self._places))
        rest += [] if is_beside else [Columns(tuple((block,) for block in consequences))]
        rest += [
            *_scripts(finding, self._scripts),
            *_facts(finding, carrying is not None, self._words),
            *_evidence(finding, self._sources),
        ]
        return [head, *rest] if has_own_page else [Group((head, *rest))]

    def _behind(self, finding: Finding, carrying: Comparison | None) -> tuple[Comparison, ...]:
        """Return the comparisons to show: all of one pair where a condition varies within trials, else the first few.

        Without a pair that carries the finding its figure shows them all.
        """
        behind = comparisons_behind(finding, self._advice.comparisons)
        if not behind or not self._words.place(behind[0])[0]:
            return behind[:_MOST_COMPARISONS]
        if carrying is None:
            return ()
        pair = (carrying.reference, carrying.candidate)
        return tuple(c for c in behind if (c.reference, c.candidate) == pair)


def _consequences(finding: Finding) -> tuple[Block, ...]:
    """Return what the recommendation costs, what may go wrong, and how it is taken back."""
    texts = (
        (_("Trade-off."), finding.trade_offs),
        (_("Risk."), finding.risk),
        (_("Undo."), finding.undo),
    )
    return tuple(Paragraph(text or "–", label=label) for label, text in texts)


def comparison_table(comparisons: Sequence[Comparison], words: Vocabulary, places: Places) -> Table:
    """Return a table of comparisons with effect, interval, sample sizes and verdict, leads marked as such.

    A factor or measure that all rows share stands in the head of its column instead of in every row. Where a condition
    varies within each trial, each row says which value of it; of one pair of settings only that.
    """
    factor = common_factor(comparisons)
    measures = {words.metric(c.family, c.metric) for c in comparisons}
    measure = measures.pop() if len(measures) == 1 else ""
    swept = words.place(comparisons[0])[0] if comparisons else ""
    is_one_pair = bool(swept) and len({(c.reference, c.candidate) for c in comparisons}) == 1
    columns = (
        *((Column(swept, "right", width=1),) if swept else ()),
        *(() if is_one_pair else (Column(factor or _("Compared"), width=1),)),
        Column(measure or _("Change"), "right", width=0 if measure else 1),
        Column(_("95 % interval"), "right"),
        Column("p", "right"),
        Column(_("Trials"), "right"),
        Column(_("Phase")),
        Column(_("Verdict")),
    )

    def heads(c: Comparison) -> list[str]:
        place = [_place_text(c, words, places)] if swept else []
        pair = [] if is_one_pair else [values_text(c, factor) if factor else against_text(c)]
        change = change_text(c.ratio)
        return [*place, *pair, change if measure else f"{words.metric(c.family, c.metric)}: {change}"]

    rows = tuple((*heads(c), *_result_cells(c, words, places)) for c in comparisons)
    notes = (trust_note(comparisons, places), worked_out_note() if any(map(places.is_worked_out, comparisons)) else "")
    return Table(columns, rows, caption=" ".join(note for note in notes if note), small=True)


def _result_cells(c: Comparison, words: Vocabulary, places: Places) -> tuple[Cell | str, ...]:
    """Return what was shown of a comparison: interval, p, trials, phase, verdict."""
    return (
        interval_text(c.low, c.high),
        _p_text(c),
        f"{len(c.candidate_trials)} / {len(c.reference_trials)}",
        phase_text(c, words, places),
        Cell(lead_word(c.verdict)) if places.is_lead(c) else Cell(claim_word(c), verdict=c.verdict),
    )


def _place_text(comparison: Comparison, words: Vocabulary, places: Places) -> str:
    place = words.place(comparison)[1]
    return f"{place}\u00a0{MARK}" if places.is_worked_out(comparison) else place


def phase_text(comparison: Comparison, words: Vocabulary, places: Places) -> str:
    """Return which trials a comparison rests on."""
    if comparison.phase is Phase.CONFIRM:
        return _("named before") if words.compares_all(comparison.family) else _("confirmed")
    return _("explored") if places.is_lead(comparison) else _("from the file")


def _p_text(comparison: Comparison) -> str:
    if comparison.low <= 0 or not math.isfinite(comparison.high):
        return "–"
    return local_number("< 0.001" if comparison.p_adjusted < 0.001 else f"{comparison.p_adjusted:.3f}")


def trust_note(comparisons: Sequence[Comparison], places: Places) -> str:
    """Return how far the rows of a table of comparisons may be trusted."""
    if any(places.is_lead(c) for c in comparisons):
        return _("Explored rows are leads: they choose what is confirmed. Only confirmed rows are claims.")
    if any(c.phase is not Phase.CONFIRM for c in comparisons):
        return _("No fresh trials confirm these rows: the best setting was picked from the same measurements.")
    return ""


def _verdict(
    finding: Finding, comparison: Comparison | None, words: Vocabulary, places: Places, in_effect: InEffect
) -> list[Block]:
    """Return the verdict that carries the finding, or what it is about where no comparison does."""
    change = in_effect.change(finding) if is_change(finding) else ""
    pairs = [(_("Change"), change)] if change else []
    pairs.append((_("Experiment"), words.family(finding.family)))
    pairs.append((_("Priority"), _("{priority} of 5 (1 is most urgent)").format(priority=finding.priority)))
    if comparison and comparison.conditions:
        pairs.append((_("Under"), words.conditions(comparison.conditions)))
    fields = Fields(tuple(pairs), columns=2)
    if comparison is None:
        return [fields]
    text = effect_text(comparison, words.metric(comparison.family, comparison.metric))
    if places.is_lead(comparison):
        text += " " + _("From exploring trials, which claim nothing.")
        return [Callout("info", lead_word(comparison.verdict), text), fields]
    if comparison.phase is not Phase.CONFIRM:
        text += " " + _("Not confirmed by fresh trials.")
    elif words.compares_all(finding.family):
        text += " " + _("Named before the run, with every comparison of this experiment.")
    else:
        text += " " + _("From fresh confirmation trials.")
    return [VerdictBox(comparison.verdict, claim_word(comparison), text), fields]


def _figure(finding: Finding, plots: Sequence[PlotSpec], width: float) -> tuple[Block, ...]:
    for index, plot in enumerate(plots):
        if plot.plot_id == finding.figure:
            return (FigureBlock(index, plot.title, plot.alt, width),)
    return ()


def _scripts(finding: Finding, scripts: Scripts) -> list[Block]:
    files = scripts.files_of(finding)
    if files is None:
        return []
    apply_text, rollback_text = scripts.core(finding)
    return [
        Columns(
            (
                (Code(apply_text, _("Apply: the heart of {file}").format(file=files.apply)),),
                (Code(rollback_text, _("Roll back: the heart of {file}").format(file=files.rollback)),),
            )
        )
    ]


def _facts(finding: Finding, is_judged: bool, words: Vocabulary) -> list[Block]:
    # Where all comparisons are named before a run, there are no fresh trials that could confirm one.
    hidden = {"confirmed"} if words.compares_all(finding.family) else set()
    pairs = tuple(
        (fact_title(name, words), fact_value(name, value, unit))
        for name, value, unit in shown_facts(finding, is_judged)
        if name not in hidden
    )
    return (
        [Heading(_("What the rule looked at"), level=3, minor=True), Fields(pairs, columns=2, long_names=True)]
        if pairs
        else []
    )


def _evidence(finding: Finding, sources: SourceList) -> list[Block]:
    items = (f"[{sources.number_of(source)}]\u00a0{source.title}" for source in finding.sources)
    named = "; ".join(items)
    blocks: list[Block] = [Paragraph(_("Sources: {sources}.").format(sources=named), quiet=True)] if named else []
    text = _("Rule {rule}, version {version}. Trials behind it: {trials}.").format(
        rule=finding.rule, version=number(finding.version), trials=trial_ranges(finding.evidence)
    )
    blocks.append(Paragraph(text, quiet=True))
    return blocks
