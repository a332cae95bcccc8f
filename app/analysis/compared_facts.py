"""Facts for the rules, made of the comparison of settings of one or several parameters."""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from app.analysis.claim import Claim, decisive_comparison
from app.analysis.comparing.evidence import answered
from app.analysis.comparing.policy import best_against_others
from app.analysis.plateau import plateau_of
from app.analysis.power import MOST_TRIALS, Question, smallest_effect
from app.analysis.verdicts import judge
from app.domain.comparison import Comparison, Contrast, Verdict
from app.domain.effect import effect_interval, effect_words, has_interval, percent, power_sentence, tells_interval
from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Better, Metric
from app.domain.plan import Phase, Stop
from app.domain.setting import Setting, number_of
from app.foundation.texts import in_sentence

Facts = Mapping[str, FactValue]


def gain_percent(ratio: float, better: Better) -> float:
    """Return the improvement a ratio stands for, percent: 0.82 of a run time is 18 %, 1.2 of a rate is 20 %."""
    return (1 - ratio) * 100 if better is Better.LOWER else (ratio - 1) * 100


def trials_facts(comparisons: Iterable[Comparison]) -> Facts:
    """Return how many trials of each setting comparisons that are open ask for.

    Where no noise level is known, or no block links the two, that is not known either: only how many trials it takes
    to learn it.
    """
    asked = [c for c in comparisons if c.verdict is Verdict.CANNOT_TELL]
    needed = max((c.trials_needed for c in asked), default=0)
    is_known = all(np.isfinite(c.smallest_effect) for c in asked)
    return {"trials_needed" if is_known else "trials_for_noise": needed}


def compared_facts(family: ExperimentFamily, evidence: Evidence, claim: Claim | None, factor: str) -> Facts:
    """Return the facts on one factor that every family picking the best of several settings has.

    Without a claim, because too few trials could be used, only what was planned is known.
    """
    facts: dict[str, FactValue] = {"factor": factor, "minimum_effect_percent": evidence.minimum_effect * 100}
    if claim is None:
        return facts
    facts.update(_setting_facts(claim, factor))
    facts.update(_verdict_facts(evidence, claim, factor))
    facts.update(_shape_facts(family, evidence, claim, factor))
    told = (claim.baseline, claim.best, Verdict.WORSE)
    facts["got_worse"] = any((c.reference, c.candidate, c.verdict) == told for c in evidence.beside)
    return facts


def _setting_facts(claim: Claim, factor: str) -> Facts:
    """Return the levels tried; where several parameters are changed together, the whole settings as well."""
    levels = [number_of(setting[factor]) for setting in claim.fit.settings]
    facts: dict[str, FactValue] = {
        "measure": in_sentence(claim.metric.title),
        "best_differs": claim.baseline[factor] != claim.best[factor],
        "baseline_value": number_of(claim.baseline[factor]),
        "best_value": number_of(claim.best[factor]),
        "smallest_level": min(levels),
        "largest_level": max(levels),
        "factors_varied": len(claim.best),
    }
    changed = _changed(claim)
    if changed:
        others = set(claim.best) - set(changed)
        facts["baseline_setting"] = claim.baseline.without(others).label()
        facts["best_setting"] = claim.best.without(others).label()
    if len(changed) > 1:
        facts["factors_changed"] = len(changed)
        if claim.factorial is None:
            facts["factors_not_apart"] = len(changed)
    facts["shown_factor"] = factor if _is_by_itself(claim, factor, changed) else ""
    return facts


def _is_by_itself(claim: Claim, factor: str, changed: Sequence[str]) -> bool:
    """Tell whether a gain of the best setting is one of this factor: nothing else is changed, or its contrast shows."""
    if factor not in changed or len(changed) == 1:
        return factor in changed
    return claim.factorial is not None and claim.factorial.recommended[factor] != claim.baseline[factor]


def _changed(claim: Claim) -> tuple[str, ...]:
    """Return the parameters in which the best setting differs from the baseline."""
    return tuple(name for name in claim.best if claim.best[name] != claim.baseline.get(name))


