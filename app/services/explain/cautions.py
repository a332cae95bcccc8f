"""Cautions on the trials behind comparisons, for a reader before believing them."""

import math
from collections.abc import Iterable, Iterator, Sequence

from app.analysis.comparing.evidence import Compared
from app.analysis.comparing.open_blocks import MOST_BLOCKS, open_blocks
from app.analysis.comparing.pairs import baseline_among
from app.analysis.noise import FLOOR_LOG_SD, explaining_cv
from app.analysis.settings_order import lowest_or_default
from app.domain.comparison import CarryOver, Comparison, Confirmation, Verdict
from app.domain.effect import signed_interval, signed_percent
from app.domain.family import ExperimentFamily
from app.domain.happening import Happening, meanwhile
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import Parameter, Setting, effective_setting, value_text
from app.domain.units import unit_word
from app.foundation.texts import _, local_number
from app.reporting.wording import LEAST_NOISE, with_conditions


def cautions(
    piece: Compared,
    ran: Sequence[tuple[str, Happening]],
    apart: Sequence[str] = (),
    family: ExperimentFamily | None = None,
) -> Iterator[str]:
    """Yield a caution for each trial that stands out, its consequence for a claim, and doubt about a stated noise
    level.

    Args:
        apart: conditions, in words, that tell this experiment from others of the session.
        ran: what else ran on a server, with the trial it ran in; told of trials that stand out.
        family: whose parameters tell which baseline was assumed; None says nothing of it.
    """
    for disturbed in piece.disturbed:
        yield _stands_out(disturbed) + _meanwhile(disturbed.trial_id, ran)
    if piece.own:
        yield _own_doing(piece) + "".join(_meanwhile(m.trial_id, ran) for m in piece.own)
    for comparison in piece.evidence.comparisons:
        yield from _of_comparison(piece, comparison, ran)
    yield from [] if family is None else _of_assumed_baseline(piece, family)
    if piece.evidence.plan is None and any(c.phase is Phase.CONFIRM for c in piece.evidence.comparisons):
        yield _(
            "The file does not say how often the confirming trials were looked at before they ended. Their intervals "
            "hold for up to four looks; if there were more, as in windows on the client's own work, they are too "
            "narrow, and the report of that run counts."
        )
    yield from _of_phases(piece)
    yield from _of_one_number(piece)
    yield from _of_single_runs(piece, apart)
    yield from _of_open_blocks(piece)
    if piece.doubted is not None:
        yield _("Noise of {stated} is stated, but these runs show {observed}; the larger one counts.").format(
            stated=_percent(piece.doubted.stated_cv), observed=_percent(piece.doubted.observed_cv)
        )


def _of_comparison(piece: Compared, comparison: Comparison, ran: Sequence[tuple[str, Happening]]) -> Iterator[str]:
    """Say which trials of a confirmation stand out, and how the preceding trials affected those of a comparison."""
    told = comparison.confirmation
    if told is not None:
        if told.told_trial:
            yield _of_told(comparison, told) + _meanwhile(told.told_trial, ran)
        for sentence in _of_confirmation(piece, comparison):
            yield sentence + _meanwhile(told.disturbed_trial, ran)
    if comparison.carry_over is not None:
        yield _carried_over(comparison, comparison.carry_over)


def _of_assumed_baseline(piece: Compared, family: ExperimentFamily) -> Iterator[str]:
    """Say which setting measurements from elsewhere are compared with where nobody named one."""
    evidence = piece.evidence
    settings = {side for c in evidence.comparisons for side in (c.reference, c.candidate)}
    if evidence.plan is not None or not settings:
        return
    baseline_of = baseline_among if family.compares_all else lowest_or_default
    baseline = baseline_of(settings, family.parameters, evidence.baseline)
    varied = {name for name in baseline if len({setting.get(name) for setting in settings}) > 1}
    assumed = [p for p in family.parameters if p.name in varied and p.name not in evidence.baseline]
    yield from _of_assumed_values(effective_setting(baseline, family.parameters), assumed)


def _of_assumed_values(baseline: Setting, assumed: Sequence[Parameter]) -> Iterator[str]:
    """Name the value taken for each parameter whose value in effect is not known: the default, or another."""
    at_default = [p for p in assumed if baseline[p.name] == p.default]
    told = (
        (
            [p for p in at_default if not p.choices],  # a choice at its default needs no word
            _(
                "Which value is in effect is not said: {baseline}, the documented default, was taken as the baseline. "
                "Another one can be given when the file is read."
            ),
        ),
        (
            [p for p in assumed if p not in at_default],
            _(
                "Which value is in effect is not said, and the documented default was not measured: {baseline} was "
                "taken as the baseline. Another one can be given when the file is read."
            ),
        ),
    )
    for parameters, sentence in told:
        if parameters:
            yield sentence.format(baseline=_values_of(baseline, parameters))


def _values_of(setting: Setting, parameters: Iterable[Parameter]) -> str:
    return ", ".join(f"{parameter.name} {value_text(setting[parameter.name])}" for parameter in parameters)


