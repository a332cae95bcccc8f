"""The report's content, section by section, as data for the template."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.finding import Finding
from app.domain.session import Advice, SessionRecord
from app.foundation.texts import _
from app.reporting.document.appendix import raw_data_section, scripts_section, trials_section
from app.reporting.document.change_log import changes_section
from app.reporting.document.environment import environment_section
from app.reporting.document.finding_page import FindingPages
from app.reporting.document.method import method_section
from app.reporting.document.numbers import moment
from app.reporting.document.place import Places
from app.reporting.document.results import (
    comparisons_section,
    forecast_section,
    not_evaluated_section,
    not_shown_section,
)
from app.reporting.document.sources import SourceList
from app.reporting.document.statement_log import statements_section
from app.reporting.document.summary import is_lab, summary_section
from app.reporting.document.wording import Vocabulary, is_change
from app.reporting.render.blocks import (
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
from app.reporting.render.csv_export import changes_csv, measurements_csv, measurements_of, statements_csv, trials_csv
from app.reporting.render.json_export import session_json
from app.reporting.request import ReportRequest
from app.reporting.scripts import apply_script, rollback_script
from app.systems.oracle_streams.hand_over.changes import is_streams_change
from app.systems.oracle_streams.hand_over.scripts import oracle_apply_script, oracle_rollback_script

_SHORT_LINES: Final = 26
_FIGURE_LINES: Final = 20


def build_document(request: ReportRequest, attachments: Sequence[Attachment], medium: Medium = Medium.PDF) -> Document:
    """Return the report of a request whose names are already as they shall appear."""
    session, advice = request.session, request.advice
    words = Vocabulary(request.families)
    findings = sorted(advice.findings, key=lambda f: f.priority)
    sources = SourceList(findings)
    places = Places(session)
    sections: tuple[Section, ...] = (
        summary_section(session, advice, words, places),
        environment_section(session),
        method_section(session, words),
        _findings_section(findings, session, advice, words, sources),
        not_shown_section(advice, words, places),
        not_evaluated_section(advice.not_evaluated, words),
        forecast_section(advice.forecasts, words),
        comparisons_section(advice, words, places),
        sources.section(),
        trials_section(session, words),
        scripts_section(_shown_scripts(session, advice), request.is_redacted),
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
        notices.append(_("Names of servers, databases, publications, agents and logins are replaced in this copy."))
    return Cover(
        title=title,
        subtitle=_("Findings from measurements, with the evidence for each"),
        pairs=tuple((name, value) for name, value in pairs if value),
        notice=" ".join(notices),
    )


def _findings_section(
    findings: Sequence[Finding], session: SessionRecord, advice: Advice, words: Vocabulary, sources: SourceList
) -> Section:
    blocks: list[Block] = []
    pages = FindingPages(session, advice, words, sources)
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


def _shown_scripts(session: SessionRecord, advice: Advice) -> list[tuple[str, str]]:
    """Return names and texts of the scripts that change something; those of a kind nothing is set of are left out."""
    of_oracle = [
        ("apply_oracle.sql", oracle_apply_script(advice.findings, session)),
        ("rollback_oracle.sql", oracle_rollback_script(advice.findings, session)),
    ]
    others = [
        ("apply.sql", apply_script(advice.findings, session)),
        ("rollback.sql", rollback_script(advice.findings, session)),
    ]
    if not any(text for _name, text in of_oracle):
        return others
    is_oracle_alone = not any(is_change(f) and not is_streams_change(f) for f in advice.findings)
    return of_oracle if is_oracle_alone else [*others, *of_oracle]


def _oracle_scripts(session: SessionRecord, advice: Advice, media_type: str) -> list[Attachment]:
    """Return the scripts for Oracle databases, none where no parameter of theirs is recommended."""
    made = (
        ("apply_oracle.sql", oracle_apply_script(advice.findings, session), _("Sets the recommended Oracle values.")),
        ("rollback_oracle.sql", oracle_rollback_script(advice.findings, session), _("Takes apply_oracle.sql back.")),
    )
    return [
        Attachment(name, t.encode("utf-8", "replace"), media_type, what, "supplement") for name, t, what in made if t
    ]


def build_attachments(request: ReportRequest) -> tuple[Attachment, ...]:
    """Return the files inside the PDF, names already as they shall appear."""
    session, advice = request.session, request.advice
    csv_type, sql_type = "text/csv", "application/sql"
    files = [
        Attachment(
            "measurements.csv",
            measurements_csv(measurements_of(session)),
            csv_type,
            _("Every measurement used, one row each; “replitune advise” reads it again."),
        ),
        Attachment("session.json", session_json(session, advice), "application/json", _("Comparisons and findings.")),
        Attachment(
            "apply.sql",
            apply_script(advice.findings, session).encode("utf-8", "replace"),
            sql_type,
            _("Sets the recommended values."),
            "supplement",
        ),
        Attachment(
            "rollback.sql",
            rollback_script(advice.findings, session).encode("utf-8", "replace"),
            sql_type,
            _("Takes apply.sql back."),
            "supplement",
        ),
        *_oracle_scripts(session, advice, sql_type),
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
