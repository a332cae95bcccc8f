"""From rules and facts to findings. Pure: the same packs and facts give the same findings, and change nothing."""

import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Final

from app.advice.rule import AppliesTo, FactRef, Pack, Rule
from app.domain.comparison import Verdict
from app.domain.facts import FactKinds, FactType, FactValue
from app.domain.finding import Finding, NotEvaluated
from app.domain.setting import Value
from app.foundation.texts import _

_LOWEST_PRIORITY: Final = 5


def evaluate(
    packs: Iterable[Pack],
    engine: str,
    family: str,
    facts: Mapping[str, FactValue],
    evidence: tuple[str, ...],
    *,
    engine_version: str = "",
) -> tuple[tuple[Finding, ...], tuple[NotEvaluated, ...]]:
    """Return the findings of one family's rules on one set of facts.

    A rule for another engine, family or parameter is passed over in silence. One whose condition is already false
    with what is known does not fire; one that hangs on a missing fact is reported as not evaluated.

    Args:
        packs: as loaded.
        engine: id of the database engine, such as "sqlserver".
        family: id of the experiment family the facts were made by.
        facts: what is known; a fact that is not known is absent, NaN counts as absent.
        evidence: ids of the trials behind the facts.
        engine_version: of the server, such as "16.0.4135.4"; "" where it is not known.

    Returns:
        Findings by priority, then in the order the rules are written; then the rules that could not be evaluated. A
        finding's `figure` is the last part of a plot's id, for the caller to complete.

    Raises:
        TypeError: a fact is not of the type it is declared with.
    """
    findings: list[Finding] = []
    skipped: list[NotEvaluated] = []
    for rule in (rule for pack in packs for rule in pack.rules):
        fact_values = known_facts(facts, rule.kinds)
        applies = _applies(rule, engine, family, fact_values, engine_version)
        if applies is False:
            continue
        if isinstance(applies, str):
            skipped.append(NotEvaluated(rule.rule_id, family, applies))
            continue
        result = decide(rule, family, fact_values, evidence)
        if isinstance(result, Finding):
            findings.append(result)
        elif result is not None:
            skipped.append(result)
    return tuple(sorted(findings, key=lambda finding: finding.priority)), tuple(skipped)


def known_facts(facts: Mapping[str, FactValue], kinds: FactKinds) -> dict[str, FactValue]:
    """Return the facts that have a value, as plain Python numbers; undeclared facts are left out.

    Raises:
        TypeError: a fact is not of the type it is declared with.
    """
    values: dict[str, FactValue] = {}
    for name, value in facts.items():
        if name not in kinds:
            continue
        plain = _plain(name, value, kinds[name].type)
        if not (isinstance(plain, float) and math.isnan(plain)):
            values[name] = plain
    return values


def _plain(name: str, value: object, kind: FactType) -> FactValue:
    if kind is FactType.NUMBER and isinstance(value, numbers.Real) and not isinstance(value, bool):
        # NumPy's numbers print in a way rule-engine cannot read.
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    if kind is FactType.TEXT and isinstance(value, str):
        return str(value)
    if kind is FactType.FLAG and isinstance(value, bool):
        return value
    raise TypeError(f"fact {name} must be a {kind.value}, not {value!r}")


def decide(
    rule: Rule, family: str, fact_values: Mapping[str, FactValue], evidence: tuple[str, ...]
) -> Finding | NotEvaluated | None:
    """Return a rule's finding on known facts, why it cannot tell, or None.

    A need that is an empty text has no word to stand in a sentence, and counts as not known.
    """
    holds = rule.when.truth(fact_values)
    if holds is False:
        return None
    missing = [name for name in rule.needs if fact_values.get(name, "") == ""]
    if missing:
        return NotEvaluated(rule.rule_id, family, _not_known(missing, rule.kinds))
    if holds is None or any(d.needs_only and d.expression.number(fact_values) is None for d in rule.derived):
        because = _("not evaluated: its condition or its numbers have no result for these values")
        return NotEvaluated(rule.rule_id, family, because)
    if rule.to_value is not None and fact_values["verdict"] != Verdict.IMPROVEMENT:
        # The rule asks for it; this makes sure that no change is ever recommended without a shown improvement.
        return None
    return _finding(rule, family, fact_values, evidence)


def _not_known(missing: list[str], kinds: FactKinds) -> str:
    meanings = [kinds[name].meaning for name in missing]
    if len(meanings) == 1:
        return _("not evaluated: missing data ({meaning})").format(meaning=meanings[0])
    return _("not evaluated: missing data ({meanings})").format(meanings="; ".join(meanings))


def _applies(
    rule: Rule, engine: str, family: str, fact_values: Mapping[str, FactValue], engine_version: str
) -> bool | str:
    """Return whether a rule is for this case, or a sentence where that is not known."""
    applies_to = rule.applies_to
    if applies_to.engine != engine or family not in applies_to.families:
        return False
    if applies_to.subject and applies_to.subject not in fact_values:
        return False
    if applies_to.factors:
        if "factor" not in fact_values:
            return _not_known(["factor"], rule.kinds)
        if fact_values["factor"] not in applies_to.factors:
            return False
    if not applies_to.lowest and not applies_to.highest:
        return True
    return _holds_for(applies_to, _version(engine_version))


