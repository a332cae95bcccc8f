"""A decision in words: the same sentence in window, report, scripts and lists."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from app.domain.comparison import Comparison, Verdict
from app.domain.decision import Decision, DecisionKind, Gain, Level
from app.domain.effect import (
    TENTH,
    TIMES_FROM,
    effect_interval,
    effect_words,
    is_one_sided,
    signed_interval,
    signed_percent,
    tells_interval,
    times_text,
)
from app.domain.measurement import Better
from app.domain.plan import Phase
from app.domain.setting import Value, typed_text, value_text
from app.foundation.texts import _, in_sentence, local_number
from app.reporting.change_words import (
    changed,
    changed_together,
    in_effect_told,
    measure_beside,
    measure_in_effect,
    own_effect,
    own_effects,
)
from app.reporting.numbers import duration, number, percent, quantity
from app.reporting.own_hours import own_load_text
from app.reporting.wording import Vocabulary, noise_that_explains, with_conditions
from app.reporting.worked_out import MARK, worked_out_note

# A hundred trials of half an hour, for two settings: two days and nights, which nobody spends on a few per cent.
_MOST_TRIALS_EACH: Final = 50


def kind_word(decision: Decision) -> str:
    """Return the action of a decision, in a word or two; a change that may gain too little is not called one."""
    words = {
        DecisionKind.CHANGE: _("Change if worth it") if decision.is_worth_open else _("Change"),
        DecisionKind.MEASURE_AGAIN: _("Measure again"),
        DecisionKind.LEAVE: _("Leave"),
    }
    return words[DecisionKind.LEAVE if cannot_be_settled(decision) else decision.kind]


def level_word(level: Level) -> str:
    """Return an effort or risk in one word."""
    return {Level.LOW: _("Minor"), Level.MEDIUM: _("Moderate"), Level.HIGH: _("Major")}[level]


def headline(
    decision: Decision, words: Vocabulary, write: Callable[[Value], str] = value_text, *, tells_effect: bool = True
) -> str:
    """Return the action and its gain: "Width 8 instead of 1: 43 % less run time (39–47 %)".

    Args:
        write: how values of parameters are written.
        tells_effect: False where effect and interval of one comparison stand beside it.
    """
    task, gain = task_text(decision, write), decision.gain
    if decision.kind is not DecisionKind.CHANGE or gain is None:
        return task if gain is None or not _tells_a_price(decision) else _priced(decision, task, gain)
    if gain.elsewhere:
        over_all = _on_mix(task, gain.mixed, words) if gain.mixed else _over_all(task, gain, words)
        parts = (over_all, _perhaps_too_small(decision), costs_text(gain, words), _worked_out(gain))
        return " ".join(part for part in parts if part)
    effect, interval = effect_text(gain.comparison, words), amount_interval(gain.comparison, words)
    is_confirmed = gain.comparison.phase is Phase.CONFIRM
    form = _form_of_headline(is_confirmed=is_confirmed, has_interval=bool(interval), tells_effect=tells_effect)
    said = (
        form.format(task=task, effect=effect, interval=interval),
        _perhaps_too_small(decision),
        costs_text(gain, words),
        _as_a_whole(decision, words),
        _worked_out(gain),
    )
    return " ".join(part for part in said if part)


def _perhaps_too_small(decision: Decision) -> str:
    """Return that a gain may be smaller than is worth acting on, "" where its whole interval is worth it."""
    if not decision.is_worth_open or decision.gain is None:
        return ""
    least = percent(decision.gain.comparison.minimum_effect)
    return _("– perhaps less than the {effect} worth acting on").format(effect=least)


def _form_of_headline(*, is_confirmed: bool, has_interval: bool, tells_effect: bool) -> str:
    if not tells_effect:
        return "{task}" if is_confirmed else _("{task} (not confirmed yet)")
    if has_interval:
        return (
            _("{task}: {effect} ({interval})")
            if is_confirmed
            else _("{task}: {effect} ({interval}; not confirmed yet)")
        )
    return _("{task}: {effect}") if is_confirmed else _("{task}: {effect} (not confirmed yet)")


def _tells_a_price(decision: Decision) -> bool:
    """Tell whether a decision that changes nothing tells what a choice costs: no value of its parameter is compared."""
    return decision.kind is not DecisionKind.CHANGE and decision.gain is not None and decision.from_value is None


def _priced(decision: Decision, task: str, gain: Gain) -> str:
    """Return what a choice costs with the interval of that, and how firmly it stands."""
    compared, is_told = gain.comparison, decision.finding.is_lead  # its title says that nothing is confirmed
    is_open = compared.phase is not Phase.CONFIRM and not is_told
    if not tells_interval(compared.low, compared.high):
        text = _("{task} (not confirmed yet)") if is_open else "{task}"
    else:
        text = _("{task} ({interval}; not confirmed yet)") if is_open else _("{task} ({interval})")
    told = text.format(task=task, interval=signed_interval(compared.low, compared.high))
    return " ".join(part for part in (told, _worked_out(gain)) if part)


def _worked_out(gain: Gain) -> str:
    """Return that run times behind a gain were not measured to their end, "" where they were."""
    return _("– from run times worked out from a part of the inserts") if gain.is_worked_out else ""


def _over_all(task: str, gain: Gain, words: Vocabulary) -> str:
    """Return a change with its effect over all values of swept conditions, not where it does best alone."""
    told = gain.comparison
    sign = -1 if words.better(told.family, told.metric) is Better.LOWER else 1
    every = sorted((told, *gain.elsewhere), key=lambda c: sign * c.ratio)
    text = (
        _("{task}: from {least} to {most}, depending on the transaction")
        if told.phase is Phase.CONFIRM
        else _("{task}: from {least} to {most}, depending on the transaction (not confirmed yet)")
    )
    least, most = (
        _("{effect} ({interval}; {where})").format(
            effect=effect_text(one, words),
            interval=_given(amount_interval(one, words)),
            where=words.swept(one),
        )
        for one in (every[0], every[-1])
    )
    return text.format(task=task, least=least, most=most)


def _on_mix(task: str, mixed: Comparison, words: Vocabulary) -> str:
    """Return a change with its effect on the client's mix."""
    text = (
        _("{task}: {effect} ({interval}) on your mix of transactions")
        if mixed.phase is Phase.CONFIRM
        else _("{task}: {effect} ({interval}) on your mix of transactions (not confirmed yet)")
    )
    return text.format(task=task, effect=effect_text(mixed, words), interval=_given(amount_interval(mixed, words)))


