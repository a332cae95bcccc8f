"""Comparisons of the winner with the baseline on fresh blocks, the only ones of a search that carry a claim."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.analysis.compare import check_effect
from app.analysis.confirmation import Confirmed, Known, confirm
from app.analysis.confirmation_power import confirmed_effect, pairs_needed
from app.analysis.disturbed import Undisturbed, undisturbed
from app.analysis.estimate import check_comparable
from app.analysis.outcomes import NOTHING_KNOWN, Circumstances
from app.analysis.power import Question
from app.analysis.settings_order import setting_key, varied_parameters
from app.analysis.student import exp_or_inf
from app.analysis.verdicts import judge
from app.analysis.window_pairs import WindowTerms, confirm_windows, look_error
from app.domain.comparison import Comparison, Confirmation, Verdict
from app.domain.measurement import Better, Measurement, TrialResult
from app.domain.plan import Phase
from app.domain.setting import Setting


def confirming_now(trials: Sequence[TrialResult]) -> tuple[TrialResult, ...]:
    """Return the confirming trials behind the last exploring one; of a run that explored again, those of its second."""
    return tuple(trials[_explored_until(trials) :])


def before_confirming(trials: Sequence[TrialResult]) -> tuple[TrialResult, ...]:
    """Return the trials up to the last exploring one, which the present confirming ones follow."""
    return tuple(trials[: _explored_until(trials)])


def _explored_until(trials: Sequence[TrialResult]) -> int:
    return max((place for place, trial in enumerate(trials, 1) if trial.phase is Phase.EXPLORE), default=0)


@dataclass(frozen=True)
class Confirming:
    """Confirming trials, and the terms they are judged by.

    Attributes:
        measurements: of one metric and of phase `confirm`; at least one.
        baseline: among their settings.
        explored: measurements of the same metric of the exploring trials, () for none.
        better, minimum_effect, noise_cv: as in `compare`.
        step: of the clock or count the values were measured with, in their unit.
        circumstances: what is known of all these trials.
        most_pairs: of windows, as in `Design`; None where trials are none.
    """

    measurements: tuple[Measurement, ...]
    baseline: Setting
    explored: tuple[Measurement, ...]
    better: Better
    minimum_effect: float
    noise_cv: float | None = None
    step: float = 0.0
    circumstances: Circumstances = NOTHING_KNOWN
    most_pairs: int | None = None


@dataclass(frozen=True)
class ConfirmedPairs:
    """One candidate beside the baseline.

    Attributes:
        candidate: the setting.
        blocks: those in which both ran, in order.
        read: what they say, None where there is no such block.
    """

    candidate: Setting
    blocks: tuple[int, ...]
    read: Confirmed | None


def read_confirmation(confirming: Confirming) -> tuple[ConfirmedPairs, ...]:
    """Return the results of the blocks that the baseline shares with each candidate, by level.

    Raises:
        ValueError: measurements that may not be compared, or a value that is not finite and positive.
    """
    check_comparable(confirming.measurements)
    logs = {(m.block, m.setting): math.log(m.value) for m in confirming.measurements}
    candidates = sorted({setting for _block, setting in logs} - {confirming.baseline}, key=setting_key)
    told = undisturbed(confirming.explored, confirming.circumstances) if confirming.explored else None
    outcomes, met = confirming.circumstances.outcomes, confirming.circumstances.met
    outcome_places = {(m.block, m.setting) for m in confirming.measurements if m.trial_id in outcomes}
    made = []
    for candidate in candidates:
        blocks = sorted(b for b, s in logs if s == candidate and (b, confirming.baseline) in logs)
        differences = [logs[b, candidate] - logs[b, confirming.baseline] for b in blocks]
        suspects = [_suspect(confirming, candidate, block) for block in blocks]
        known = Known(
            exploring=None if told is None else told.noise,
            stated_cv=confirming.noise_cv,
            resolution=_resolution(confirming, candidate),
            comparisons=len(candidates),
            outcomes=frozenset(
                position
                for position, block in enumerate(blocks)
                if {(block, candidate), (block, confirming.baseline)} & outcome_places
            ),
            own=_own(confirming, candidate, suspects, told),
            met=frozenset(position for position, slow in enumerate(suspects) if slow.trial_id in met),
            tried=sum(m.setting == candidate for m in confirming.explored),
            is_in_doubt=told is not None and any(m.setting == candidate for m in told.own),
            orders=_orders(confirming, candidate, blocks),
        )
        read = _read(confirming, differences, known) if blocks else None
        made.append(ConfirmedPairs(candidate, tuple(blocks), read))
    return tuple(made)


def _read(confirming: Confirming, differences: Sequence[float], known: Known) -> Confirmed:
    """Return what the pairs of one candidate say."""
    if confirming.most_pairs is None:
        return confirm(differences, known)
    in_step = confirming.circumstances.in_step_log
    terms = WindowTerms(confirming.most_pairs, confirming.better, confirming.minimum_effect, in_step)
    return confirm_windows(differences, known, terms)


def compare_confirmed(confirming: Confirming) -> tuple[Comparison, ...]:
    """Compare each candidate with the baseline, by level.

    The interval holds for up to four looks (`confirmation`), together with those of the other candidates.

    Raises:
        ValueError: as `read_confirmation`, or a minimum effect that is not positive.
    """
    check_effect(confirming.minimum_effect)
    pairs = read_confirmation(confirming)
    return tuple(_comparison(confirming, each, len(pairs)) for each in pairs)


def _comparison(confirming: Confirming, pairs: ConfirmedPairs, comparisons: int) -> Comparison:
    example = confirming.measurements[0]
    candidate, read = pairs.candidate, pairs.read
    low, high = (0.0, math.inf) if read is None else read.reading.interval
    log_ratio = _log_ratio_of_means(confirming, candidate) if read is None else read.reading.log_ratio
    verdict = judge(low, high, confirming.better, confirming.minimum_effect)
    question = _question(confirming, read, comparisons)
    counting = _counting(pairs)
    sides = [
        tuple(m.trial_id for m in _of(confirming, side) if counting is None or m.block in counting)
        for side in (confirming.baseline, candidate)
    ]
    now = min(len(_of(confirming, side)) for side in (confirming.baseline, candidate))
    return Comparison(
        family=example.family,
        factor=" × ".join(varied_parameters(m.setting for m in confirming.measurements)),
        reference=confirming.baseline,
        candidate=candidate,
        conditions=example.conditions,
        metric=example.metric,
        unit=example.unit,
        ratio=exp_or_inf(log_ratio),
        low=low,
        high=high,
        p_adjusted=1.0 if read is None else read.reading.p_value,
        reference_trials=sides[0],
        candidate_trials=sides[1],
        verdict=verdict,
        smallest_effect=_smallest_effect(read, question),
        trials_needed=_trials_needed(confirming, read, question, now) if verdict is Verdict.CANNOT_TELL else 0,
        minimum_effect=confirming.minimum_effect,
        phase=example.phase,
        confirmation=None if read is None else _told(confirming, pairs, read),
    )


def _counting(pairs: ConfirmedPairs) -> frozenset[int] | None:
    """Return the blocks that make the ratio, without a pair set aside; None where all trials do."""
    if pairs.read is None:
        return None
    return frozenset(block for place, block in enumerate(pairs.blocks) if place not in pairs.read.aside)


def _told(confirming: Confirming, pairs: ConfirmedPairs, read: Confirmed) -> Confirmation:
    reading = read.reading
    middle, joint, alone = reading.log_ratio, reading.joint, reading.alone
    return Confirmation(
        pairs=reading.pairs,
        joint=(exp_or_inf(middle - joint), exp_or_inf(middle + joint)),
        alone=(exp_or_inf(middle - alone), exp_or_inf(middle + alone)),
        disturbed_trial=_suspect_of(confirming, pairs, read.flagged),
        is_set_aside=read.is_set_aside,
        whole_ratio=exp_or_inf(read.whole.log_ratio),
        whole=read.whole.interval,
        wants_more=read.wants_more,
        is_own=read.is_own,
        told_trial=_suspect_of(confirming, pairs, read.told),
        log_sd=None if reading.noise is None else reading.noise.log_sd,
        degrees=None if reading.noise is None else reading.noise.degrees_of_freedom,
    )


def _suspect_of(confirming: Confirming, pairs: ConfirmedPairs, position: int | None) -> str:
    return "" if position is None else _suspect(confirming, pairs.candidate, pairs.blocks[position]).trial_id


def _own(
    confirming: Confirming, candidate: Setting, suspects: Sequence[Measurement], told: Undisturbed | None
) -> frozenset[int]:
    """Return the positions of the pairs that a setting itself may have made stand out.

    A candidate that now and then fails in a way that nobody counts looks as if something else had run. So its trial is
    set aside only where that is known from elsewhere: the server tells what ran during this trial and hardly any other,
    or no fewer trials of other settings stood out while exploring than of the candidate in all. The baseline's is set
    aside unless none but its own stood out before.
    """
    met = confirming.circumstances.met
    explored = () if told is None else (*told.disturbed, *told.own)
    elsewhere = sum(m.setting != candidate for m in explored)
    of_it = sum(m.setting == candidate and m.trial_id not in met for m in explored)

    def may_be_own(slow: Measurement) -> bool:
        if slow.trial_id in met:
            return False
        if slow.setting == confirming.baseline:
            return {m.setting for m in explored if m.trial_id not in met} == {confirming.baseline}
        return of_it + 1 > elsewhere

    return frozenset(position for position, slow in enumerate(suspects) if may_be_own(slow))


def _orders(confirming: Confirming, candidate: Setting, blocks: Sequence[int]) -> tuple[bool, ...]:
    """Tell of each block whether the candidate ran before the baseline."""
    sides = (candidate, confirming.baseline)
    first = {m.block: m.setting for m in reversed(confirming.measurements) if m.setting in sides}
    return tuple(first[block] == candidate for block in blocks)


def _suspect(confirming: Confirming, candidate: Setting, block: int) -> Measurement:
    """Return which trial of a disturbed pair it was: the one farther from its own setting's median over both phases."""

    def distance(m: Measurement) -> float:
        of_setting = [o.value for o in (*confirming.explored, *confirming.measurements) if o.setting == m.setting]
        return abs(math.log(m.value) - float(np.median(np.log(of_setting))))

    sides = (candidate, confirming.baseline)
    return max((m for m in confirming.measurements if m.block == block and m.setting in sides), key=distance)


