"""The source of every number: attachments with their fingerprints, statements and changes, documents."""

import hashlib
from collections.abc import Sequence
from typing import Final

from app.domain.measurement import TrialStatus
from app.domain.session import SessionRecord
from app.domain.statement import Access, StatementRecord
from app.foundation.texts import _
from app.reporting.blocks import (
    MOST_INLINE_BYTES,
    Attachment,
    Block,
    Cell,
    Column,
    Fields,
    Group,
    Heading,
    Medium,
    Paragraph,
    Section,
    Start,
    Table,
)
from app.reporting.document.restored import open_changes
from app.reporting.document.sources import SourceList
from app.reporting.numbers import duration, moment, number, size_text
from app.reporting.printed import printed
from app.reporting.request import ReportRequest
from app.reporting.tables.trials import MET, NOT_USED, ListedTrial, own_trials_of, trials_table

_READING: Final = "sample"  # in the names of the statements that are sent at every tick
_MOST_UNUSED: Final = 12


def provenance_section(
    request: ReportRequest, attachments: Sequence[Attachment], sources: SourceList, medium: Medium
) -> Section:
    """Return the last section; its last lines stay together, so that the last page never holds a single one."""
    session = request.session
    blocks: list[Block] = [
        *open_changes(session),
        *_trial_blocks(session),
        *statement_blocks(session.statements),
        *sources.blocks(),
        *_attached(attachments, medium),
        _fingerprint(request),
    ]
    return Section(_("Provenance"), tuple(blocks), Start.FOLLOWS)


def _attached(attachments: Sequence[Attachment], medium: Medium) -> list[Block]:
    if not attachments:
        return []
    where = Paragraph(_where_attached(attachments, medium))
    return [Heading(_("Attached files"), minor=True), where, _files(attachments)]


def _trial_blocks(session: SessionRecord) -> list[Block]:
    """Return the trials that do not count, with the reason, and other work on the servers during trials."""
    own = list(own_trials_of(session))
    unused = [trial for trial in own if trial.status is not TrialStatus.USED]
    met = [trial for trial in own if trial.happenings]
    return [
        *_first_of(_("Trials not used"), unused, NOT_USED),
        *_first_of(_("What else ran on the servers"), met, MET),
    ]


def _first_of(title: str, found: Sequence[ListedTrial], columns: Sequence[str]) -> list[Block]:
    """Return some trials under a heading; the first of very many."""
    if not found:
        return []
    caption = ""
    if len(found) > _MOST_UNUSED:
        caption = _("The first {most} of {count}; all are in the attached {name}.").format(
            most=number(_MOST_UNUSED), count=number(len(found)), name="trials.csv"
        )
    return [Heading(title, minor=True), printed(trials_table(found[:_MOST_UNUSED], columns), caption)]


def statement_blocks(statements: Sequence[StatementRecord]) -> list[Block]:
    """Return the load of measuring: how many statements, how long, and the cost for each server."""
    if not statements:
        return []
    text = _(
        "{count} statements were sent, {changes} of them changing something or writing the workload. Together they "
        "took {time}: that is what this program itself asked of the servers. The complete log is attached as "
        "statements.csv."
    ).format(
        count=number(len(statements)),
        changes=number(sum(s.access is Access.CHANGE for s in statements)),
        time=duration(sum(s.duration_ms for s in statements) / 1000),
    )
    return [Heading(_("What this program asked of the servers"), minor=True), Paragraph(text), *_cost(statements)]


def _cost(statements: Sequence[StatementRecord]) -> list[Block]:
    """Return the cost of measuring at each server: how many readings, how long one took."""
    readings: dict[str, list[float]] = {}
    for statement in statements:
        if _READING in statement.name and not statement.error:
            readings.setdefault(statement.server, []).append(statement.duration_ms)
    readings = {server: took_ms for server, took_ms in readings.items() if any(took_ms)}
    if not readings:  # nothing was read, or in a simulation, where it takes no time
        return []
    columns = (
        Column(_("Server"), width=1.4),
        Column(_("Readings"), "right", 0.7),
        Column(_("Mean time of one"), "right", 0.9),
        Column(_("Longest"), "right", 0.8),
    )
    rows = tuple(
        (
            server,
            number(len(took_ms)),
            duration(sum(took_ms) / len(took_ms) / 1000),
            duration(max(took_ms) / 1000),
        )
        for server, took_ms in sorted(readings.items())
    )
    return [Table(columns, rows, small=True)]


def _files(attachments: Sequence[Attachment]) -> Table:
    columns = (
        Column(_("File"), width=1.1),
        Column(_("What it holds"), width=2),
        Column(_("Size"), "right", 0.5),
        Column("SHA-256", width=2.1),
    )
    rows = tuple(
        (
            Cell(a.name, mono=True),
            a.description,
            size_text(len(a.content)),
            Cell(hashlib.sha256(a.content).hexdigest(), mono=True),
        )
        for a in attachments
    )
    return Table(columns, rows, small=True)


def _fingerprint(request: ReportRequest) -> Group:
    session: SessionRecord = request.session
    pairs = [
        (_("Session"), session.session_id),
        (_("Session began"), moment(session.created_utc)),
        (_("Report issued"), moment(request.issued_utc)),
        (_("Program"), f"Replitune {session.app_version}"),
    ]
    heading, told = Heading(_("Fingerprint"), minor=True), Fields(tuple(pairs), columns=2)
    if not request.session_hash:
        return Group((heading, told))
    return Group((heading, told, Fields(((_("SHA-256 of the session's records"), request.session_hash),))))


def _where_attached(attachments: Sequence[Attachment], medium: Medium) -> str:
    if medium is Medium.PDF:
        return _("These files are inside this PDF; open its attachments to save them.")
    if medium is Medium.HTML:
        text = _("These files are inside this page; each name saves its file.")
    else:
        text = _("These files lie in the folder beside this one; each name leads to its file.")
    if any(len(a.content) > MOST_INLINE_BYTES for a in attachments):
        text += " " + _("Files above {size} are left out; the PDF report holds them.").format(
            size=size_text(MOST_INLINE_BYTES)
        )
    return text