def _given(interval: str) -> str:
    """Return an interval, or that there is none."""
    return interval or _("no interval can be given")


def _as_a_whole(decision: Decision, words: Vocabulary) -> str:
    """Return whose gain it is where several parameters were changed, and the own effect of this one, else ""."""
    gain, facts = decision.gain, {name: value for name, value, _unit in decision.finding.facts}
    if gain is None or not gain.changes_several:
        return ""
    if decision.together:
        return "" if own_effects(decision, words) else _("– which of them gains is not shown")
    if "best_setting" not in facts:
        return ""
    own, setting = gain.own, facts["best_setting"]
    if own is not None and own.is_shown:
        text = _("– by {setting} together; by itself {own} in the exploring trials")
        if own.beside:
            text = _("– by {setting} together; with {beside} it alone {own} in the exploring trials")
        return text.format(setting=setting, beside=own.beside, own=own_effect(gain, own, words))
    if own is not None or "factors_not_apart" in facts:
        return _("– by {setting} together; which of them gains is not shown").format(setting=setting)
    return _("– by {setting} together").format(setting=setting)


def is_only_together(decision: Decision) -> bool:
    """Tell whether the gain of a change is that of a whole setting, in which others were changed, too.

    Also one that helps by its own contrast may do so only beside the others: alone it was then not confirmed.
    """
    return decision.gain is not None and decision.gain.changes_several


def costs_text(gain: Gain, words: Vocabulary) -> str:
    """Return which other measures get worse: ", but 2.1 times the latency"; "" where none does."""
    effects = [effect_text(cost, words) for cost in gain.costs]
    return _("– but {effects}").format(effects=", ".join(effects)) if effects else ""