def _of(confirming: Confirming, setting: Setting) -> Sequence[Measurement]:
    return [m for m in confirming.measurements if m.setting == setting]


def _resolution(confirming: Confirming, candidate: Setting) -> float:
    """Return half the step of the recorded values relative to both sides, on the log scale."""
    if not confirming.step:
        return 0.0
    sides = (_of(confirming, side) for side in (candidate, confirming.baseline))
    return 0.5 * confirming.step * sum(1 / float(np.mean([m.value for m in side])) for side in sides)


def _log_ratio_of_means(confirming: Confirming, candidate: Setting) -> float:
    """Return the log ratio of the means of settings that share no block."""
    means = [np.mean(np.log([m.value for m in _of(confirming, side)])) for side in (candidate, confirming.baseline)]
    return float(means[0] - means[1])


def _smallest_effect(read: Confirmed | None, question: Question) -> float:
    """Return the smallest effect these pairs could show with 80 % power, inf where they can show none."""
    if read is None or read.reading.noise is None:
        return math.inf
    return confirmed_effect(read.reading.noise.log_sd, read.reading.pairs, question)


def _trials_needed(confirming: Confirming, read: Confirmed | None, question: Question, now: int) -> int:
    """Return the pairs, above `now`, that show the minimum effect or a larger observed one with 80 % power."""
    if read is None or read.reading.noise is None:
        return max(2, now + 1)
    effect = max(math.log1p(confirming.minimum_effect), abs(read.reading.log_ratio))
    return max(pairs_needed(effect, read.reading.noise.log_sd, question), now + 1)


def _question(confirming: Confirming, read: Confirmed | None, comparisons: int) -> Question:
    """Return the question, with the degrees of freedom that were lent to the noise of these pairs."""
    if confirming.most_pairs is not None:
        return Question(2, comparisons, look_error=look_error(confirming.most_pairs))
    is_given = confirming.noise_cv is not None
    noise = None if read is None else read.reading.noise
    if read is None or noise is None:
        return Question(2, comparisons, noise_is_given=is_given)
    lent = noise.degrees_of_freedom - (0 if is_given else read.reading.pairs - 1)
    return Question(2, comparisons, borrowed_degrees=lent, noise_is_given=is_given)
