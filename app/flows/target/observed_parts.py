"""Paragraphs every look ends with, whatever it looked at, as lines of text."""

from collections.abc import Sequence

from app.domain.cost import ExperimentCost
from app.domain.finding import Finding
from app.foundation.texts import _, local_number


def finding_lines(findings: Sequence[Finding]) -> list[str]:
    """Return what the rules say to what was seen."""
    lines = ["", _("Findings:") if findings else _("No rule speaks against what was seen.")]
    for finding in findings:
        lines += [f"  {finding.priority}  {finding.title}", f"     {finding.recommendation}"]
    return lines


def limit_lines(limits: Sequence[str]) -> list[str]:
    """Return what the figures do not say."""
    return _paragraph(_("What these figures do not say:"), limits)


def cost_lines(costs: Sequence[ExperimentCost]) -> list[str]:
    """Return what it would take to find out more."""
    return _paragraph(
        _("What an experiment would take:"),
        [
            _("{title}: {trials} trials, about {hours} h").format(
                title=cost.title, trials=cost.trials, hours=local_number(f"{cost.duration_s / 3600:.1f}")
            )
            for cost in costs
        ],
    )


def unread_lines(unread: Sequence[str]) -> list[str]:
    """Return what this login could not read."""
    return _paragraph(_("Not readable for this login:"), unread)


def _paragraph(heading: str, sentences: Sequence[str]) -> list[str]:
    return ["", heading, *(f"  {sentence}" for sentence in sentences)] if sentences else []
