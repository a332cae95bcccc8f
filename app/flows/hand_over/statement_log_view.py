"""Every statement sent to a server, as a table, and one of them whole."""

from collections.abc import Sequence
from functools import cache

from app.domain.setting import value_text
from app.domain.statement import Access, StatementRecord
from app.domain.view import Column, Emphasis, LazyRows, Row, TableContent, number_cell, text_cell
from app.flows.shell.start_view import local_time
from app.flows.words import counted
from app.foundation.texts import _, local_number


def access_in_words(access: Access) -> str:
    """Return whether a statement changes something, in a word."""
    return _("changes") if access is Access.CHANGE else _("reads")


def statement_columns() -> tuple[Column, ...]:
    """Return the columns of the table."""
    return (
        Column("sent", _("Sent")),
        Column("server", _("Server")),
        Column("access", _("Access")),
        Column("name", _("Statement"), hint=_("Its name in the catalogue, also in its comment")),
        Column("duration", _("Took"), "ms", is_number=True),
        Column("rows", _("Rows"), is_number=True),
        Column("parameters", _("Parameters"), hint=_("Secrets are left out")),
        Column("error", _("Error")),
    )


def statements_table(statements: Sequence[StatementRecord]) -> TableContent:
    """Return the statements in the order they were sent; the key of a row is its place among them."""
    shared = cache(lambda text: text_cell(text, hint=text))

    def make(place: int) -> Row:
        s = statements[place]
        emphasis = Emphasis.STRONG if s.access is Access.CHANGE else Emphasis.PLAIN
        return Row(
            str(place),
            (
                text_cell(f"{local_time(s.sent_utc)}:{s.sent_utc:%S}.{s.sent_utc.microsecond // 1000:03}"),
                shared(s.server),
                text_cell(access_in_words(s.access), emphasis=emphasis),
                shared(s.name),
                number_cell(s.duration_ms, 1),
                number_cell(s.rows),
                shared(_parameters(s)),
                shared(s.error),
            ),
        )

    return TableContent(statement_columns(), LazyRows([str(place) for place in range(len(statements))], make))


def statements_line(statements: Sequence[StatementRecord]) -> str:
    """Return how many statements were sent, and how many of them changed something."""
    changing = sum(s.access is Access.CHANGE for s in statements)
    failed = sum(bool(s.error) for s in statements)
    sent = counted(len(statements), _("1 statement was sent"), _("{count} statements were sent"))
    line = _("{sent}, {changing} of them changing something or writing the workload.").format(
        sent=sent, changing=value_text(changing)
    )
    return f"{line} {_('{count} failed.').format(count=local_number(f'{failed:,}'))}" if failed else line


def statement_text(statement: StatementRecord) -> str:
    """Return one statement whole: text, parameters, and the server's answer."""
    parts = [statement.text.strip()]
    if given := _parameters(statement):
        parts.append(f"-- {_('Parameters:')} {given}")
    if statement.error:
        parts.append(f"-- {_('Error:')} {statement.error}")
    return "\n\n".join(parts)


def _parameters(statement: StatementRecord) -> str:
    """Return the parameters, "" where the statement has none."""
    return "" if statement.parameters == "{}" else statement.parameters


def written_line(path: str, count: int) -> str:
    """Return the path and kind of the files written."""
    return counted(count, _("1 statement"), _("{count} statements")) + _(" written to {path}.").format(path=path)