def _of_phases(piece: Compared) -> Iterator[str]:
    """Say where exploring and confirming trials of the same two settings cannot both hold."""
    compared = piece.evidence.comparisons
    for fresh in (c for c in compared if c.phase is Phase.CONFIRM):
        told = (fresh.reference, fresh.candidate, fresh.metric, fresh.conditions)
        for first in (c for c in compared if c.phase is Phase.EXPLORE):
            is_same = (first.reference, first.candidate, first.metric, first.conditions) == told
            if is_same and (first.high < fresh.low or fresh.high < first.low):
                yield _(
                    "{candidate} against {reference}: exploring trials showed {explored} ({explored_interval}), "
                    "confirming ones {confirmed} ({confirmed_interval}). Both cannot hold, so something changed "
                    "between them: find out what before you act."
                ).format(
                    candidate=fresh.candidate.text(),
                    reference=fresh.reference.text(),
                    explored=signed_percent(first.ratio),
                    explored_interval=signed_interval(first.low, first.high),
                    confirmed=signed_percent(fresh.ratio),
                    confirmed_interval=signed_interval(fresh.low, fresh.high),
                )


def _of_one_number(piece: Compared) -> Iterator[str]:
    """Say where runs made elsewhere all show the same number, which is as much as their digits tell."""
    compared = next(iter(piece.evidence.comparisons), None)
    if piece.evidence.plan is not None or compared is None or compared.verdict is Verdict.CANNOT_TELL:
        return
    values = {m.value for m in piece.evidence.measurements if m.metric == compared.metric}
    if len(values) == 1:
        yield _(
            "Every run shows the same number, {value}, so its digits do not tell how much runs differ. The interval "
            "takes that to be {noise}, the least that is ever assumed, beside half a unit of the last digit."
        ).format(
            value=f"{local_number(f'{values.pop():,.10g}')}\u00a0{unit_word(compared.unit)}",
            noise=_percent(FLOOR_LOG_SD),
        )


def _of_single_runs(piece: Compared, apart: Sequence[str]) -> Iterator[str]:
    """Say of single runs, which tell nothing by themselves, how noisy a server must be to make the largest ratio."""
    open_ones = [
        comparison
        for comparison in piece.evidence.comparisons
        if comparison.verdict is Verdict.CANNOT_TELL
        and (len(comparison.reference_trials), len(comparison.candidate_trials)) == (1, 1)
        and 0.0 < comparison.ratio < math.inf
        and not math.isfinite(comparison.smallest_effect)
    ]
    if piece.evidence.plan is not None or piece.evidence.noise_cv is not None or not open_ones:
        return
    widest = max(open_ones, key=lambda comparison: abs(math.log(comparison.ratio)))
    noise = explaining_cv(widest.ratio)
    if noise < LEAST_NOISE:
        return
    yield _(
        "{candidate} and {reference} ran once each, so no verdict is possible. Chance alone would make their ratio of "
        "{ratio} only where equal runs vary by {noise}; repeat each run, or say when the file is "
        "read how much equal runs vary."
    ).format(
        candidate=widest.candidate.text(),
        reference=with_conditions(widest.reference.text(), apart),
        ratio=local_number(f"{widest.ratio:.3g}"),
        noise=_percent(noise),
    )


def _of_open_blocks(piece: Compared) -> Iterator[str]:
    """Say, where all comparisons were named beforehand and half of them are open, how many blocks settle more."""
    told = open_blocks(piece.evidence.comparisons)
    if piece.evidence.plan is None or 2 * told.are_open < max(1, told.comparisons):
        return
    if told.blocks is None:
        yield _(
            "{open} of {count} comparisons are open, and the noise is too large for {most} blocks to settle half of "
            "them."
        ).format(open=value_text(told.are_open), count=value_text(told.comparisons), most=MOST_BLOCKS)
        return
    had = piece.evidence.plan.design.blocks
    yield _(
        "{open} of {count} comparisons are open: {had} blocks were few. A run of {blocks} blocks, which takes "
        "{times} times as long, settles about half of them."
    ).format(
        open=value_text(told.are_open),
        count=value_text(told.comparisons),
        had=value_text(had),
        blocks=value_text(told.blocks),
        times=local_number(f"{told.blocks / had:.1f}"),
    )


def _meanwhile(trial_id: str, ran: Sequence[tuple[str, Happening]]) -> str:
    sentence = meanwhile(trial_id, [happening for trial, happening in ran if trial == trial_id])
    return f" {sentence}" if sentence else ""


def _stands_out(disturbed: Measurement) -> str:
    return _(
        "{trial} ({setting}) stands out from the other exploring trials, as if something else had run on the server. "
        "It stays in every table and mean; the noise is judged without it, and so may be which setting is confirmed."
    ).format(trial=disturbed.trial_id, setting=disturbed.setting.text())


