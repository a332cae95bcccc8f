"""The hand-over: report as PDF, HTML and Markdown, scripts, CSV, JSON; no Qt."""

from app.reporting.decision_card import DecisionCard, card_lines, decision_card
from app.reporting.document.prepared import shown_advice
from app.reporting.document.scripts import Scripts
from app.reporting.export.csv_export import (
    findings_csv,
    measurements_csv,
    measurements_of,
    statements_csv,
)
from app.reporting.export.json_export import session_json
from app.reporting.redact.redaction import Redactor, redact, redactor_for
from app.reporting.render.html import render_html
from app.reporting.render.markdown import MarkdownReport, render_markdown
from app.reporting.render.pdf import render_pages, render_report, write_report
from app.reporting.request import FamilyTexts, Paper, ReportRequest
from app.reporting.wording import Vocabulary

__all__ = [
    "DecisionCard",
    "FamilyTexts",
    "MarkdownReport",
    "Paper",
    "Redactor",
    "ReportRequest",
    "Scripts",
    "Vocabulary",
    "card_lines",
    "decision_card",
    "findings_csv",
    "measurements_csv",
    "measurements_of",
    "redact",
    "redactor_for",
    "render_html",
    "render_markdown",
    "render_pages",
    "render_report",
    "session_json",
    "shown_advice",
    "statements_csv",
    "write_report",
]