def task_text(decision: Decision, write: Callable[[Value], str] = value_text, *, tells_conditions: bool = True) -> str:
    """Return the action, without its gain, and where that depends on conditions, under which.

    Args:
        tells_conditions: False where they stand beside it.
    """
    is_together = bool(decision.together) and decision.kind is DecisionKind.CHANGE
    task = changed_together(decision, write) if is_together else _task(decision, write)
    return with_conditions(task, decision.finding.apart) if tells_conditions else task


def _task(decision: Decision, write: Callable[[Value], str]) -> str:
    measured_from = decision.measured_from
    base = "" if measured_from is None else write(measured_from)
    in_effect = ", ".join(map(write, decision.in_effect.split(", ")))
    if decision.gain is not None and decision.gain.from_in_effect:
        return measure_in_effect(decision.gain.comparison, short_effect(decision.gain.comparison), write)
    if decision.gain is not None and decision.measured_beside:
        return measure_beside(decision, decision.gain.comparison, short_effect(decision.gain.comparison))
    if _is_told_by_its_rule(decision):
        return _told_by_rule(decision, in_effect, write)
    if decision.kind is DecisionKind.CHANGE and decision.to_value is not None:
        return changed(decision, base, write)
    return _unchanged(decision, in_effect, base, _compared(decision, write) if in_effect else "")


def _unchanged(decision: Decision, in_effect: str, base: str, compared: str) -> str:
    text = (
        _measure_again(decision, in_effect or base)
        if decision.kind is DecisionKind.MEASURE_AGAIN
        else _leave(decision, in_effect, base)
    )
    return _("{task} (measured: {compared})").format(task=text, compared=compared) if compared else text


def _told_by_rule(decision: Decision, in_effect: str, write: Callable[[Value], str]) -> str:
    """Return the title of a rule, with the compared values where they are not the value in effect."""
    task = decision.finding.task
    compared = _compared(decision, write) if in_effect else ""
    text = _("{task} (measured: {compared}; in effect: {in_effect})")
    return text.format(task=task, compared=compared, in_effect=in_effect) if compared else task


def _compared(decision: Decision, write: Callable[[Value], str]) -> str:
    """Return the two compared values of the parameter, "" where they are one."""
    if decision.gain is None:
        return ""
    comparison = decision.gain.comparison
    sides = [side.get(decision.parameter) for side in (comparison.candidate, comparison.reference)]
    if sides[0] == sides[1]:
        return ""
    value, other = ("" if side is None else write(side) for side in sides)
    return _("{value} against {other}").format(value=value, other=other) if value and other else ""


def _leave(decision: Decision, in_effect: str, base: str) -> str:
    wanted = decision.finding.to_value
    if in_effect and wanted is not None and (kept := _keep(decision, in_effect, wanted)):
        return kept
    if not decision.parameter or not base:
        return decision.finding.title
    if decision.gain is not None:
        return _("Leave {parameter} at {value}").format(parameter=decision.parameter, value=in_effect or base)
    text = _("Of the values of {parameter} tried none did better than {value} (in effect: {in_effect})")
    told = text.format(parameter=decision.parameter, value=base, in_effect=in_effect)
    return told if in_effect else decision.finding.title


def _keep(decision: Decision, in_effect: str, wanted: Value) -> str:
    """Return that the value in effect is kept and not the finding's, "" where a rival may do better."""
    if _shows_no_difference(decision, wanted):
        text = _("Leave {parameter} at {value}: in exploring trials {other} did about as well")
        return text.format(parameter=decision.parameter, value=in_effect, other=value_text(wanted))
    text = _("Leave {parameter} at {value}: no value tried did better")
    return "" if decision.rivals else text.format(parameter=decision.parameter, value=in_effect)


def _shows_no_difference(decision: Decision, wanted: Value) -> bool:
    """Tell whether the kept value is another than the finding's, which trials showed to do no better."""
    return typed_text(wanted) != decision.in_effect and decision.gain is not None


def _is_told_by_its_rule(decision: Decision) -> bool:
    """Tell whether a value is a word of a server's, which says less than the title of the rule.

    A value that is set aside, or was seen in single runs only, is none the title may tell.
    """
    is_seen_once = decision.gain is not None and decision.gain.is_seen_once
    if is_seen_once or (decision.to_value is None and decision.finding.to_value is not None):
        return False
    values = (decision.from_value, decision.to_value)
    return not decision.parameter or any(isinstance(value, str) and not value.isdigit() for value in values)


