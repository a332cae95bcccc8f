"""Findings as the decisions made of them tell them: one reference, one gain and one value to leave in every list."""

from dataclasses import replace

from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.session import Advice
from app.reporting.decision_words import headline
from app.reporting.wording import Vocabulary


def told_findings(advice: Advice, words: Vocabulary) -> tuple[tuple[Finding, Finding], ...]:
    """Return each finding of an advice, in its order, with itself as it is told in a list.

    One that is a decision's own has its headline; a note has the words of the decision it belongs to.
    """
    own = {
        _identity(part.finding): _as_decided(part.finding, decision, words)
        for decision in advice.decisions
        for part in decision.parts
    }
    found = set(advice.findings)
    notes = (note for one in advice.decisions for note in one.findings if note not in found)
    reworded = {_identity(note): note for note in notes}
    return tuple((one, own.get(_identity(one)) or reworded.get(_identity(one), one)) for one in advice.findings)


def _as_decided(finding: Finding, decision: Decision, words: Vocabulary) -> Finding:
    """Return a finding under its decision's headline, which says itself what is not confirmed."""
    told = replace(finding, task=headline(decision, words), is_lead=False)
    if decision.kind is DecisionKind.LEAVE and finding.to_value is not None:  # what is in effect is as good
        return replace(told, recommendation="", to_value=None)
    return told


def _identity(finding: Finding) -> tuple[object, ...]:
    """Return the marks of a finding that stay when it is told in other words, or with the value a decision sets."""
    return finding.rule, finding.family, finding.parameter, finding.evidence, finding.conditions, finding.facts