def _holds_for(applies_to: AppliesTo, version: tuple[int, ...]) -> bool | str:
    """Return whether a rule holds for a version, or a sentence where not enough of it is known.

    13.0.4001 is not above 13.0; of 13.0 alone nobody knows whether it is 13.0.4001.
    """
    lowest, highest = applies_to.lowest, applies_to.highest
    if version:
        first, last = version[: len(lowest)], version[: len(highest)]
        if first < lowest[: len(version)] or last > highest[: len(version)]:
            return False
        if len(version) >= max(len(lowest), len(highest)) or _is_decided(version, lowest, highest):
            return True
    held = ".".join(map(str, lowest)) or "…", ".".join(map(str, highest)) or "…"
    if not version:
        text = _("not evaluated: it holds for versions {from_} to {to}, and the server's version is not known")
    else:
        text = _(
            "not evaluated: it holds for versions {from_} to {to}, and of the server's version only {known} is known"
        )
    return text.format(from_=held[0], to=held[1], known=".".join(map(str, version)))


def _is_decided(version: tuple[int, ...], lowest: tuple[int, ...], highest: tuple[int, ...]) -> bool:
    """Return whether a version lies within limits whatever its missing parts are."""
    reaches = version > lowest[: len(version)] or not any(lowest[len(version) :])
    return reaches and (len(version) >= len(highest) or version < highest[: len(version)])


def _version(text: str) -> tuple[int, ...]:
    parts = text.split(".")
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else ()


def _finding(rule: Rule, family: str, fact_values: Mapping[str, FactValue], evidence: tuple[str, ...]) -> Finding:
    values, units = _values_for_texts(rule, fact_values)
    is_lead = rule.to_value is not None and fact_values.get("confirmed") is not True
    recommendation = rule.recommendation.fill(values, units)
    priority = rule.priority
    if is_lead:
        recommendation = _unconfirmed(recommendation)
        priority = min(priority + 1, _LOWEST_PRIORITY)
    return Finding(
        rule=rule.rule_id,
        version=rule.version,
        family=family,
        priority=priority,
        task=rule.title.fill(values, units),
        recommendation=recommendation,
        because=rule.because.fill(values, units),
        trade_offs=rule.trade_offs.fill(values, units),
        risk=rule.risk.fill(values, units),
        undo=rule.undo.fill(values, units),
        parameter=str(_resolved(rule.parameter, fact_values)),
        from_value=_resolved(rule.from_value, fact_values),
        to_value=_resolved(rule.to_value, fact_values),
        sources=rule.sources,
        evidence=evidence,
        facts=_facts_of(rule, fact_values, values, units),
        figure=rule.figure,
        is_lead=is_lead,
    )


def _unconfirmed(recommendation: str) -> str:
    """Return a recommendation that says it rests on the trials that also picked the setting (winner's curse)."""
    caution = _(
        "Treat this as a lead: the trials that found the setting are the only ones to judge it by, so "
        "part of the gain may be luck. Before you make the change permanent, repeat both values a few "
        "times, alternating."
    )
    return f"{recommendation} {caution}"


def _values_for_texts(rule: Rule, fact_values: Mapping[str, FactValue]) -> tuple[dict[str, FactValue], dict[str, str]]:
    """Return the values and units the rule's texts may name; an infinite one tells a reader nothing, so it is left out
    unless the rule needs it."""
    values = {
        name: fact_values[name]
        for name in (*rule.needs, *rule.wants)
        if name in fact_values and (name in rule.needs or _is_finite(fact_values[name]))
    }
    units = {name: rule.kinds[name].unit for name in (*rule.needs, *rule.wants)}
    for number in rule.derived:
        units[number.name] = number.unit
        value = number.expression.number(fact_values)
        if value is not None:
            values[number.name] = value
    return values, units


def _is_finite(value: FactValue) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _facts_of(
    rule: Rule, fact_values: Mapping[str, FactValue], values: Mapping[str, FactValue], units: Mapping[str, str]
) -> tuple[tuple[str, Value | bool, str], ...]:
    """Return name, value and unit of everything known that the rule looked at or worked out.

    Numbers it looked at in words alone stand behind the rest: a program that reads a finding needs them.
    """
    values_at_hand = {**fact_values, **values}
    asked = (*rule.needs, *rule.wants)
    told = (number for name in asked for number in rule.kinds[name].tells)
    units = {**{name: kind.unit for name, kind in rule.kinds.items()}, **units}
    names = dict.fromkeys((*asked, *(number.name for number in rule.derived), *told))
    return tuple((name, values_at_hand[name], units[name]) for name in names if name in values_at_hand)


def _resolved(value: Value | FactRef | None, fact_values: Mapping[str, FactValue]) -> Value | None:
    """Return a value of the rule, taken from its fact; whole numbers as such, because parameters are.

    A level that may be a number or a word comes as text.
    """
    resolved = fact_values[value.name] if isinstance(value, FactRef) else value
    if isinstance(resolved, str) and resolved.isdecimal():
        return int(resolved)
    return int(resolved) if isinstance(resolved, float) and resolved.is_integer() else resolved