def _measure_again(decision: Decision, stays: str) -> str:
    gain, parameter = decision.gain, decision.parameter
    if not parameter or not stays:
        return decision.finding.title
    if gain is None:
        return _until_confirmed().format(parameter=parameter, value=stays)
    seen = gain.comparison
    other = value_text(seen.candidate.get(parameter, ""))
    if decision.change_effort.held_back:
        return _("Leave {parameter} at {value} for now: {why}").format(
            parameter=parameter, value=stays, why=decision.change_effort.held_back
        )
    if gain.changes_several and not decision.in_effect:
        parameter, stays, other = _as_compared(seen)
    if gain.is_contradicted and other not in ("", stays):
        text = _("Leave {parameter} at {value}: numbers of the runs that compare it with {other} contradict each other")
        return text.format(parameter=parameter, other=other, value=stays)
    if gain.is_seen_once and other not in ("", stays):
        text = _("Measure {parameter} {other} against {value} here first: {effect} in single runs elsewhere")
        return text.format(parameter=parameter, other=other, value=stays, effect=short_effect(seen))
    return _left_for_now(decision, gain, is_other=other != stays).format(
        parameter=parameter,
        value=stays,
        other=other,
        effect=short_effect(seen) if _is_beyond_minimum(seen) else percent(seen.minimum_effect),
        trials=number(decision.trials_needed),
    )


def _until_confirmed() -> str:
    return _("Leave {parameter} at {value} until fresh trials confirm another value")


def _left_for_now(decision: Decision, gain: Gain, *, is_other: bool) -> str:
    """Return the sentence on a value that stays until more is known, by what was seen of the other one."""
    is_fresh, is_beyond = gain.comparison.phase is Phase.CONFIRM, _is_beyond_minimum(gain.comparison)
    is_worse = gain.is_loss and (is_beyond or is_fresh)
    if is_worse and is_fresh and is_other:
        return _("Leave {parameter} at {value}: fresh trials do not show {other} to be better")
    if is_worse or decision.trials_needed < 1:
        return _until_confirmed()
    if cannot_be_settled(decision):
        return _("Leave {parameter} at {value}: the noise is too large to settle {effect} here ({trials} trials each)")
    if is_beyond:
        return _("Leave {parameter} at {value}; if the {effect} seen is real, {trials} trials each show it")
    return _("Leave {parameter} at {value}; settling {effect} needs {trials} trials each")


def _is_beyond_minimum(comparison: Comparison) -> bool:
    """Tell whether an effect is larger than the smallest one worth acting on."""
    if not 0 < comparison.ratio < math.inf:
        return False
    return abs(math.log(comparison.ratio)) > math.log1p(comparison.minimum_effect)


def _as_compared(comparison: Comparison) -> tuple[str, str, str]:
    """Return the parameters in which two settings differ, and the values of either side: "Size × Width", "5 × 1"."""
    differing = [name for name, value in comparison.candidate.items() if value != comparison.reference.get(name)]
    sides = comparison.reference, comparison.candidate
    before, after = (" × ".join(value_text(side[name]) for name in differing) for side in sides)
    return " × ".join(differing), before, after


def rivals_text(comparison: Comparison, parameter: str) -> str:
    """Return the values of a parameter that may do better still, and the trials that settle that; "" where none may."""
    rivals = comparison.rivals
    values = () if rivals is None else rivals.values_of(parameter)
    if rivals is None or not values:
        return ""
    text = _(
        "Whether {parameter} {values} does better than {value} by {effect} or more is open: {trials} more trials of "
        "each settle it."
    )
    if rivals.trials_needed > _MOST_TRIALS_EACH:
        text = _(
            "Whether {parameter} {values} does better than {value} by {effect} or more is open; the noise is too large "
            "to settle it here ({trials} trials of each)."
        )
    return text.format(
        parameter=parameter,
        values=_either(values),
        value=value_text(rivals.against[parameter]),
        effect=percent(comparison.minimum_effect),
        trials=number(rivals.trials_needed),
    )


