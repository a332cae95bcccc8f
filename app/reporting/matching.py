"""Which comparisons stand behind a finding, and which of them carries it."""

from collections.abc import Sequence

from app.domain.comparison import Comparison, Verdict
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.setting import Value, typed_text
from app.reporting.wording import is_change


def comparisons_behind(finding: Finding, comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons of the finding's factor whose trials are among its evidence, confirmation first."""
    evidence = set(finding.evidence)
    behind = [
        c
        for c in comparisons
        if c.family == finding.family
        and (not finding.parameter or finding.parameter in c.factor)
        and evidence & {*c.reference_trials, *c.candidate_trials}
    ]
    return tuple(sorted(behind, key=lambda c: c.phase is not Phase.CONFIRM))


def carrying_comparison(finding: Finding, comparisons: Sequence[Comparison]) -> Comparison | None:
    """Return the comparison of exactly the values a finding names, None where there is none.

    A finding that changes nothing has no such pair: it carries a verdict only where all behind it agree that nothing
    is gained or known, and where its rule looked at the verdict; any other badge would speak of something else.
    """
    behind = comparisons_behind(finding, comparisons)
    if not is_change(finding):
        verdicts = {comparison.verdict for comparison in behind}
        is_quiet = len(verdicts) == 1 and verdicts <= {Verdict.NO_DIFFERENCE, Verdict.CANNOT_TELL}
        return behind[0] if is_quiet and finding.parameter and _asks_for_verdict(finding) else None
    # Fresh trials carry the claim, also where exploring ones showed more; then the two settings the finding tells of,
    # an improvement, what differs in the fewest other parameters, and the larger effect.
    ranked = sorted(
        behind,
        key=lambda c: (
            c.phase is not Phase.CONFIRM,
            not _is_told(finding, c),
            c.verdict is not Verdict.IMPROVEMENT,
            sum(c.candidate[name] != c.reference.get(name) for name in c.candidate),
            -abs(c.ratio - 1),
        ),
    )
    for comparison in ranked:
        candidate = _typed(comparison.candidate.get(finding.parameter))
        reference = _typed(comparison.reference.get(finding.parameter))
        told = _typed(finding.from_value)
        if candidate == _typed(finding.to_value) and told in (None, reference) and candidate != reference:
            return comparison
    return None


def _typed(value: Value | None) -> str | None:
    """Return a value as it is typed: a rule may tell a number as a number or as a word."""
    return None if value is None else typed_text(value)


def _is_told(finding: Finding, comparison: Comparison) -> bool:
    """Tell whether a comparison is of the settings that a finding names, where it names any."""
    facts = {name: value for name, value, _unit in finding.facts}
    reference, candidate = comparison.reference, comparison.candidate
    alike = [name for name, value in candidate.items() if reference.get(name) == value]
    sides = reference.without(alike).label(), candidate.without(alike).label()
    return sides == (facts.get("baseline_setting"), facts.get("best_setting"))


def _asks_for_verdict(finding: Finding) -> bool:
    names = {name for name, _value, _unit in finding.facts}
    return "verdict" in names
