"""The last output of a command: the stable JSON, or the decisions for a person."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from app.domain.comparison import Comparison, Verdict, are_leads, verdict_counts
from app.domain.plan import Phase
from app.domain.session import Advice
from app.foundation.codec import Json
from app.foundation.texts import _, in_its_words
from app.reporting.decision_card import card_lines, decision_card
from app.reporting.request import FamilyTexts
from app.reporting.wording import Vocabulary
from app.services.workplace import Workplace


def print_json(document: Json) -> None:
    """Print a document of schema 1 on standard output."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


@in_its_words
def print_summary(
    advice: Advice, place: Workplace, stream: TextIO, families: Iterable[FamilyTexts], *, is_imported: bool = False
) -> None:
    """Print the decisions as the report words them, the verdicts counted, and where everything is, after any warnings.

    Args:
        families: whose words the decisions are told in.
        is_imported: the measurements come from elsewhere, so that no comparison is a lead of this program's own trials.
    """
    lines = [_("Note: {text}").format(text=warning) for warning in advice.warnings]
    words = Vocabulary(families)
    decisions = card_lines([decision_card(decision, words) for decision in advice.decisions])
    lines += [_("Decisions:"), *decisions] if decisions else [_("Nothing to decide: no rule led to a finding.")]
    lines.append(_counted(_verdicts(advice, is_imported), advice.comparisons))
    if place.report.parent == place.session_file.parent:
        where = _("Report: {report} (scripts and {session} beside it)")
        lines.append(where.format(report=place.report, session=place.session_file.name))
    else:
        where = _("Report: {report} (scripts beside it; the session is in {session})")
        lines.append(where.format(report=place.report, session=place.session_file))
    stream.write("\n".join(lines) + "\n")


def _counted(verdicts: str, comparisons: Sequence[Comparison]) -> str:
    """Return counts of verdicts with what they are of, where that is one setting and several others."""
    told = [c for c in comparisons if c.phase is Phase.CONFIRM] or comparisons
    candidates, references = {c.candidate for c in told}, {c.reference for c in told}
    if len(candidates) == 1 < len(references):
        text = _("Verdicts: {text} ({setting} against each other setting)")
        return text.format(setting=candidates.pop().text(), text=verdicts)
    if len(references) == 1 < len(candidates):
        text = _("Verdicts: {text} (each other setting against {setting})")
        return text.format(setting=references.pop().text(), text=verdicts)
    return _("Verdicts: {text}").format(text=verdicts)


def _verdicts(advice: Advice, is_imported: bool) -> str:
    """Count the verdicts that may be claimed: of confirmations, or of measurements from elsewhere, which have none."""
    only_leads = are_leads(advice.comparisons, is_imported=is_imported)
    counts = verdict_counts(advice.comparisons, is_imported=is_imported or only_leads)
    if only_leads:
        return _(
            "none; exploring trials claim nothing. Leads: {better} better, {worse} worse, {same} without a "
            "difference, {open} open"
        ).format(
            better=counts[Verdict.IMPROVEMENT],
            worse=counts[Verdict.WORSE],
            same=counts[Verdict.NO_DIFFERENCE],
            open=counts[Verdict.CANNOT_TELL],
        )
    return _("{better} improved, {worse} worse, {same} without a difference, {open} still open").format(
        better=counts[Verdict.IMPROVEMENT],
        worse=counts[Verdict.WORSE],
        same=counts[Verdict.NO_DIFFERENCE],
        open=counts[Verdict.CANNOT_TELL],
    )
