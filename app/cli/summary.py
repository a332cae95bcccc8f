"""What a command says at its end: the stable JSON, or a few lines for a person."""

import json
import sys
from typing import TextIO

from app.domain.comparison import Verdict
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.session import Advice
from app.foundation.codec import Json
from app.foundation.texts import _
from app.services.workplace import Workplace


def print_json(document: Json) -> None:
    """Print a document of schema 1 on standard output."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def print_summary(advice: Advice, place: Workplace, stream: TextIO, *, is_imported: bool = False) -> None:
    """Print in three lines what was found and where it is, after any warnings.

    Args:
        is_imported: the measurements come from elsewhere, so that no comparison is a lead of this program's own trials.
    """
    for warning in advice.warnings:
        stream.write(_("Note: {text}").format(text=warning) + "\n")
    stream.write(_("Found: {text}").format(text=_headline(advice)) + "\n")
    stream.write(_("Verdicts: {text}").format(text=_verdicts(advice, is_imported)) + "\n")
    stream.write(
        _("Report: {report} (scripts and {session} beside it)").format(
            report=place.report, session=place.session_file.name
        )
        + "\n"
    )


def _headline(advice: Advice) -> str:
    """Return the recommended values, each with the link it holds for, or that there is nothing to change."""
    changes = [
        f"{finding.parameter} {finding.from_value} → {finding.to_value}{_link(finding)}{_doubt(finding)}"
        for finding in advice.findings
        if finding.parameter and finding.to_value is not None and finding.to_value != finding.from_value
    ]
    if changes:
        return "; ".join(dict.fromkeys(changes))
    return _("nothing that these measurements allow to recommend")


def _link(finding: Finding) -> str:
    """Return the bandwidth a finding holds for, "" where it does not matter."""
    fact_values = {name: value for name, value, _unit in finding.facts}
    return f" ({fact_values['network_kbps']:g} kbps)" if "network_kbps" in fact_values else ""


def _doubt(finding: Finding) -> str:
    """Return that no fresh trials confirm a recommended value, "" where they do, or where it is not known."""
    fact_values = {name: value for name, value, _unit in finding.facts}
    return " " + _("(not confirmed)") if fact_values.get("confirmed") is False else ""


def _verdicts(advice: Advice, is_imported: bool) -> str:
    """Count the verdicts that may be claimed: of confirmations, or of measurements from elsewhere, which have none."""
    confirmed = [comparison for comparison in advice.comparisons if comparison.phase is Phase.CONFIRM]
    counts = dict.fromkeys(Verdict, 0)
    for comparison in confirmed or advice.comparisons:
        counts[comparison.verdict] += 1
    if not confirmed and not is_imported and advice.comparisons:
        return _(
            "none; exploring trials claim nothing. Leads: {better} better, {worse} worse, {same} without a "
            "difference, {open} open"
        ).format(
            better=counts[Verdict.IMPROVEMENT],
            worse=counts[Verdict.WORSE],
            same=counts[Verdict.NO_DIFFERENCE],
            open=counts[Verdict.CANNOT_TELL],
        )
    return _("{better} improved, {worse} worse, {same} without a difference, {open} that cannot be told yet").format(
        better=counts[Verdict.IMPROVEMENT],
        worse=counts[Verdict.WORSE],
        same=counts[Verdict.NO_DIFFERENCE],
        open=counts[Verdict.CANNOT_TELL],
    )