def _verdict_facts(evidence: Evidence, claim: Claim, factor: str) -> Facts:
    """Return verdict, gain with interval, and how firmly it stands."""
    counts = _trials_by_setting(evidence, claim)
    facts: dict[str, FactValue] = {
        "confirmed": False,
        "fewest_trials": min(counts.values()),
        "trials_per_setting": min(counts.get(setting, 0) for setting in (claim.baseline, claim.best)),
    }
    decisive = decisive_comparison(evidence, claim.baseline, claim.best)
    if len(claim.best) > 1 and not _may_carry(evidence, claim, factor):
        facts.update(_left_at_baseline(evidence, claim, factor))
    elif decisive is not None:
        facts.update(_decided(decisive, claim.metric))
        facts.update(_by_itself(evidence, claim, factor) if len(_changed(claim)) > 1 else {})
    elif claim.best == claim.baseline:
        facts.update(_baseline_is_best(evidence, claim.baseline))
    else:  # the baseline gave no usable trial
        facts["verdict"] = str(Verdict.CANNOT_TELL)
    return facts


def _may_carry(evidence: Evidence, claim: Claim, factor: str) -> bool:
    """Tell whether a result on the whole setting says something of one of several factors.

    It is changed in it, and helps by itself as far as the trials take it apart; only where no factor does, and fresh
    trials confirmed the setting, it stands for all of them together.
    """
    changed = _changed(claim)
    if claim.factorial is None:
        return factor in changed
    shown = [name for name in changed if claim.factorial.recommended[name] != claim.baseline[name]]
    return factor in (shown or (changed if evidence.plan is not None else []))


def effect_facts(
    compared: Comparison, metric: Metric, name: str = "effect", *, turned: bool = False
) -> dict[str, FactValue]:
    """Return an effect in words, and its interval where there is one: "43 % less run time", "39–47 %".

    Args:
        name: of the fact; the interval's ends in `_interval`.
        turned: what the reference does against the candidate instead.
    """
    ratio, low, high = compared.ratio, compared.low, compared.high
    if turned:
        ratio, low, high = 1 / ratio, 1 / high, math.inf if low <= 0 else 1 / low
    facts: dict[str, FactValue] = {name: effect_words(ratio, in_sentence(metric.title), is_duration=metric.is_duration)}
    interval = effect_interval(ratio, low, high, is_duration=metric.is_duration)
    return {**facts, f"{name}_interval": interval} if interval else facts


def power_facts(compared: Comparison) -> dict[str, FactValue]:
    """Return the smallest change these trials could have shown, and a sentence on it; nothing where none is known."""
    if not math.isfinite(compared.smallest_effect):
        return {}
    return {
        "smallest_effect_percent": compared.smallest_effect * 100,
        "power_told": power_sentence(compared.smallest_effect),
    }


def _decided(decisive: Comparison, metric: Metric) -> Facts:
    better = metric.better
    facts: dict[str, FactValue] = {
        **effect_facts(decisive, metric),
        "verdict": str(decisive.verdict),
        "confirmed": decisive.phase is Phase.CONFIRM,
        **trials_facts((decisive,)),
        "trials_per_setting": min(len(decisive.reference_trials), len(decisive.candidate_trials)),
        "gain_percent": gain_percent(decisive.ratio, better),
    }
    ends = sorted((gain_percent(decisive.low, better), gain_percent(decisive.high, better)))
    if has_interval(decisive.low, decisive.high):
        facts.update({"gain_low_percent": ends[0], "gain_high_percent": ends[1]})
    return {**facts, **power_facts(decisive)}


def _left_at_baseline(evidence: Evidence, claim: Claim, factor: str) -> Facts:
    """Return the verdict on a factor that stays at the baseline: its other levels gain nothing, or that is open.

    How many trials settle that is taken from its own contrast, else from pairs that differ in it alone.
    """
    contrast = _contrast_of(claim, factor)
    if contrast is not None:
        verdict = judge(contrast.low, contrast.high, claim.metric.better, evidence.minimum_effect)
        return {
            "verdict": str(verdict),
            **_trials_of(evidence, claim, contrast, verdict),
            **_by_itself(evidence, claim, factor),
        }
    alone = [c for c in evidence.comparisons if _differ_in(c) == {factor}]
    settled = bool(alone) and all(c.verdict is not Verdict.CANNOT_TELL for c in alone)
    return {"verdict": str(Verdict.NO_DIFFERENCE if settled else Verdict.CANNOT_TELL), **trials_facts(alone)}


