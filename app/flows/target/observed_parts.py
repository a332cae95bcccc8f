"""Paragraphs every look ends with, whatever it looked at, as lines of text."""

from collections.abc import Sequence

from app.domain.cost import ExperimentCost
from app.domain.finding import Finding
from app.domain.view import Column, Row, TableContent, number_cell, text_cell
from app.flows.words import sentence, time_up_to
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines


def finding_lines(findings: Sequence[Finding], unread: Sequence[str]) -> list[str]:
    """Return the rules' findings on the observations; after a failed reading, that there are none on it."""
    nothing = _("Nothing wrong found.")
    if unread:
        nothing = _("Nothing wrong in what could be read; what could not be read is listed below.")
    lines = ["", _("Findings:") if findings else nothing]
    for number, finding in enumerate(findings, start=1):
        lines += [f"  {number}. {finding.title}", f"     {finding.recommendation}", f"     {finding.because}"]
    return lines


def limit_lines(limits: Sequence[str]) -> list[str]:
    """Return the limits of the figures."""
    return _paragraph(_("What these figures do not say:"), [sentence(text) for text in limits])


def cost_lines(costs: Sequence[ExperimentCost]) -> list[str]:
    """Return the cost of finding out more."""
    return _paragraph(_("What an experiment costs:"), table_lines(costs_of_experiments(costs), ""))


def costs_of_experiments(costs: Sequence[ExperimentCost]) -> TableContent:
    """Return the cost of finding out more with each experiment."""
    columns = (
        Column("title", _("Experiment")),
        Column("trials", _("Trials"), is_number=True),
        Column("time", _("Takes about"), hint=_("Before the line is measured; a plan tells it for this site.")),
    )
    rows = (
        Row(cost.family, (text_cell(cost.title), number_cell(cost.trials), text_cell(_time(cost)))) for cost in costs
    )
    return TableContent(columns, tuple(rows))


def _time(cost: ExperimentCost) -> str:
    return time_up_to(cost.duration_s, cost.longest_s)


def unread_lines(unread: Sequence[str]) -> list[str]:
    """Return the failed readings, and why, each as a sentence."""
    return _paragraph(_("Not read, or only in part:"), [sentence(text) for text in unread])


def _paragraph(heading: str, sentences: Sequence[str]) -> list[str]:
    return ["", heading, *(f"  {sentence}" for sentence in sentences)] if sentences else []
