"""Trying every rule on its own cases, as `replitune rules test` does."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.advice.evaluate import decide, known_facts
from app.advice.rule import Case, Expect, Pack, Rule
from app.domain.comparison import Verdict
from app.domain.facts import FactValue
from app.domain.finding import Finding, NotEvaluated
from app.foundation.texts import _


@dataclass(frozen=True)
class CaseFailure:
    """A case that did not go as expected, or one that is wanting.

    Attributes:
        case: its name, "" where the rule as a whole is meant.
        expected, got: what the rule was expected to do and did.
        why: what decided it, or what to add.
        file, line: where it is written.
    """

    rule: str
    case: str
    expected: str
    got: str
    why: str
    file: str
    line: int

    def sentence(self) -> str:
        """Return the failure as one sentence with its place."""
        if not self.case:
            text = _('{file}, line {line}: rule "{rule}": {why}')
        else:
            text = _('{file}, line {line}: rule "{rule}", case "{case}": expected {expected}, got {got}; {why}')
        return text.format(
            file=self.file,
            line=self.line,
            rule=self.rule,
            case=self.case,
            expected=self.expected,
            got=self.got,
            why=self.why,
        )


@dataclass(frozen=True)
class CaseReport:
    """The result of all cases."""

    rules: int
    cases: int
    failures: tuple[CaseFailure, ...]

    @property
    def passed(self) -> bool:
        """Return whether nothing failed."""
        return not self.failures


def check_cases(packs: Iterable[Pack]) -> CaseReport:
    """Run every case of every rule, and check that the cases say enough.

    Each rule needs a case that fires, one that does not, and for every comparison of numbers in its condition a case
    exactly on the boundary that decides the outcome. A rule that changes a value must not fire once the verdict of
    its case is anything but an improvement, or the best setting is the present one.
    """
    rules = [rule for pack in packs for rule in pack.rules]
    failures = tuple(failure for rule in rules for failure in _check_rule(rule))
    return CaseReport(len(rules), sum(len(rule.cases) for rule in rules), failures)


def _check_rule(rule: Rule) -> Iterator[CaseFailure]:
    for case in rule.cases:
        yield from _check_case(rule, case)
    for expect in (Expect.FIRES, Expect.DOES_NOT_FIRE):
        if not any(case.expect is expect for case in rule.cases):
            yield _wanting(rule, _("it needs a case that expects {expect}").format(expect=expect.value))
    yield from _check_boundaries(rule)


def _check_case(rule: Rule, case: Case) -> Iterator[CaseFailure]:
    facts = dict(case.facts)
    got, why = _outcome(rule, facts)
    if got is not case.expect:
        yield CaseFailure(rule.rule_id, case.name, case.expect.value, got.value, why, rule.file, case.line)
    elif got is Expect.FIRES and rule.to_value is not None:
        yield from _check_claim(rule, case)


def _outcome(rule: Rule, facts: dict[str, FactValue]) -> tuple[Expect, str]:
    """Return a rule's outcome for facts, and why."""
    result = decide(rule, rule.applies_to.families[0], known_facts(facts, rule.kinds), ())
    if isinstance(result, Finding):
        return Expect.FIRES, _('its condition "{when}" holds').format(when=rule.when.text)
    if isinstance(result, NotEvaluated):
        return Expect.NOT_EVALUATED, result.because
    return Expect.DOES_NOT_FIRE, _('its condition "{when}" does not hold').format(when=rule.when.text)


def _check_claim(rule: Rule, case: Case) -> Iterator[CaseFailure]:
    """A recommendation to change a value must hang on a shown improvement, by its own condition."""
    others: list[tuple[str, FactValue]] = [("verdict", v.value) for v in Verdict if v is not Verdict.IMPROVEMENT]
    for name, value in (*others, ("best_differs", False)):
        if rule.when.truth({**known_facts(dict(case.facts), rule.kinds), name: value}):
            why = _('it recommends a change and its condition still holds with {name} = "{value}"').format(
                name=name, value=value
            )
            yield replace(_wanting(rule, why), line=case.line)


def _check_boundaries(rule: Rule) -> Iterator[CaseFailure]:
    for index, comparison in enumerate(rule.when.comparisons()):
        if not any(rule.when.pins_boundary(index, known_facts(dict(case.facts), rule.kinds)) for case in rule.cases):
            why = _(
                'no case lies exactly on the boundary of "{comparison}" with the outcome hanging on it; add one where '
                "both sides are equal"
            ).format(comparison=comparison)
            yield _wanting(rule, why)


def _wanting(rule: Rule, why: str) -> CaseFailure:
    return CaseFailure(rule.rule_id, "", "", "", why, rule.file, rule.line)