def _rivals_told(decision: Decision, comparison: Comparison, *, is_told: bool) -> str:
    return rivals_text(comparison, decision.parameter) if is_told else ""


def _either(values: Sequence[Value]) -> str:
    *others, last = map(value_text, values)
    return _("{others} or {last}").format(others=", ".join(others), last=last) if others else last


def listed_text(kind: DecisionKind, word: str, task: str) -> str:
    """Return a decision as a list names it: a change is called by its word, a kept value says so itself."""
    return _("{kind}: {task}").format(kind=word, task=task) if kind is DecisionKind.CHANGE else task


def cannot_be_settled(decision: Decision) -> bool:
    """Tell whether an open decision takes more trials than anyone runs; of what was seen once that is not known."""
    if decision.gain is not None and decision.gain.is_seen_once:
        return False
    return decision.kind is DecisionKind.MEASURE_AGAIN and decision.trials_needed > _MOST_TRIALS_EACH


def effect_text(comparison: Comparison, words: Vocabulary) -> str:
    """Return an effect as a person says it: "43 % less run time", "7.7 times the throughput", "81 times as fast"."""
    is_duration = _is_duration(comparison, words)
    if is_duration and 0 < comparison.ratio < TENTH:
        return _("{times} times as fast").format(times=times_text(1 / comparison.ratio))
    metric = in_sentence(words.metric(comparison.family, comparison.metric))
    return effect_words(comparison.ratio, metric, is_duration=is_duration)


def _is_duration(comparison: Comparison, words: Vocabulary) -> bool:
    return words.is_duration(comparison.family, comparison.metric)


def short_effect(comparison: Comparison) -> str:
    """Return an effect in the fewest characters: "−43 %", "× 7.7", "÷ 81"."""
    if not math.isfinite(comparison.ratio):
        return "–"
    if comparison.ratio >= TIMES_FROM:
        return f"×\u00a0{local_number(f'{comparison.ratio:.1f}')}"
    if 0 < comparison.ratio < TENTH:
        return f"÷\u00a0{times_text(1 / comparison.ratio)}"
    return signed_percent(comparison.ratio)


def short_gain(gain: Gain) -> str:
    """Return a decision's gain in the fewest characters, over all swept conditions: "0 to −40 %"."""
    every = sorted((gain.comparison, *gain.elsewhere), key=lambda one: one.ratio)
    if not gain.elsewhere or gain.mixed:
        return short_effect(gain.mixed or gain.comparison)
    return _("{low} to {high}").format(low=short_effect(every[0]), high=short_effect(every[-1]))


def short_gain_interval(gain: Gain) -> str:
    """Return the 95 % interval of `short_gain`, "–" where the gain is a range over several comparisons."""
    if gain.mixed:
        return short_interval(gain.mixed)
    return "–" if gain.elsewhere else short_interval(gain.comparison)


def interval_told(gain: Gain) -> str:
    """Return the interval of `short_gain` where it stands by itself: "95 % interval −46 % to −39 %"."""
    told = gain.mixed or gain.comparison
    if not tells_interval(told.low, told.high):
        return _("No 95 % interval can be given")
    words = _("95 % interval: {interval}") if is_one_sided(told.low, told.high) else _("95 % interval {interval}")
    return words.format(interval=short_interval(told))


def short_interval(comparison: Comparison) -> str:
    """Return the 95 % interval in the same terms as `short_effect`: "−46 % to −39 %"."""
    if not tells_interval(comparison.low, comparison.high):
        return _("no interval can be given")
    if is_one_sided(comparison.low, comparison.high):
        near = comparison.low if comparison.low > 1 else comparison.high
        return _("{amount} or more").format(amount=short_effect(replace(comparison, ratio=near)))
    if TENTH <= comparison.ratio < TIMES_FROM:
        return signed_interval(comparison.low, comparison.high)
    if comparison.ratio < TENTH:
        low, high = (f"÷\u00a0{times_text(1 / end)}" for end in (comparison.high, comparison.low))
    else:
        low, high = (f"×\u00a0{local_number(f'{end:.1f}')}" for end in (comparison.low, comparison.high))
    return _("{low} to {high}").format(low=low, high=high)


