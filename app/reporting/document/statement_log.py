"""Every statement sent to a server: counted, in order where it changed something, and each text once."""

from collections.abc import Sequence
from typing import Final

from app.domain.statement import Access, StatementRecord
from app.foundation.texts import _
from app.reporting.blocks import Block, Cell, Code, Column, Heading, Paragraph, Section, Start, Table, cut_note
from app.reporting.numbers import duration, number, percent

# Longer lists are cut in print and complete in the attached statements.csv.
_MOST_STATEMENTS: Final = 60
_MOST_TEXTS: Final = 60
_LONGEST_TEXT: Final = 3_000
_READING: Final = "sample"  # in the names of the statements that are sent at every tick


def statements_section(statements: Sequence[StatementRecord]) -> Section:
    """Return every statement sent to a server: grouped, the changing ones in order, and the distinct texts."""
    title = _("All statements executed")
    if not statements:
        return Section(title, (Paragraph(_("No statement was sent to a server.")),), Start.BY_SIZE)
    total_s = sum(s.duration_ms for s in statements) / 1000
    intro = _(
        "{count} statements were sent, {changes} of them changing something or writing the workload. Together they "
        "took "
        "{time}: that is what this program itself asked of the servers. The complete log is attached as statements.csv."
    ).format(
        count=number(len(statements)),
        changes=number(sum(s.access is Access.CHANGE for s in statements)),
        time=duration(total_s),
    )
    blocks: list[Block] = [Paragraph(intro), _grouped_table(statements), *_cost(statements)]
    blocks += _chronology(statements)
    blocks += _texts(statements)
    return Section(title, tuple(blocks), Start.BY_SIZE)


def _grouped_table(statements: Sequence[StatementRecord]) -> Table:
    groups: dict[tuple[int, str, str], list[StatementRecord]] = {}
    for statement in statements:
        groups.setdefault((_read_last(statement), statement.name, statement.server), []).append(statement)
    columns = (
        Column(_("Statement"), width=2),
        Column(_("Server"), width=1.4),
        Column(_("Access"), width=0.7),
        Column(_("Times"), "right", 0.6),
        Column(_("Rows"), "right", 0.7),
        Column(_("Total time"), "right", 0.8),
        Column(_("Errors"), "right", 0.6),
    )
    rows = tuple(
        (
            Cell(name, mono=True),
            server,
            _access(group[0].access),
            number(len(group)),
            number(sum(s.rows for s in group)),
            duration(sum(s.duration_ms for s in group) / 1000),
            number(sum(bool(s.error) for s in group)),
        )
        for (_order, name, server), group in sorted(groups.items(), key=lambda item: item[0])
    )
    return Table(columns, rows, small=True)


def _cost(statements: Sequence[StatementRecord]) -> list[Block]:
    """Return what measuring asked of each server: how many readings, how long one took, how often they came."""
    readings: dict[str, list[StatementRecord]] = {}
    for statement in statements:
        if _READING in statement.name and not statement.error:
            readings.setdefault(statement.server, []).append(statement)
    if not readings:
        return []
    columns = (
        Column(_("Server"), width=1.4),
        Column(_("Readings"), "right", 0.7),
        Column(_("Time of one, mean"), "right", 0.9),
        Column(_("Longest"), "right", 0.8),
        Column(_("Total time"), "right", 0.8),
        Column(_("Share of a second, at one a second"), "right", 1.3),
    )
    rows = tuple((server, *_cost_cells([s.duration_ms for s in own])) for server, own in sorted(readings.items()))
    note = _(
        "While something is measured, each server is read once at every tick, in one round trip and at most once a "
        "second."
    )
    return [
        Heading(_("What measuring cost the servers"), minor=True),
        Paragraph(note),
        Table(columns, rows, small=True),
    ]


def _cost_cells(durations_ms: Sequence[float]) -> tuple[str, ...]:
    mean_ms = sum(durations_ms) / len(durations_ms)
    return (
        number(len(durations_ms)),
        duration(mean_ms / 1000),
        duration(max(durations_ms) / 1000),
        duration(sum(durations_ms) / 1000),
        percent(mean_ms / 1000),
    )


def _read_last(statement: StatementRecord) -> int:
    return int(statement.access is Access.READ)


def _access(access: Access) -> str:
    return _("change") if access is Access.CHANGE else _("read")


def _chronology(statements: Sequence[StatementRecord]) -> list[Block]:
    """Return the statements in order: all of them where they are few, else those that change or failed."""
    is_short = len(statements) <= _MOST_STATEMENTS
    listed = statements if is_short else [s for s in statements if s.access is Access.CHANGE or s.error]
    title = _("In order") if is_short else _("Changing and failed statements, in order")
    columns = (
        Column(_("Sent (UTC)"), "right"),
        Column(_("Statement"), width=1.9),
        Column(_("Server"), width=1.1),
        Column(_("Took"), "right"),
        Column(_("Rows"), "right"),
        Column(_("Parameters or error"), width=2.6),
    )
    rows = tuple(
        (
            f"{s.sent_utc:%m-%d %H:%M:%S}",
            Cell(s.name, mono=True),
            s.server,
            duration(s.duration_ms / 1000),
            number(s.rows),
            s.error or _short(s.parameters),
        )
        for s in listed[:_MOST_STATEMENTS]
    )
    blocks: list[Block] = [Heading(title, minor=True), Table(columns, rows, small=True)] if rows else []
    return blocks + cut_note(len(listed), _MOST_STATEMENTS, "statements.csv")


def _short(text: str, longest: int = 48) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _texts(statements: Sequence[StatementRecord]) -> list[Block]:
    """Return each distinct text of the changing statements once; those that only read are in the attached file."""
    texts: dict[str, StatementRecord] = {}
    for statement in sorted(statements, key=lambda s: s.name):
        if statement.access is Access.CHANGE:
            texts.setdefault(statement.text, statement)
    note = _("The texts of statements that only read are in the attached statements.csv.")
    blocks: list[Block] = [Heading(_("Texts of the changing statements"), minor=True), Paragraph(note, quiet=True)]
    for text, statement in list(texts.items())[:_MOST_TEXTS]:
        shown = text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "\n…"
        blocks.append(Code(shown, f"{statement.name} ({_access(statement.access)})"))
    return blocks + cut_note(len(texts), _MOST_TEXTS, "statements.csv")
