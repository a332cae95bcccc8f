"""Every text of every shipped rule, with whatever of its facts is known, reads as a person would write it."""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from app.advice import Expect, Rule
from app.advice.evaluate import decide, known_facts
from app.domain.facts import FactType, FactValue
from app.domain.finding import Finding
from tests.kinds import KINDS
from tests.rows import every_row
from tests.shipped_rules import RULES

every_rule = every_row("rule", RULES, ids=[rule.rule_id for rule in RULES])

_ALL_SUBSETS_UP_TO: Final = 8  # wants; beyond it none, each, all but each, and all, since a sentence stands by itself

# What a fact that is not there, or is empty, leaves behind.
_BROKEN: Final = {
    "two spaces": re.compile(r"  "),
    "a gap before a mark": re.compile(r"\s[.,;:!?)](?!\w)"),
    "nothing in brackets or quotes": re.compile(r"\(\s*\)|\"\s*\"|\(\s|\(,|=\s*[.;]"),
    "a mark after a mark": re.compile(r"[,;:]\s*[,;:.]|\.\.(?!\.)"),
    "a word of the program": re.compile(r"(?<!^)(?<!\. )\bNone\b|\bnan\b|\{|\}"),
    "a unit without a number": re.compile(r"(?<![\d∞])\s(?:%|ms|MB|GB|kbps|MB/s|Mbps|h/TB)(?![\w/])"),
    "an empty end": re.compile(r"\b(?:at|of|by|with|from|instead of|than)\s*(?:[.:;)]|$)|\bto\s*(?:[:;)]|$)"),
}


def _told_everywhere(rule: Rule) -> dict[str, FactValue]:
    """Return a value for each fact a rule only wants, from its own firing cases."""
    return {
        name: value
        for case in rule.cases
        if case.expect is Expect.FIRES
        for name, value in known_facts(dict(case.facts), KINDS).items()
        if name in rule.wants
    }


def _subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    sizes = range(len(names) + 1) if len(names) <= _ALL_SUBSETS_UP_TO else (0, 1, len(names) - 1, len(names))
    for size in sizes:
        yield from combinations(names, size)


def _outcomes(rule: Rule) -> Iterator[dict[str, FactValue]]:
    """Yield the facts of every firing case with each set of what it only wants present, and each text of it empty."""
    wanted = _told_everywhere(rule)
    for case in rule.cases:
        if case.expect is not Expect.FIRES:
            continue
        needed = {name: value for name, value in known_facts(dict(case.facts), KINDS).items() if name not in rule.wants}
        for present in _subsets(tuple(wanted)):
            yield {**needed, **{name: wanted[name] for name in present}}
        everything = {**needed, **wanted}
        for name in everything:
            if KINDS[name].type is FactType.TEXT:
                yield {**everything, name: ""}


def _texts(rule: Rule, facts: Mapping[str, FactValue]) -> tuple[str, ...]:
    found = decide(rule, rule.applies_to.families[0], facts, ("E1-T001",))
    if not isinstance(found, Finding):
        return ()
    return (found.title, found.recommendation, found.because, found.trade_offs, found.risk, found.undo)


@every_rule
def test_no_text_shows_a_hole_whatever_is_known(rule: Rule) -> None:
    """No double space, empty name, stray mark, program's word or lonely unit, with and without each optional fact."""
    seen = {text for facts in _outcomes(rule) for text in _texts(rule, facts)}
    assert seen
    broken = [f"{what}: {text}" for text in sorted(seen) for what, mark in _BROKEN.items() if mark.search(text)]
    assert broken == []


def test_an_empty_name_is_a_fact_that_is_not_known() -> None:
    """A rule whose parameter has no name says nothing rather than "Keep  at 100"."""
    rule = next(rule for rule in RULES if rule.rule_id == "delivery-already-best")
    case = next(case for case in rule.cases if case.expect is Expect.FIRES)
    facts = known_facts(dict(case.facts), KINDS)
    assert isinstance(decide(rule, "distribution_agent", facts, ()), Finding)
    assert not isinstance(decide(rule, "distribution_agent", {**facts, "factor": ""}, ()), Finding)