def _trials_of(evidence: Evidence, claim: Claim, contrast: Contrast, verdict: Verdict) -> Facts:
    """Return how many trials of each setting settle an open contrast: its error shrinks with the root of them."""
    if verdict is not Verdict.CANNOT_TELL:
        return {}
    each = len(claim.explored) / len(claim.fit.settings)
    effect = max(math.log1p(evidence.minimum_effect), abs(math.log(contrast.ratio)))
    shown = smallest_effect(contrast.error, contrast.degrees, Question(2, contrast.comparisons))
    needed = min(each * (math.log1p(shown) / effect) ** 2, MOST_TRIALS)
    return {"trials_needed": max(math.ceil(needed), math.floor(each) + 1)}


def _differ_in(compared: Comparison) -> set[str]:
    """Return the parameters in which the two sides differ."""
    return {name for name, value in compared.candidate.items() if value != compared.reference.get(name)}


def _contrast_of(claim: Claim, factor: str) -> Contrast | None:
    contrasts = () if claim.factorial is None else claim.factorial.contrasts
    return next((c for c in contrasts if c.factor == factor), None)


def _by_itself(evidence: Evidence, claim: Claim, factor: str) -> Facts:
    """Return the effect of one of several factors by itself, percent, where the trials take them apart.

    Where what it does depends on the others, that of the setting it was compared in is told with these.
    """
    contrast = _contrast_of(claim, factor)
    if contrast is None:
        return {}
    better = claim.metric.better
    ratio, ends = _own_ratio(evidence, claim, contrast)
    low, high = sorted(gain_percent(end, better) for end in ends)
    own = Setting.from_mapping({factor: contrast.level}).label()
    others = [name for name in claim.baseline if name != factor]
    beside = Setting.from_mapping(dict(zip(others, contrast.other_levels, strict=False))).label()
    return {
        **({"own_setting": own, "beside_setting": beside} if beside else {"alone_setting": own}),
        "own_gain_percent": gain_percent(ratio, better),
        "own_gain_low_percent": low,
        "own_gain_high_percent": high,
    }


def _own_ratio(evidence: Evidence, claim: Claim, contrast: Contrast) -> tuple[float, tuple[float, float]]:
    """Return the ratio of a contrast with its interval: of one pair of settings those of its comparison, which is
    listed."""
    without = Setting.from_mapping({**claim.best, contrast.factor: contrast.reference})
    with_it = Setting.from_mapping({**claim.best, contrast.factor: contrast.level})
    pair = next(
        (
            c
            for c in evidence.comparisons
            if contrast.other_levels and c.phase is Phase.EXPLORE and (c.reference, c.candidate) == (without, with_it)
        ),
        None,
    )
    told = contrast if pair is None or not has_interval(pair.low, pair.high) else pair
    return told.ratio, (told.low, told.high)


def _baseline_is_best(evidence: Evidence, baseline: Setting) -> Facts:
    """Return that there is nothing to gain, as far as every other setting was told apart from the baseline."""
    others = [c for c in evidence.comparisons if baseline in (c.reference, c.candidate)]
    settled = bool(others) and all(c.verdict is not Verdict.CANNOT_TELL for c in others)
    return {
        "verdict": str(Verdict.NO_DIFFERENCE if settled else Verdict.CANNOT_TELL),
        **trials_facts(others),
    }


def _trials_by_setting(evidence: Evidence, claim: Claim) -> dict[Setting, int]:
    counts = {setting: len(trials) for setting, trials in zip(claim.fit.settings, claim.fit.trials, strict=True)}
    confirming = claim.explored[0].phase is Phase.EXPLORE and len(claim.explored) < len(evidence.measurements)
    for m in evidence.measurements if confirming else ():
        if m.metric == claim.metric.name and m.phase is Phase.CONFIRM:
            counts[m.setting] = counts.get(m.setting, 0) + 1
    return counts


