"""A change in words: the value set, the setting its gain was measured against, and another one that is in effect.

One that compares with the setting in effect says "instead of"; any other names the setting of its comparison and the
one in effect, so that no gain is read as one over what is there.
"""

from collections.abc import Callable, Iterable, Mapping

from app.domain.comparison import Comparison
from app.domain.decision import Decision, Gain, OwnEffect
from app.domain.effect import effect_interval, effect_words
from app.domain.plan import Phase
from app.domain.setting import Value, typed_text, value_text
from app.foundation.texts import _, in_sentence
from app.reporting.wording import Vocabulary

Write = Callable[[Value], str]
"""How values of parameters are written."""


def changed(decision: Decision, base: str, write: Write) -> str:
    """Return the change of one parameter.

    Args:
        base: the value its gain was measured against, "" where that is not known.
    """
    assert decision.to_value is not None  # it is a change
    in_effect = _written(decision.in_effect, write)
    told = {"parameter": decision.parameter, "value": write(decision.to_value), "base": base or "?"}
    if decision.gain is None:
        return _("{parameter} {value} instead of {base}").format(**{**told, "base": in_effect or base or "?"})
    if not decision.beside:
        text = (
            _("{parameter} {value}, measured against {base} (in effect: {in_effect})")
            if in_effect
            else _("{parameter} {value} instead of {base}")
        )
        return text.format(**told, in_effect=in_effect)
    beside = [(one.parameter, _written(one.in_effect, write)) for one in decision.beside]
    text = _("{parameter} {value} instead of {base}, measured with {beside} (in effect: {in_effect})")
    if in_effect:
        beside = [(decision.parameter, in_effect), *beside]
        text = _("{parameter} {value}, measured against {base} with {beside} (in effect: {in_effect})")
    return text.format(
        **told,
        beside=", ".join(f"{one.parameter} {write(one.measured)}" for one in decision.beside),
        in_effect=beside[0][1] if len(beside) == 1 else ", ".join(f"{name} {value}" for name, value in beside),
    )


def changed_together(decision: Decision, write: Write) -> str:
    """Return a change of several parameters."""
    parts, gain = decision.parts, decision.gain
    assert gain is not None  # one comparison carries all of them
    compared = gain.comparison
    stands = _stands(decision)
    if not stands:
        text = _("{parameter} {value} instead of {base}")
        first, *others = (
            text.format(
                parameter=part.parameter,
                value=write(compared.candidate[part.parameter]),
                base=write(compared.reference[part.parameter]),
            )
            for part in parts
        )
        return _("{task}, together with {others}").format(task=first, others=" + ".join(others))
    return _("{wanted}, measured against {reference} (in effect: {in_effect})").format(
        wanted=_listed(compared.candidate, (part.parameter for part in parts), write),
        reference=_listed(compared.reference, stands, write),
        in_effect=", ".join(f"{name} {_written(value, write)}" for name, value in stands.items()),
    )


def measure_in_effect(compared: Comparison, effect: str, write: Write) -> str:
    """Return the confirmation to ask for where the plan's baseline, the candidate, did better than what is there."""
    differing = [name for name, value in compared.candidate.items() if value != compared.reference.get(name)]
    candidate, reference = (_listed(side, differing, write) for side in (compared.candidate, compared.reference))
    if len(differing) == 1:
        reference = write(compared.reference[differing[0]])
    text = _("Measure {candidate} against {reference}, which is in effect: {effect} in exploring trials")
    return text.format(candidate=candidate, reference=reference, effect=effect)


