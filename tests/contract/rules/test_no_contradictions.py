"""No two findings on the same facts give opposite advice about the same parameter."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import combinations

import pytest

from app.advice import Expect, Rule
from app.advice.evaluate import decide, known_facts
from app.domain.facts import FactValue
from app.domain.finding import Finding
from tests.kinds import KINDS
from tests.labs import FAMILIES
from tests.rows import every_row
from tests.shipped_rules import RULES


class Way(StrEnum):
    """Where a rule that sets no value itself wants a parameter to go."""

    KEEP = "stay at the baseline"
    BEST = "take the best value"
    NOT_LARGEST = "do not go to the largest value tried"
    NOT_BEYOND_BEST = "do not go beyond the best value"
    BEYOND_BEST = "try values beyond the best"
    NONE = "decide, look, or do something else"


# A rule with `to` changes the value to the best; every other one that says "leave", "do not" and the like stands here.
WAYS = {
    "log-reader-no-difference": Way.KEEP,
    "log-reader-cannot-tell": Way.KEEP,
    "log-reader-already-best": Way.KEEP,
    "log-reader-gain-too-small": Way.KEEP,
    "log-reader-worse-when-repeated": Way.KEEP,
    "capture-no-difference": Way.KEEP,
    "capture-cannot-tell": Way.KEEP,
    "capture-already-best": Way.KEEP,
    "capture-gain-too-small": Way.KEEP,
    "capture-worse-when-repeated": Way.KEEP,
    "log-reader-starved-deliveries": Way.NOT_LARGEST,
    "log-reader-starved-at-best": Way.NONE,
    "log-reader-lock-waits": Way.NONE,
    "read-batch-small-transactions": Way.BEST,
    "read-batch-large-transactions": Way.KEEP,
    "read-batch-latency-rises": Way.KEEP,
    "read-batch-latency-cost": Way.NONE,
    "read-batch-too-large": Way.NOT_LARGEST,
    "read-batch-larger-no-better": Way.BEST,
    "delivery-no-difference": Way.KEEP,
    "delivery-cannot-tell": Way.KEEP,
    "delivery-already-best": Way.KEEP,
    "delivery-gain-too-small": Way.KEEP,
    "delivery-worse-when-repeated": Way.KEEP,
    "commit-batch-rollback-cost": Way.NONE,
    "commit-batch-no-effect": Way.KEEP,
    "commit-batch-threshold-decides": Way.KEEP,
    "streams-too-many": Way.NOT_LARGEST,
    "streams-no-better-above": Way.BEST,
    "streams-largest-is-best": Way.BEYOND_BEST,
    "catch-up-unchanged": Way.KEEP,
    "link-bandwidth-bound": Way.NOT_BEYOND_BEST,
    "link-more-streams-lose": Way.NOT_LARGEST,
    "link-largest-is-best": Way.BEYOND_BEST,
    "streams-no-difference": Way.KEEP,
    "streams-cannot-tell": Way.KEEP,
    "streams-already-best": Way.KEEP,
    "streams-gain-too-small": Way.KEEP,
    "streams-worse-when-repeated": Way.KEEP,
    "apply-reader-is-the-limit": Way.NOT_BEYOND_BEST,
    "apply-one-server-for-one-transaction": Way.KEEP,
    "spill-threshold-five-minutes": Way.NONE,
    "commit-compression-leave": Way.KEEP,
    "commit-compression-cannot-tell": Way.KEEP,
    "commit-compression-old-version": Way.KEEP,
    "commit-incompressible": Way.KEEP,
    "commit-compress-synchronous": Way.BEST,
    "commit-cannot-tell": Way.KEEP,
    "commit-group-time-leave": Way.KEEP,
    "commit-group-time-open": Way.KEEP,
    "commit-throughput-open": Way.KEEP,
    "seeding-keep-backup": Way.KEEP,
    "seeding-backup-option-leave": Way.KEEP,
    "seeding-backup-option-open": Way.KEEP,
    "seeding-numbers-disagree": Way.NONE,
    # What compression of direct seeding does is judged beside the method itself, by facts of its own.
    "seeding-compress-leave": Way.NONE,
    "seeding-compress-not-shown": Way.NONE,
    "seeding-more-processors": Way.NONE,
}
_OPPOSITE = {
    frozenset({Way.KEEP, Way.BEST}),
    frozenset({Way.KEEP, Way.BEYOND_BEST}),
    frozenset({Way.NOT_BEYOND_BEST, Way.BEYOND_BEST}),
}
_HOLDS_BACK = re.compile(r"(^|[.:] )(Leave|Keep|Stay|Do not|Set no|Change nothing|Stop|Whatever else)")


def _way(rule: Rule) -> Way:
    return Way.BEST if rule.to_value is not None else WAYS.get(rule.rule_id, Way.NONE)


def _firing(rule: Rule) -> list[dict[str, FactValue]]:
    return [known_facts(dict(case.facts), KINDS) for case in rule.cases if case.expect is Expect.FIRES]


def _said(rule: Rule, family: str, facts: Mapping[str, FactValue]) -> Finding | None:
    """Return what a rule says about facts of a family, None where it is for other ones or silent."""
    wanted = rule.applies_to
    if family not in wanted.families or (wanted.factors and facts.get("factor") not in wanted.factors):
        return None
    found = decide(rule, family, facts, ())
    return found if isinstance(found, Finding) else None


def _are_possible(facts: Mapping[str, FactValue]) -> bool:
    """Tell whether one experiment can have these facts: its best value differs from the baseline's or not."""
    if "baseline_value" not in facts or "best_value" not in facts:
        return True
    return facts.get("best_differs", True) is (facts["baseline_value"] != facts["best_value"])