def amount_interval(comparison: Comparison, words: Vocabulary) -> str:
    """Return the 95 % interval as the amounts `effect_text` speaks of: "39–47 %"; signed across 0, "" without one."""
    ratio, low, high = comparison.ratio, comparison.low, comparison.high
    return effect_interval(ratio, low, high, is_duration=_is_duration(comparison, words))


def before_after(gain: Gain) -> str:
    """Return the measured values before and after, in the client's units; "" where there are none."""
    before, after = before_and_after(gain)
    return _("{after} instead of {before}").format(after=after, before=before) if before else ""


def before_and_after(gain: Gain) -> tuple[str, str]:
    """Return the measured values before and after, each by itself; "" for both where there are none."""
    if gain.before is None or gain.after is None:
        return "", ""
    unit, longest = gain.comparison.unit, max(gain.before, gain.after)
    mark = f"{MARK}\u00a0" if gain.is_worked_out else ""
    before, after = (mark + _measured(value, unit, longest) for value in (gain.before, gain.after))
    return before, after


def _measured(value: float, unit: str, longest: float) -> str:
    """Return a measured value; a length of time is told as one, but for milliseconds below a second."""
    if unit == "s":
        return duration(value)
    return duration(value / 1000) if unit == "ms" and longest >= 1000 else quantity(value, unit)


def backlog_text(gain: Gain) -> str:
    """Return how long a backlog takes before and after with its band, "" where nobody asked."""
    if not gain.forecasts:
        return ""
    before, after = gain.forecasts
    if not all(map(math.isfinite, (before.hours, after.hours, after.low_hours, after.high_hours))):
        return ""
    text = _("A backlog of {count} commands is delivered in {after} ({low} to {high}) instead of {before}.")
    if after.basis:
        text = _(
            "A backlog of {count} commands ({basis}) is delivered in {after} ({low} to {high}) instead of {before}, "
            "worked out from the rates measured."
        )
    return text.format(
        count=number(after.backlog_commands),
        basis=after.basis,
        after=duration(after.hours * 3600),
        low=duration(after.low_hours * 3600),
        high=duration(after.high_hours * 3600),
        before=duration(before.hours * 3600),
    )


def in_effect_text(decision: Decision) -> str:
    """Return a note on the values in effect where a gain was measured against another setting, "" where it was not."""
    gain = decision.gain
    if gain is None or gain.from_in_effect or decision.kind is DecisionKind.MEASURE_AGAIN:
        return ""
    stands = in_effect_told(decision)
    if not stands:
        return ""
    tried = gain.tried
    if tried is None:
        return _("The gain over what is in effect, {values}, was not measured.").format(values=stands)
    longest = max(tried.in_effect, tried.candidate)
    before, after = (_measured(value, gain.comparison.unit, longest) for value in (tried.in_effect, tried.candidate))
    text = _(
        "The gain over what is in effect, {values}, was not confirmed: in exploring trials {after} with {target}, "
        "{before} with {values}."
    )
    values, target = (side.values_text() if len(side) == 1 else side.text() for side in (tried.stands, tried.wanted))
    return text.format(values=values, after=after, before=before, target=target)


def sizes_text(gain: Gain) -> str:
    """Return how many trials carry a gain, and of which kind they are."""
    sizes = f"{len(gain.comparison.candidate_trials)}\u00a0+\u00a0{len(gain.comparison.reference_trials)}"
    if gain.comparison.phase is Phase.CONFIRM:
        return _("{sizes} trials").format(sizes=sizes)
    return _("{sizes} trials, not confirmed by fresh trials").format(sizes=sizes)


