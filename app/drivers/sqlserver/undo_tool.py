"""`rollback.sql` for sqlcmd: the batches of all undo scripts, run whole at every server they name.

No batch names a database ahead of the check of its server: USE is carried out when a batch is compiled, so at a server
without that database error 911 would end the script. What a batch does is a text that the named database executes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.undo_tool import UndoPart
from app.drivers.sqlserver.scripts import (
    SWITCH,
    came_to_its_end,
    count_of_ended,
    identifier,
    literal,
    make_room_for_ended,
    setting_up,
    stop,
    unless_check_only,
)
from app.foundation.texts import _

_GO: Final = re.compile(r"(?im)^GO(?:[ \t]+(?P<times>\d+))?[ \t]*$\n?")
_USE: Final = re.compile(r"USE \[(?P<database>(?:[^\]]|\]\])*)\];?")
_COMMENTS: Final = re.compile(r"(?:--[^\n]*\n|\n)*")
_GUARD: Final = re.compile(
    r"IF NOT EXISTS \(SELECT 1\n(?>.*?\nBEGIN\n)    PRINT N'[^\n]*';\n(?P<leave>    RETURN;\nEND;\n)",
    re.DOTALL,
)
_EXPECTED: Final = re.compile(r"(?m)^DECLARE @expected (?P<type>[\w()]+) = (?P<value>.*);\n")
_PUT_BACK: Final = re.compile(r"(?m)^DECLARE @(?P<name>\w+) [\w()]+ = (?P<value>.*);\nDECLARE @expected ")
"""What a statement that compares puts back stands ahead of what it expects; a name there is of what it drops."""

_OF_OUR_OWN: Final = "LIKE N'Replitune %'"


@dataclass(frozen=True)
class _Batch:
    comments: str
    database: str
    text: str
    times: str


class SqlcmdUndo:
    """The undo tool of SQL Server; takes every script that no other engine's tool takes."""

    language = "T-SQL"
    first_line = ""

    @property
    def how_to_run(self) -> tuple[str, ...]:
        """How it is run: as the other scripts are."""
        return (
            _(
                "Run all of it with sqlcmd -S <server> -E -b -f 65001 -i rollback.sql, or in Management Studio: Query, "
                'SQLCMD Mode, then F5, once at each server that a line "Run at" names, and first where the title of a '
                "batch says so: newest change first. As it is it checks only and changes nothing; to undo, write yes "
                'instead of no in the line "{line}".'
            ).format(line=SWITCH),
            _(
                "At another server than its own a batch does nothing and says so; one whose title names a role goes "
                "with that role after a failover. A value that is neither the one set nor the former one, and any "
                "other error, stops it, and what stands behind is not undone: settle it and run it again. The exit "
                "code is 0 only where every batch for the server came to its end. Running it twice does no harm."
            ),
        )

    def takes(self, undo_sql: str) -> bool:
        """Accept any script: it is no other engine's."""
        del undo_sql
        return True

    def script(self, parts: Sequence[UndoPart]) -> str:
        """Return the batches, each behind the check of its server, and a summary."""
        texts, count = [], 0
        for part in parts:
            texts.append("\n".join(part.comments))
            for batch in _batches(part.undo_sql):
                count += 1
                texts.append(_batch(batch, count, part.subject))
        none = _("this server is none of those that the script names: nothing was undone")
        done = _("Done: what is for this server is undone, as shown above. Run it at the other servers it names, too.")
        checked = _("Checked only: nothing was changed. What would be undone at this server is shown above.")
        return "\n".join(
            (
                f"{setting_up()}{make_room_for_ended()}GO\n",
                *texts,
                f"{count_of_ended(count, none)}IF N'$(Apply)' = N'yes'\n    PRINT {literal(done)};\n"
                f"ELSE\n    PRINT {literal(checked)};\nGO\n",
            )
        )


