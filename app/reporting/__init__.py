"""The hand-over: PDF, scripts, CSV, JSON; no Qt."""

from app.reporting.csv_export import changes_csv, measurements_csv, measurements_of, statements_csv, trials_csv
from app.reporting.json_export import session_json
from app.reporting.pdf import render_pages, render_report, write_report
from app.reporting.redaction import redact
from app.reporting.request import FamilyTexts, ReportRequest
from app.reporting.scripts import apply_script, rollback_script

__all__ = [
    "FamilyTexts",
    "ReportRequest",
    "apply_script",
    "changes_csv",
    "measurements_csv",
    "measurements_of",
    "redact",
    "render_pages",
    "render_report",
    "rollback_script",
    "session_json",
    "statements_csv",
    "trials_csv",
    "write_report",
]