def _together(one: Rule, other: Rule) -> Iterator[dict[str, FactValue]]:
    """Yield the facts of one rule's firing cases completed by those of the other's, either way round."""
    for first in _firing(one):
        for second in _firing(other):
            yield from (facts for facts in ({**first, **second}, {**second, **first}) if _are_possible(facts))


def _contradict(one: Rule, other: Rule, facts: Mapping[str, FactValue]) -> bool:
    ways = frozenset({_way(one), _way(other)})
    if ways in _OPPOSITE:
        return True
    best, largest = facts.get("best_value"), facts.get("largest_level")
    goes_up = bool(ways & {Way.BEST, Way.BEYOND_BEST})
    return Way.NOT_LARGEST in ways and goes_up and best is not None and best == largest


@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_findings_pull_a_parameter_in_opposite_directions(family: str) -> None:
    """Over the facts of every two rules' firing cases taken together, what is advised can be followed."""
    found = []
    for one, other in combinations([rule for rule in RULES if family in rule.applies_to.families], 2):
        for facts in _together(one, other):
            if not _contradict(one, other, facts):
                continue
            first, second = _said(one, family, facts), _said(other, family, facts)
            if first is not None and second is not None and first.parameter == second.parameter:
                found.append(f"{first.rule}: {first.recommendation} {second.rule}: {second.recommendation}")
    assert found == []


@every_row("rule", RULES, ids=[rule.rule_id for rule in RULES])
def test_a_rule_that_holds_back_says_from_what(rule: Rule) -> None:
    """Each rule that advises against a change is known to the test above, and every name there is a rule."""
    texts = [found.recommendation for facts in _firing(rule) if isinstance(found := _decided(rule, facts), Finding)]
    if rule.parameter and rule.to_value is None and any(_HOLDS_BACK.search(text) for text in texts):
        assert rule.rule_id in WAYS


def _decided(rule: Rule, facts: Mapping[str, FactValue]) -> object:
    return decide(rule, rule.applies_to.families[0], facts, ())


def test_every_direction_belongs_to_a_rule() -> None:
    """No name is left over from a rule that is gone."""
    assert set(WAYS) <= {rule.rule_id for rule in RULES}
