"""Noise and smallest effect as a what-if: each comparison by the plan beside the same one by other values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.comparison import Comparison
from app.domain.errors import BadInput
from app.domain.plan import Phase
from app.domain.session import SessionRecord
from app.domain.setting import Setting, value_text
from app.domain.view import Cell, Column, Emphasis, Row, TableContent, text_cell
from app.flows.plan.number_entry import read_decimal
from app.foundation.texts import _, local_number
from app.reporting.wording import Vocabulary, claim_word, interval_text
from app.services.explain.advising import Advisor
from app.services.explain.explaining import ExplainedSession
from app.services.explain.what_if import advise_if

_Key = tuple[str, str, Setting, Setting, Setting, Phase]


@dataclass(frozen=True)
class WhatIf:
    """The results under other values.

    Attributes:
        sentence: how many verdicts would be others.
        table: every comparison by the plan and by the other values.
    """

    sentence: str
    table: TableContent


def plan_percents(session: SessionRecord) -> tuple[str, str]:
    """Return smallest effect and noise of the last run's plan in percent, "" where there is none."""
    if not session.runs:
        return "", ""
    design = session.runs[-1].plan.design
    noise = "" if design.noise_cv is None else local_number(f"{design.noise_cv * 100:g}")
    return local_number(f"{design.minimum_effect * 100:g}"), noise


def read_percent(text: str) -> float | None:
    """Return a percentage as a share, None where nothing was typed.

    Raises:
        BadInput: not a number above 0 and below 100.
    """
    typed = text.strip().removesuffix("%").strip()
    if not typed:
        return None
    percent = float(read_decimal(typed))
    if not 0 < percent < 100:
        raise BadInput(_("Give a percentage above 0 and below 100."))
    return percent / 100


def what_if(
    explained: ExplainedSession,
    advisor: Advisor,
    words: Vocabulary,
    minimum_effect: float | None,
    noise_cv: float | None,
) -> WhatIf:
    """Return every comparison of a session by other values beside the plan's; for a worker thread.

    Raises:
        BadInput: as `advise_if`.
    """
    other = {_key(c): c for c in advise_if(explained.session, advisor, minimum_effect, noise_cv).comparisons}
    pairs = [(c, other[_key(c)]) for c in explained.advice.comparisons if _key(c) in other]
    changed = sum(one.verdict is not another.verdict for one, another in pairs)
    if not changed:
        sentence = _("No verdict would change.")
    elif changed == 1:
        sentence = _("1 of {all} verdicts would change.").format(all=value_text(len(pairs)))
    else:
        sentence = _("{count} of {all} verdicts would change.").format(
            count=value_text(changed), all=value_text(len(pairs))
        )
    return WhatIf(sentence, _table(pairs, words))


def _key(c: Comparison) -> _Key:
    return c.family, c.metric, c.reference, c.candidate, c.conditions, c.phase


def _table(pairs: Sequence[tuple[Comparison, Comparison]], words: Vocabulary) -> TableContent:
    hint, room = _("95 % interval"), interval_text(0.1, 100.0)
    columns = (
        Column("compared", _("Compared")),
        Column("interval", _("By the plan"), is_number=True, hint=hint),
        Column("verdict", _("Verdict by the plan")),
        Column("interval_if", _("What if"), is_number=True, hint=hint, room_for=room),
        Column("verdict_if", _("Verdict what if")),
        Column("phase", _("Phase")),
        Column("measure", _("Measure")),
    )
    return TableContent(columns, tuple(_row(place, *pair, words) for place, pair in enumerate(pairs)))


def _row(place: int, one: Comparison, another: Comparison, words: Vocabulary) -> Row:
    emphasis = Emphasis.STRONG if one.verdict is not another.verdict else Emphasis.PLAIN
    return Row(
        f"{place}",
        (
            text_cell(words.against(one)),
            text_cell(interval_text(one.low, one.high, one.ratio)),
            _verdict(one),
            text_cell(interval_text(another.low, another.high, another.ratio)),
            _verdict(another, emphasis),
            text_cell(_("confirming") if one.phase is Phase.CONFIRM else _("exploring")),
            text_cell(words.metric(one.family, one.metric)),
        ),
    )


def _verdict(comparison: Comparison, emphasis: Emphasis = Emphasis.PLAIN) -> Cell:
    return replace(text_cell(claim_word(comparison), emphasis=emphasis), verdict=comparison.verdict)