def _own_doing(piece: Compared) -> str:
    setting = piece.own[0].setting
    if len(piece.own) == 1:
        return _(
            "{trial} stands out from the other exploring trials, and none of another setting does. {setting} itself "
            "may do this now and then, so it counts: so far in 1 of its {trials_of_it} exploring trials."
        ).format(
            trial=piece.own[0].trial_id,
            setting=setting.text(),
            trials_of_it=value_text(len(_alike(piece, piece.own[0]))),
        )
    return _(
        "{trials} stand out: {count} of the {trials_of_it} exploring trials of {setting}, and none of another setting. "
        "So they count, as what this setting does now and then."
    ).format(
        trials=", ".join(m.trial_id for m in piece.own),
        count=value_text(len(piece.own)),
        trials_of_it=value_text(len(_alike(piece, piece.own[0]))),
        setting=setting.text(),
    )


def _alike(piece: Compared, example: Measurement) -> list[Measurement]:
    """Return the measurements of the same metric and setting, in the same phase."""
    asked = (example.metric, example.setting, example.phase)
    return [m for m in piece.evidence.measurements if (m.metric, m.setting, m.phase) == asked]


def _of_confirmation(piece: Compared, comparison: Comparison) -> Iterator[str]:
    told = comparison.confirmation
    if told is None or not told.disturbed_trial:
        return
    if told.is_own:
        is_candidate = told.disturbed_trial in comparison.candidate_trials
        setting = comparison.candidate if is_candidate else comparison.reference
        before = sum(m.setting == setting for m in (*piece.disturbed, *piece.own))
        of_it = [m for m in piece.evidence.measurements if (m.metric, m.setting) == (comparison.metric, setting)]
        yield _(
            "{trial} stands out among the confirming trials. {setting} itself may do this now and then: so far in "
            "{count} of its {trials} trials. So it counts; a further run shows whether it comes back."
        ).format(trial=told.disturbed_trial, setting=setting.text(), count=before + 1, trials=value_text(len(of_it)))
        return
    if not told.is_set_aside:
        yield _(
            "{trial} stands out among the confirming trials. {pairs} blocks are too few to tell by themselves that it "
            "was disturbed, so it counts."
        ).format(trial=told.disturbed_trial, pairs=told.pairs)
        return
    disturbed = _(
        "{trial} was disturbed: the other confirming blocks show it by themselves, so its block does not count."
    ).format(trial=told.disturbed_trial)
    yield f"{disturbed} {_with_and_without(comparison, told)}{_also_elsewhere(piece, comparison, told)}"


def _of_told(comparison: Comparison, told: Confirmation) -> str:
    """Say of a trial that the server reports the disturbance."""
    disturbed = _(
        "{trial} was disturbed: it lies far from the other confirming trials, and what ran during it ran during hardly "
        "any other, so its block does not count."
    ).format(trial=told.told_trial)
    return disturbed if told.is_set_aside else f"{disturbed} {_with_and_without(comparison, told)}"


def _with_and_without(comparison: Comparison, told: Confirmation) -> str:
    low, high = (comparison.low, comparison.high) if comparison.carry_over is None else comparison.carry_over.in_trials
    return _(
        "With it the ratio would be {whole_ratio} ({whole_low} to {whole_high}), without it it is {ratio} ({low} to "
        "{high})."
    ).format(
        whole_ratio=_ratio(told.whole_ratio),
        whole_low=_ratio(told.whole[0]),
        whole_high=_ratio(told.whole[1]),
        ratio=_ratio(comparison.ratio),
        low=_ratio(low),
        high=_ratio(high),
    )


def _carried_over(comparison: Comparison, told: CarryOver) -> str:
    return _(
        "A trial shows what ran before it: all else alike, one behind {candidate} measured {behind} times what one "
        "behind {reference} did. So a difference of the two may be of the trial before. Each behind itself, as where "
        "it stays in place, their ratio is {low} to {high}; the interval, {trials_low} to {trials_high} by the trials "
        "as they ran, is stretched to hold that. Longer trials tell more than further ones."
    ).format(
        candidate=comparison.candidate.text(),
        reference=comparison.reference.text(),
        behind=_ratio(told.behind),
        low=_ratio(told.low),
        high=_ratio(told.high),
        trials_low=_ratio(told.in_trials[0]),
        trials_high=_ratio(told.in_trials[1]),
    )


def _also_elsewhere(piece: Compared, comparison: Comparison, told: Confirmation) -> str:
    """Return that not only trials of the candidate were slow, where a trial of its own does not count; else ""."""
    candidate = comparison.candidate
    is_of_it = any((m.trial_id, m.setting) == (told.disturbed_trial, candidate) for m in piece.evidence.measurements)
    if not is_of_it or all(m.setting == candidate for m in (*piece.disturbed, *piece.own)):
        return ""
    sentence = _("Exploring trials of other settings stood out as well, so it is not put down to {candidate}.")
    return f" {sentence.format(candidate=candidate.text())}"


def _ratio(value: float) -> str:
    return local_number(f"{value:.3f}")


def _percent(share: float) -> str:
    percent = share * 100
    return local_number(f"{percent:,.0f} %" if percent >= 10 else f"{percent:.2g} %")
