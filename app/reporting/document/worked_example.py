"""How an interval is made: one claim of the session, worked out from its pairs of trials with a calculator's steps."""

import math
from collections.abc import Sequence
from typing import Final

from app.analysis.worked_interval import WorkedInterval, worked_interval
from app.domain.comparison import Comparison
from app.domain.measurement import Measurement
from app.domain.session import Advice, RunRecord, SessionRecord
from app.foundation.texts import _, local_number
from app.reporting.blocks import Block, Bullets, Column, Heading, Paragraph, Table
from app.reporting.decision_words import headline
from app.reporting.numbers import number
from app.reporting.wording import Vocabulary

_MOST_PAIRS: Final = 8  # as many rows as half a page takes

_Pair = tuple[Measurement, Measurement]


def worked_blocks(session: SessionRecord, advice: Advice, words: Vocabulary) -> list[Block]:
    """Return the worked example of the first decision that has one, [] where none has."""
    for decision in advice.decisions:
        compared = None if decision.gain is None else decision.gain.comparison
        if compared is None or compared.confirmation is None:
            continue
        run, pairs = _pairs(session, compared)
        if run is None or not 2 <= len(pairs) <= _MOST_PAIRS:
            continue
        design = run.plan.design
        most = design.most_confirm_blocks if design.is_windowed else None
        differences = [math.log(after.value / before.value) for before, after in pairs]
        worked = worked_interval(compared, differences, most)
        if worked is not None:
            title = headline(decision, words)
            metric = words.metric(compared.family, compared.metric)
            return _told(title, metric, compared, pairs, worked, is_windowed=design.is_windowed)
    return []


def _pairs(session: SessionRecord, compared: Comparison) -> tuple[RunRecord | None, list[_Pair]]:
    """Return the run of a comparison and its pairs: reference and candidate of each block that counts."""
    sides = compared.reference_trials, compared.candidate_trials
    for run in session.runs:
        of_run = _measured(run, compared)
        if of_run.keys() >= {*sides[0], *sides[1]}:
            before, after = ({of_run[trial].block: of_run[trial] for trial in side} for side in sides)
            return run, [(before[block], after[block]) for block in sorted(before.keys() & after.keys())]
    return None, []


def _measured(run: RunRecord, compared: Comparison) -> dict[str, Measurement]:
    """Return a comparison's measure in the trials of a run, by trial."""
    return {
        m.trial_id: m
        for trial in run.trials
        for m in trial.measurements
        if m.metric == compared.metric and {**m.conditions, **m.setting}.items() >= compared.conditions.items()
    }


def _told(
    title: str,
    metric: str,
    compared: Comparison,
    pairs: Sequence[_Pair],
    worked: WorkedInterval,
    *,
    is_windowed: bool,
) -> list[Block]:
    unit = pairs[0][0].unit
    columns = (
        Column(_("Block"), "right"),
        Column(_("Trial"), width=1),
        Column(_("{metric} before ({unit})").format(metric=metric, unit=unit), "right", width=1.6),
        Column(_("Trial"), width=1),
        Column(_("{metric} after ({unit})").format(metric=metric, unit=unit), "right", width=1.6),
        Column(_("ln(after / before)"), "right", width=1.2),
    )
    rows = tuple(
        (
            number(before.block),
            before.trial_id,
            _exact(before.value),
            after.trial_id,
            _exact(after.value),
            _log(math.log(after.value / before.value)),
        )
        for before, after in pairs
    )
    low, high = math.exp(worked.mean - worked.half_width), math.exp(worked.mean + worked.half_width)
    steps = (
        _("Mean of the last column: m = {mean}. The value after is e^m = {ratio} times that before.").format(
            mean=_log(worked.mean), ratio=_four(compared.ratio)
        ),
        _spread(worked),
        _("Student's t for {degrees} degrees of freedom and an error of {error} on both sides: t = {quantile}.").format(
            degrees=number(worked.degrees), error=_percent(worked.error), quantile=_four(worked.quantile)
        ),
        _("Half width: h = t · s / √{pairs} = {half}. Interval: e^(m − h) = {low} to e^(m + h) = {high}.").format(
            pairs=len(pairs), half=_log(worked.half_width), low=_three(low), high=_three(high)
        ),
        _why(worked, is_windowed=is_windowed),
    )
    return [
        Heading(_("How an interval is made"), minor=True),
        Paragraph(
            _("{title}, by the rows of measurements.csv that carry it. A calculator with ln and e^x is enough.").format(
                title=title
            )
        ),
        Table(columns, rows, small=True),
        Bullets(steps, small=True),
    ]


def _spread(worked: WorkedInterval) -> str:
    """Return where the standard deviation comes from."""
    if worked.lends:
        text = _(
            "Standard deviation of one difference: s = {sd}. The exploring trials lend to it as far as they agree with "
            "these pairs, with at most 4 degrees of freedom."
        )
    else:
        text = _(
            "Standard deviation of the last column (divided by pairs − 1, at least 0.014142, which is 1 % of noise for "
            "each trial): s = {sd}."
        )
    return text.format(sd=_log(worked.sd))


def _why(worked: WorkedInterval, *, is_windowed: bool) -> str:
    """Return the reason for the error of one look, and that p follows from the same steps."""
    if worked.lends:
        return _(
            "p comes from the same mean, s and degrees of freedom. This interval holds “no change”, so it claims "
            "nothing; a claim must hold by its pairs alone, too."
        )
    looks = _(
        "The error of one look is smaller than 5 % because the run may look several times and stop when the claim "
        "holds; all looks together err in at most 5 %."
    )
    p_value = _("p is that of t = m / (s / √pairs), times 5 % divided by the error of one look.")
    if is_windowed:
        p_value = _("p is that of t = m / (s / √pairs), raised for all looks by simulated sequences.")
    return f"{looks} {p_value}"


def _percent(share: float) -> str:
    return local_number(f"{share * 100:.3g}\u00a0%")


def _exact(value: float) -> str:
    return local_number(f"{value:.6g}")


def _log(value: float) -> str:
    """Return a logarithm to so many places that who goes on with what is printed comes to the printed interval."""
    return local_number(f"{value:.6f}".replace("-", "−"))


def _four(value: float) -> str:
    return local_number(f"{value:.4f}")


def _three(value: float) -> str:
    return local_number(f"{value:.3f}")