def measure_beside(decision: Decision, seen: Comparison, effect: str) -> str:
    """Return the trials to make first of a change that was seen beside other values than will be there."""
    candidate, reference = (_listed(side, decision.parameters, value_text) for side in (seen.candidate, seen.reference))
    if len(decision.parameters) == 1:
        reference = value_text(seen.reference[decision.parameter])
    in_effect = [f"{p.parameter} {_written(p.in_effect, value_text)}" for p in decision.parts if p.in_effect]
    text = _("Measure {candidate} with {stands} first: {effect} against {reference} was seen with {measured}")
    if in_effect:
        text = _(
            "Measure {candidate} against {in_effect}, which is in effect, with {stands} first: {effect} against "
            "{reference} was seen with {measured}"
        )
    return text.format(
        candidate=candidate,
        in_effect=", ".join(in_effect),
        reference=reference,
        effect=effect,
        stands=", ".join(f"{one.parameter} {_written(one.in_effect, value_text)}" for one in decision.measured_beside),
        measured=", ".join(f"{one.parameter} {value_text(one.measured)}" for one in decision.measured_beside),
    )


def in_effect_told(decision: Decision) -> str:
    """Return the values in effect where the gain was measured against another setting, "" where they are those to
    set."""
    stands, gain = _stands(decision), decision.gain
    if gain is None or not stands:
        return ""
    wanted = {part.parameter: typed_text(part.finding.to_value) for part in decision.parts if part.finding.to_value}
    if {**stands, **wanted} == stands:
        return ""
    if len(gain.comparison.reference) == 1:
        return _written(stands[decision.parameter], value_text)
    return ", ".join(f"{name} {_written(value, value_text)}" for name, value in stands.items())


def _stands(decision: Decision) -> dict[str, str]:
    """Return the values in effect of all that a change sets or was measured with, empty where it compares with them."""
    if decision.gain is None or not (any(part.in_effect for part in decision.parts) or decision.beside):
        return {}
    reference = decision.gain.comparison.reference
    stands = {
        part.parameter: part.in_effect or typed_text(reference[part.parameter])
        for part in decision.parts
        if part.parameter in reference
    }
    return {**stands, **{one.parameter: one.in_effect for one in decision.beside}}


def _listed(setting: Mapping[str, Value], names: Iterable[str], write: Write) -> str:
    return ", ".join(f"{name} {write(setting[name])}" for name in names)


def _written(values: str, write: Write) -> str:
    """Return values in effect as they are written: of one parameter there may be several."""
    return ", ".join(map(write, values.split(", ")))


# What each of several parameters does by itself


def own_effect(gain: Gain, own: OwnEffect, words: Vocabulary) -> str:
    """Return the effect of one parameter by itself: "6 % less run time (3–9 %)"."""
    told = gain.comparison
    metric, is_duration = (
        in_sentence(words.metric(told.family, told.metric)),
        words.is_duration(told.family, told.metric),
    )
    interval = effect_interval(own.ratio, own.low, own.high, is_duration=is_duration)
    return _("{effect} ({interval})").format(
        effect=effect_words(own.ratio, metric, is_duration=is_duration),
        interval=interval or _("no interval can be given"),
    )


def own_effects(decision: Decision, words: Vocabulary) -> str:
    """Return the effect of each parameter of a joint change by itself, "" where the trials tell of fewer than two."""
    told = [(part.parameter, part.gain, part.gain.own) for part in decision.parts if part.gain and part.gain.own]
    if len(told) < 2:
        return ""
    sentences = []
    for name, gain, own in told:
        is_confirmed = gain.comparison.phase is Phase.CONFIRM
        if own.beside:
            text = (
                _("With {beside}, {setting} alone gave {own} in the exploring trials.")
                if is_confirmed
                else _("With {beside}, {setting} alone gave {own}.")
            )
        else:
            text = (
                _("By itself {setting} gave {own} in the exploring trials, over all values of the others.")
                if is_confirmed
                else _("By itself {setting} gave {own}, over all values of the others.")
            )
        setting = f"{name} {value_text(gain.comparison.candidate[name])}"
        sentences.append(text.format(setting=setting, beside=own.beside, own=own_effect(gain, own, words)))
    return " ".join(sentences)
