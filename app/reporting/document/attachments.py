"""The files inside a report: everything it no longer prints, for programs and auditors."""

from collections.abc import Iterator

from app.foundation.texts import _
from app.reporting.blocks import Attachment
from app.reporting.document.scripts import Scripts
from app.reporting.export.csv_export import (
    findings_csv,
    measurements_csv,
    measurements_of,
    samples_csv,
    statements_csv,
    table_csv,
)
from app.reporting.export.json_export import environment_json, session_json
from app.reporting.place import Places
from app.reporting.request import ReportRequest
from app.reporting.tables import changes, comparisons, trials
from app.reporting.tables.changes import journal_table
from app.reporting.tables.comparisons import comparisons_table
from app.reporting.tables.trials import own_trials_of, trials_table
from app.reporting.wording import Vocabulary


def build_attachments(request: ReportRequest) -> tuple[Attachment, ...]:
    """Return the files of a request whose names are already as they shall appear; nothing empty among them."""
    if request.observed:
        return request.observed_files
    session, advice, words = request.session, request.advice, Vocabulary(request.families)
    own = list(own_trials_of(session))
    tables = (
        (
            "measurements.csv",
            request.measured_csv() if request.measured_csv else measurements_csv(measurements_of(session)),
            True,
            _("Every measurement used, one row each; “replitune advise” reads it again."),
        ),
        (
            "trials.csv",
            table_csv(trials_table(own, trials.IN_FILES)),
            session.runs,
            _("Every trial, with why one was not used."),
        ),
        ("samples.csv", samples_csv(session.runs), session.runs, _("Every reading of every trial over time.")),
        (
            "comparisons.csv",
            table_csv(comparisons_table(advice.comparisons, words, Places(session, words)).only(*comparisons.IN_FILES)),
            advice.comparisons,
            _("Every comparison with its interval and verdict."),
        ),
        ("findings.csv", findings_csv(advice, words), advice.findings, _("Every finding with values and effect.")),
        (
            "statements.csv",
            statements_csv(session.statements),
            session.statements,
            _("Every statement sent, with its text where it was sent first, then its number only."),
        ),
        (
            "changes.csv",
            table_csv(journal_table(session.changes, changes.IN_FILES)),
            session.changes,
            _("Every change, with its undo script."),
        ),
    )
    files = [Attachment(name, content, "text/csv", what) for name, content, is_there, what in tables if is_there]
    files.append(
        Attachment(
            "session.json",
            session_json(session, advice, words),
            "application/json",
            _("Decisions, findings with their facts, comparisons, tables."),
        )
    )
    if any(environment.facts or environment.kept for environment in session.environments):
        content, what = environment_json(session), _("What was read from the servers, all parameters included.")
        files.append(Attachment("environment.json", content, "application/json", what))
    return (*files, *_scripts(request, words))


def _scripts(request: ReportRequest, words: Vocabulary) -> Iterator[Attachment]:
    scripts = Scripts(request.session, words, request.advice.decisions)
    for script in scripts.written() if scripts.needed() else ():
        yield Attachment(script.name, script.content, "application/sql", script.purpose, "supplement")