def _shape_facts(family: ExperimentFamily, evidence: Evidence, claim: Claim, factor: str) -> Facts:
    """Return the losses of the largest level and of the vendor's default against the best; one-factor sweeps only.

    The best was picked from these trials, so the intervals count every pair of settings. Where another setting than
    the best of these trials is spoken about (a race had dropped it), nothing is said.
    """
    if len(claim.best) != 1:
        return {}
    better = claim.metric.better
    against = _against_best(evidence, claim)
    by_level = {number_of(c.reference[factor]): c for c in against if c.candidate == claim.best}
    best_level = number_of(claim.best[factor])
    facts: dict[str, FactValue] = {}
    if not by_level:
        return facts
    largest = max(number_of(setting[factor]) for setting in claim.fit.settings)
    facts["largest_not_worse_value"] = _largest_not_worse(by_level, best_level, evidence, better)
    if largest in by_level:
        facts.update(effect_facts(by_level[largest], claim.metric, "largest_level_effect", turned=True))
        facts["largest_level_loss_percent"] = _loss_percent(by_level[largest].ratio, better)
        if tells_interval(by_level[largest].low, by_level[largest].high):
            ends = (by_level[largest].low, by_level[largest].high)
            facts["largest_level_loss_low_percent"] = min(_loss_percent(end, better) for end in ends)
    else:
        same = effect_words(1.0, in_sentence(claim.metric.title))
        facts.update({"largest_level_effect": same, "largest_level_effect_interval": percent(0)})
        facts["largest_level_loss_percent"] = facts["largest_level_loss_low_percent"] = 0.0
    below = max((level for level in by_level if level < best_level), default=None)
    if below is not None and tells_interval(by_level[below].low, by_level[below].high):
        ends = (by_level[below].low, by_level[below].high)
        facts["next_level_loss_low_percent"] = min(_loss_percent(end, better) for end in ends)
    default = next((parameter.default for parameter in family.parameters if parameter.name == factor), None)
    if default == best_level:
        facts["default_loss_percent"] = 0.0
    elif default in by_level:
        facts["default_loss_percent"] = _loss_percent(by_level[default].ratio, better)
    start = plateau_of(claim.fit, evidence.minimum_effect)
    if start is not None:
        facts["plateau_from_value"] = number_of(start[factor])
    return facts


def _largest_not_worse(
    by_level: Mapping[float, Comparison], best_level: float, evidence: Evidence, better: Better
) -> float:
    """Return the largest level that is not shown to lose against the best what is worth acting on."""
    beyond = (level for level, c in by_level.items() if level > best_level and not _is_worse(c, evidence, better))
    return max(beyond, default=best_level)


def _is_worse(compared: Comparison, evidence: Evidence, better: Better) -> bool:
    """Tell whether a comparison with the best shows its reference to lose what is worth acting on, or more."""
    is_shown = not compared.low <= 1 <= compared.high
    return is_shown and _loss_percent(compared.ratio, better) >= evidence.minimum_effect * 100


def _against_best(evidence: Evidence, claim: Claim) -> tuple[Comparison, ...]:
    plan = evidence.plan
    if plan is None and all(c.phase is Phase.EXPLORE for c in evidence.comparisons):
        return evidence.comparisons  # measurements from elsewhere are compared in just this way
    picked = claim.chosen if plan is None or plan.design.stop is Stop.BLOCKS else None
    effect, noise_cv = evidence.minimum_effect, evidence.noise_cv
    return answered(best_against_others(claim.metric, claim.explored, plan, effect, noise_cv, picked))


def _loss_percent(ratio: float, better: Better) -> float:
    """Return a setting's loss against the best, percent, from the ratio best / setting."""
    return (1 / ratio - 1) * 100 if better is Better.LOWER else (1 - 1 / ratio) * 100