def lead_text(decision: Decision, words: Vocabulary, *, tells_effect: bool = True, tells_rivals: bool = True) -> str:
    """Return the evidence for the decision in a sentence or two.

    Args:
        tells_effect: False where effect and interval stand beside it.
        tells_rivals: False where its reasons stand beside it, which tell the values that may do better still.
    """
    gain = decision.gain
    is_left = decision.kind is DecisionKind.LEAVE and bool(decision.in_effect)
    if gain is None and is_left and decision.from_value is not None:
        return _(
            "The gain of {value} over what is in effect, {in_effect}, was not confirmed: an experiment with "
            "{in_effect} as its baseline tells."
        ).format(value=value_text(decision.from_value), in_effect=decision.in_effect)
    if gain is None:
        return decision.finding.recommendation
    comparison, measured = gain.comparison, before_after(gain)
    effect = _("{effect} ({interval}; {sizes}).").format(
        effect=effect_text(comparison, words), interval=_interval_in_full(comparison, words), sizes=sizes_text(gain)
    )
    if not tells_effect:
        effect = f"{sizes_text(gain)}."
    metric, swept = words.metric(comparison.family, comparison.metric), words.swept(comparison)
    measure = _("{measure} with {conditions}").format(measure=metric, conditions=swept) if swept else metric
    parts = [own_load_text(gain.own_load, gain.agreed), f"{measure}: {measured}." if measured else ""]
    parts += [effect[:1].upper() + effect[1:], _by_shape(gain, words), backlog_text(gain)]
    parts += [in_effect_text(decision), own_effects(decision, words)]
    if not amount_interval(comparison, words):
        parts.append(noise_that_explains(comparison))
    parts += [_cost_text(cost, words) for cost in gain.costs]
    if gain.is_worked_out:
        parts.append(worked_out_note())
    parts.append(_why_nothing_changes(decision, comparison))
    parts.append(_rivals_told(decision, comparison, is_told=tells_rivals))
    if _tells_a_price(decision):
        parts.append(decision.finding.recommendation)
    return " ".join(part for part in parts if part)


def _by_shape(gain: Gain, words: Vocabulary) -> str:
    """Return the effect at the other values of a swept condition, of which an application sees its mix.

    Of one value there is nothing to say, but for the client's own work: that is its mix.
    """
    if not gain.elsewhere:
        own = _("It was measured on your own work, so this is the effect on your mix of transactions.")
        return own if gain.is_own_work else ""
    told = "; ".join(
        _("{effect} ({interval}) with {where}").format(
            effect=effect_text(one, words), interval=_given(amount_interval(one, words)), where=words.swept(one)
        )
        for one in gain.elsewhere
    )
    if gain.mixed:
        return _("Other transactions: {told}. The effect on your mix is worked out from these.").format(told=told)
    return _("Other transactions: {told}. An application sees the effect on its own mix.").format(told=told)


def _interval_in_full(comparison: Comparison, words: Vocabulary) -> str:
    """Return an interval with what it is, or that there is none."""
    interval = amount_interval(comparison, words)
    return _given(_("95 % interval {interval}").format(interval=interval) if interval else "")


def _why_nothing_changes(decision: Decision, comparison: Comparison) -> str:
    """Return why an effect that was seen leads to no change or perhaps to none, "" where it needs no word."""
    if decision.gain is not None and decision.gain.is_contradicted:
        return _("Numbers of these runs cannot all hold, so check them first.")
    if decision.gain is not None and decision.gain.is_seen_once and comparison.verdict is Verdict.IMPROVEMENT:
        return _("That holds if runs vary as little as is stated; none was repeated, so measure it here first.")
    if decision.kind is DecisionKind.MEASURE_AGAIN and decision.change_effort.held_back:
        return _("Find the cause first, then measure again.")
    if decision.kind is DecisionKind.MEASURE_AGAIN:
        return _("Not conclusive.")
    return _how_small(decision, comparison)


def _how_small(decision: Decision, comparison: Comparison) -> str:
    """Return that a gain is, or may be, smaller than is worth acting on, "" where it is not."""
    if decision.is_worth_open:
        return _(
            "The gain is shown, but the near end of its interval is below the {effect} worth acting on: change it only "
            "if a smaller gain is worth it."
        ).format(effect=percent(comparison.minimum_effect))
    is_small = comparison.verdict is Verdict.IMPROVEMENT and abs(comparison.ratio - 1) < comparison.minimum_effect
    if decision.kind is not DecisionKind.LEAVE or not is_small:
        return ""
    return _("That is less than the {effect} worth acting on.").format(effect=percent(comparison.minimum_effect))


def _cost_text(cost: Comparison, words: Vocabulary) -> str:
    text = _("In return {effect} ({interval}).")
    return text.format(effect=effect_text(cost, words), interval=_interval_in_full(cost, words))
