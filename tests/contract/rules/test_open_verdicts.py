"""No rule says of an open verdict that it is settled, and none presumes a change where the gain is not worth one."""

from app.advice import Rule
from app.advice.evaluate import decide, known_facts
from app.domain.comparison import Verdict
from app.domain.facts import FactValue
from app.domain.finding import Finding
from tests.rows import every_row
from tests.shipped_rules import RULES

SETTLED = ("settle the verdict", "no gain", "no better value", "was shown", "not shown", "found the same", "elsewhere")
"""Words that only a settled verdict bears out."""


def _said(rule: Rule, facts: dict[str, FactValue]) -> str | None:
    """Return what a rule says where facts are as given, None where it does not speak."""
    found = decide(rule, rule.applies_to.families[0], known_facts(facts, rule.kinds), ())
    if not isinstance(found, Finding):
        return None
    return " ".join((found.task, found.recommendation, found.because)).casefold()


def _verdict_of(rule: Rule) -> str:
    return next((name for name in rule.needs if name == "verdict" or name.endswith("_verdict")), "")


JUDGING = [rule for rule in RULES if _verdict_of(rule)]


@every_row("rule", JUDGING, ids=lambda rule: rule.rule_id)
def test_a_condition_names_the_verdicts_it_is_for(rule: Rule) -> None:
    """What is "no improvement" may be open as well: a condition says which verdicts it means."""
    assert "verdict !=" not in rule.when.text


@every_row("rule", JUDGING, ids=lambda rule: rule.rule_id)
def test_an_open_verdict_is_not_told_as_settled(rule: Rule) -> None:
    """Whatever else is known, a rule that speaks while the verdict is open claims nothing."""
    for case in rule.cases:
        said = _said(rule, {**dict(case.facts), _verdict_of(rule): Verdict.CANNOT_TELL.value})
        assert not said or not [words for words in SETTLED if words in said], said


@every_row("rule", JUDGING, ids=lambda rule: rule.rule_id)
def test_a_gain_too_small_to_act_on_is_not_told_as_a_change(rule: Rule) -> None:
    """Only the rule that says so speaks of an improvement below what is worth acting on."""
    if "gain_percent < minimum_effect_percent" in rule.when.text or rule.applies_to.families == ("commit_mode",):
        return  # of a commit mode each shape has a gain of its own
    for case in rule.cases:
        facts = {**dict(case.facts), "gain_percent": 4.9, "minimum_effect_percent": 5.0}
        presumes = facts.get("best_differs") is True and "best_differs" in rule.when.text
        if presumes and facts.get("verdict") == Verdict.IMPROVEMENT.value:
            assert _said(rule, facts) is None