def _batches(undo_sql: str) -> Iterator[_Batch]:
    """Yield the batches of a script with the database that a USE ahead of them names, "" for none."""
    database, comments, at = "", "", 0
    for go in [*_GO.finditer(undo_sql), None]:
        text, times = undo_sql[at : go.start() if go else None], (go["times"] or "") if go else ""
        at = go.end() if go else at
        ahead = _COMMENTS.match(text)
        told, text = (ahead.group(), text[ahead.end() :]) if ahead else ("", text)
        comments += told
        use = _USE.fullmatch(text.strip())
        if use is not None:
            database = use["database"].replace("]]", "]")
        elif text.strip():
            yield _Batch(comments.strip(), database, f"{text.rstrip()}\n", times)
            comments = ""


def _batch(batch: _Batch, number: int, subject: str) -> str:
    text, guards = batch.text, ""
    while guard := _GUARD.match(text):
        skipped = f"    {came_to_its_end(-number)}{guard['leave']}"
        guards += guard.group().removesuffix(guard["leave"]) + skipped
        text = text[guard.end() :]
    checked = _("Checked only: this is a server that this part is for; nothing was changed by it.")
    lines = [
        batch.comments,
        f"{guards}{unless_check_only(checked, number)}{_executed(text, batch.database, subject)}"
        f"{came_to_its_end(number)}GO {batch.times}".rstrip()
        + "\n",
    ]
    return "\n".join(filter(None, lines))


def _executed(text: str, database: str, subject: str) -> str:
    """Return statements that execute a batch's text in its database, and compare first where the text does.

    The text sets a value where the one that was set stands there, and once more where the former one does, which
    changes nothing; where neither does, it is another's. `@is_expected` stays NULL where what held the
    value is gone.
    """
    expected = _EXPECTED.search(text)
    at = f"{identifier(database)}.sys.sp_executesql" if database else "sys.sp_executesql"
    called = f"DECLARE @at nvarchar(300) = {literal(at)};\n"
    if expected is None or expected["value"] == "NULL":
        return f"{called}DECLARE @undo nvarchar(max) = {_quoted(text)};\nEXEC @at @undo;\n"
    former = _PUT_BACK.search(text)
    back = literal("") if former is None or former["name"].endswith("_name") else former["value"]
    other = _("{subject} is neither as it was set nor as it was before, or is gone: what stands behind is not undone")
    nothing = _("{subject} is gone from this server: nothing of it is left to undo")
    body = f"{_EXPECTED.sub('', text)}SET @met = @is_expected;\n"
    declared = f"N'@expected {expected['type']}, @met int OUTPUT'"
    again = "IF @met = 0\n    EXEC @at @undo, " + declared + ", @expected = {value}, @met = @met OUTPUT;\n"
    # What is put back into an object of the program's own is undone where that is gone.
    gone = again.format(value=literal("")) if _OF_OUR_OWN in text else ""
    return (
        f"{called}DECLARE @undo nvarchar(max) = {_quoted(body)};\n"
        f"DECLARE @met int, @was_set {expected['type']} = {_something(expected['value'])};\n"
        f"DECLARE @former {expected['type']} = {_something(back)};\n"
        f"EXEC @at @undo, {declared}, @expected = @was_set, @met = @met OUTPUT;\n"
        f"{again.format(value='@former')}{gone}"
        f"IF @met IS NULL\n    PRINT {literal(nothing.format(subject=subject))};\n"
        f"IF @met = 0\n    {stop(other.format(subject=subject))}\n"
    )


def _something(value: str) -> str:
    """Return a value to compare with that is not NULL, which would leave the comparison out.

    What is looked up by a name may be gone, such as what a run had made and somebody dropped; no id is below 0.
    """
    return f"ISNULL({value}, -1)" if value.startswith("(") else value


def _quoted(text: str) -> str:
    """Return a text as a literal that keeps its lines; a name in brackets may look like a variable of sqlcmd."""
    doubled = text.replace("'", "''")
    if "$(" not in doubled:
        return f"N'{doubled}'"
    return "CAST(N'' AS nvarchar(max)) + N'" + doubled.replace("$(", "$' + N'(") + "'"


UNDO_TOOL: Final = SqlcmdUndo()
