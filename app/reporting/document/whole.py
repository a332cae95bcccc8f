"""The report's content, section by section, as data for the template."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.finding import Finding
from app.foundation.texts import _
from app.reporting.blocks import (
    Attachment,
    Block,
    Code,
    Cover,
    Document,
    FigureBlock,
    Heading,
    Medium,
    Paragraph,
    Section,
    Start,
    Table,
)
from app.reporting.document.appendix import raw_data_section, scripts_section, trials_section
from app.reporting.document.change_log import changes_section
from app.reporting.document.environment import environment_section
from app.reporting.document.finding_page import FindingPages
from app.reporting.document.in_effect import InEffect
from app.reporting.document.method import method_section
from app.reporting.document.place import Places
from app.reporting.document.results import (
    comparisons_section,
    forecast_section,
    not_evaluated_section,
    not_shown_section,
)
from app.reporting.document.scripts import Scripts
from app.reporting.document.sources import SourceList
from app.reporting.document.statement_log import statements_section
from app.reporting.document.summary import is_lab, summary_section
from app.reporting.export.csv_export import changes_csv, measurements_csv, measurements_of, statements_csv, trials_csv
from app.reporting.export.json_export import session_json
from app.reporting.numbers import moment
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary, is_change

_SHORT_LINES: Final = 26
_FIGURE_LINES: Final = 20


def build_document(request: ReportRequest, attachments: Sequence[Attachment], medium: Medium = Medium.PDF) -> Document:
    """Return the report of a request whose names are already as they shall appear."""
    session, advice = request.session, request.advice
    words = Vocabulary(request.families)
    findings = sorted(advice.findings, key=lambda f: f.priority)
    sources = SourceList(findings)
    places = Places(session, words)
    sections: tuple[Section, ...] = (
        summary_section(session, advice, words, places, InEffect(session, words.writers)),
        environment_section(session, words),
        method_section(session, words),
        _findings_section(findings, request, words, sources),
        not_shown_section(advice, words, places),
        not_evaluated_section(advice.not_evaluated, words),
        forecast_section(advice.forecasts, words),
        comparisons_section(advice, words, places),
        sources.section(),
        trials_section(session, words),
        scripts_section(_shown_scripts(request, words), request.is_redacted),
        changes_section(session),
        statements_section(session.statements),
        raw_data_section(session, attachments, request.session_hash, request.issued_utc, medium),
    )
    sections = tuple(_flowing(section) for section in sections)
    title = session.title or _("Replication settings, measured")
    return Document(
        title=title,
        author=session.consultant,
        header=" · ".join(part for part in (title, session.client) if part),
        footer=session.session_id,
        contents_title=_("Contents"),
        page_word=_("Page"),
        cover=_cover(title, request),
        sections=sections,
    )


def _flowing(section: Section) -> Section:
    """Decide where a section begins: a short one follows the one before it instead of filling a page with white."""
    if section.start is not Start.BY_SIZE:
        return section
    is_short = sum(_lines(block) for block in section.blocks) <= _SHORT_LINES
    return replace(section, start=Start.FOLLOWS if is_short else Start.NEW_PAGE)


def _lines(block: Block) -> int:
    """Return roughly how many lines a block takes."""
    if isinstance(block, Table):
        return len(block.rows) + 2
    if isinstance(block, Code):
        return block.text.count("\n") + 2
    return _FIGURE_LINES if isinstance(block, FigureBlock) else 2


def _cover(title: str, request: ReportRequest) -> Cover:
    session = request.session
    targets = ", ".join(dict.fromkeys(environment.target for environment in session.environments))
    pairs = (
        (_("Client"), session.client),
        (_("Consultant"), session.consultant),
        (_("Date"), f"{request.issued_utc:%Y-%m-%d}"),
        (_("Measured on"), targets),
        (_("Measurements from"), session.imported_from),
        (_("Session"), session.session_id),
        (_("Session began"), moment(session.created_utc)),
        (_("SHA-256 of the session's records"), request.session_hash),
    )
    notices = []
    if any(is_lab(environment.target) for environment in session.environments):
        notices.append(_("Measured on simulated servers (the lab), not on a real installation."))
    if request.is_redacted:
        notices.append(_("The client's names, of servers, databases, logins and all else, are replaced in this copy."))
    return Cover(
        title=title,
        subtitle=_("Findings from measurements, with the evidence for each"),
        pairs=tuple((name, value) for name, value in pairs if value),
        notice=" ".join(notices),
    )


def _findings_section(
    findings: Sequence[Finding], request: ReportRequest, words: Vocabulary, sources: SourceList
) -> Section:
    blocks: list[Block] = []
    pages = FindingPages(request.session, request.advice, words, sources)
    for finding in findings:
        page = pages.blocks(finding)
        # The first finding stands under the section's own heading.
        blocks += page if blocks else _without_break(page)
    if not blocks:
        blocks.append(Paragraph(_("No rule led to a finding from these measurements.")))
    return Section(_("Findings"), tuple(blocks), Start.NEW_PAGE)


def _without_break(page: list[Block]) -> list[Block]:
    first = page[0]
    return [replace(first, new_page=False), *page[1:]] if isinstance(first, Heading) else page


def _shown_scripts(request: ReportRequest, words: Vocabulary) -> list[tuple[str, str]]:
    """Return names and texts of the scripts that change something.

    The files of every hand-over are left out where others carry all recommendations out.
    """
    scripts, findings = Scripts(request.session, words), request.advice.findings
    common, *others = scripts.files(findings)
    is_elsewhere = bool(others) and all(scripts.files_of(f) in others for f in findings if is_change(f))
    return [
        (name, text)
        for files in (others if is_elsewhere else [common, *others])
        for name, text in (
            (files.apply, scripts.apply(findings, files)),
            (files.rollback, scripts.rollback(findings, files)),
        )
    ]


def _script_attachments(request: ReportRequest) -> list[Attachment]:
    scripts, findings = Scripts(request.session, Vocabulary(request.families)), request.advice.findings
    made = (
        text
        for files in scripts.files(findings)
        for text in (
            (files.apply, scripts.apply(findings, files), files.purpose),
            (files.rollback, scripts.rollback(findings, files), files.rollback_purpose),
        )
    )
    return [
        Attachment(name, text.encode("utf-8", "replace"), "application/sql", what, "supplement")
        for name, text, what in made
    ]


def build_attachments(request: ReportRequest) -> tuple[Attachment, ...]:
    """Return the files inside the PDF, names already as they shall appear."""
    session, advice = request.session, request.advice
    csv_type = "text/csv"
    files = [
        Attachment(
            "measurements.csv",
            measurements_csv(measurements_of(session)),
            csv_type,
            _("Every measurement used, one row each; “replitune advise” reads it again."),
        ),
        Attachment("session.json", session_json(session, advice), "application/json", _("Comparisons and findings.")),
        *_script_attachments(request),
    ]
    if session.runs:
        files.append(
            Attachment("trials.csv", trials_csv(session.runs), csv_type, _("Every trial, with why one was not used."))
        )
    if session.statements:
        files.append(
            Attachment(
                "statements.csv",
                statements_csv(session.statements),
                csv_type,
                _("Every statement sent; a text stands where it was sent first, then its number."),
            )
        )
    if session.changes:
        files.append(
            Attachment("changes.csv", changes_csv(session.changes), csv_type, _("Every change, with its undo script."))
        )
    return tuple(files)
