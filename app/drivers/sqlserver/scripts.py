"""Stand-alone T-SQL for a DBA without this tool, made from the same catalogued statements; each may be run twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.hand_over import ScriptFiles, ScriptPart, common_files
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import Column, catalogue
from app.foundation.script_text import comment
from app.foundation.terminal_text import for_terminal, utf16_units, without_acting
from app.foundation.texts import _

_DECLARED_TYPES: Final = {"nvarchar": "nvarchar(4000)"}
_IS_MEANT: Final = "N'$(Apply)' = N'yes'"
_ENDED: Final = "#replitune_ended"

# A query window keeps what the batch behind it has set where SQLCMD mode was off, also once that is on:
# https://learn.microsoft.com/en-us/sql/t-sql/statements/set-noexec-transact-sql.
_EXECUTES: Final = "SET NOEXEC OFF;\n"

COMMAND: Final = "sqlcmd -S {server} -E -b -f 65001 -i {file} -o {file}.log"
"""How a script of batches is run; 65001 is UTF-8."""

SWITCH: Final = ":setvar Apply no"
"""The line of a script that is edited to apply it. It wins over `-v` and the environment."""


@dataclass(frozen=True)
class Sql:
    """A piece of T-SQL where a value would stand."""

    text: str


def literal(value: Value | Sql) -> str:
    """Return a value as a T-SQL expression, text with its quotes doubled and on one line.

    A sqlcmd variable's `$(` stays text, and so does a line that reads GO: both are read before strings are. What would
    act on a terminal, or show the script as another than is executed, is written as its code.
    """
    if isinstance(value, Sql):
        return value.text
    if not isinstance(value, str):
        return str(value)
    quoted = value.replace("'", "''").replace("$(", "$' + N'(")
    quoted = without_acting(quoted, _as_code)
    for end in "\r\n":
        quoted = quoted.replace(end, _as_code(end))
    return f"N'{quoted}'"


def _as_code(character: str) -> str:
    """Return the code for a character within a literal."""
    return "' + " + "".join(f"NCHAR({int(unit, 16)}) + " for unit in utf16_units(character)) + "N'"


def message_literal(message: str) -> str:
    """Return a message as one literal: THROW takes a literal or a variable and no expression.

    https://learn.microsoft.com/en-us/sql/t-sql/language-elements/throw-transact-sql. What `literal` keeps by an
    expression, a line end and `$(`, becomes a blank and `$ (`.
    """
    return literal(for_terminal(" ".join(message.split())).replace("$(", "$ ("))


def identifier(name: str) -> str:
    """Return a name in brackets, on one line."""
    return "[" + " ".join(name.splitlines()).replace("]", "]]") + "]"


def statement_script(
    title: str, server: str, database: str, name: str, values: Mapping[str, Value | Sql], *, guard: str = ""
) -> str:
    """Return a catalogued statement as a script: where to run it, its parameters declared, its text, GO.

    Args:
        guard: beginning of a batch that ends it where it is not meant for; "" keeps it to the server.
    """
    return batch_script(title, server, database, with_values(name, values), guard)


def with_values(name: str, values: Mapping[str, Value | Sql]) -> str:
    """Return a catalogued statement with its parameters declared ahead of it, as a script holds it."""
    statement = catalogue()[name]
    declared = "\n".join(
        f"DECLARE {parameter.name} {_DECLARED_TYPES.get(parameter.sql_type, parameter.sql_type)} = "
        f"{_given(parameter, values)};"
        for parameter in statement.parameters
    )
    return f"{declared}\n{statement.body}"


def _given(parameter: Column, values: Mapping[str, Value | Sql]) -> str:
    """Return a parameter's value; one that may be left out and is stands as NULL."""
    name = parameter.name.removeprefix("@")
    return "NULL" if parameter.nullable and name not in values else literal(values[name])


def rows_of(name: str, values: Mapping[str, Value | Sql], table: str, ahead: str = "") -> str:
    """Return statements that put the rows of a catalogued reading statement into a new table variable.

    Args:
        ahead: further columns ahead of theirs, which fill themselves.
    """
    statement = catalogue()[name]
    types = {p.name: _DECLARED_TYPES.get(p.sql_type, p.sql_type) for p in (*statement.parameters, *statement.columns)}
    # without the word a column of type sysname takes no NULL
    columns = ", ".join(f"{c.name} {types[c.name]}{' NULL' if c.nullable else ''}" for c in statement.columns)
    declared = ", ".join(f"{parameter.name} {types[parameter.name]}" for parameter in statement.parameters)
    given = ", ".join(f"{p.name} = {literal(values[p.name.removeprefix('@')])}" for p in statement.parameters)
    asked = f",\n    @params = N'{declared}', {given}" if declared else ""
    quoted = statement.body.strip().replace("'", "''")
    return f"""DECLARE {table} table ({ahead}{columns});
INSERT INTO {table} ({", ".join(statement.column_names)})
EXEC sys.sp_executesql @stmt = N'{quoted}'{asked};
"""


def is_server(server: str) -> str:
    """Return the condition that a batch runs at a server.

    A server has two names where its machine was renamed: the program reads the first, a person may see the second.
    """
    return f"""EXISTS (SELECT 1
    FROM sys.servers AS servers
    WHERE servers.server_id = 0
      AND {literal(server)} COLLATE Latin1_General_CI_AS
          IN (servers.name, CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128))))"""


def only_at_server(server: str) -> str:
    """Return the beginning of a batch that ends it at any other server, with a word on why."""
    message = _("Skipped: this part is for server {server}; nothing was changed by it.").format(server=server)
    return f"""IF NOT {is_server(server)}
BEGIN
    PRINT {literal(message)};
    RETURN;
END;
"""


def batch_script(title: str, server: str, database: str, body: str, guard: str = "") -> str:
    """Return T-SQL as a batch that says where it is for, and ends at any other place; `guard` as `statement_script`."""
    lines = [
        _one_line(title),
        _one_line(_("Run at: {server}").format(server=server)),
        f"USE {identifier(database)};",
        "GO",
    ]
    # Where USE fails, at a server without that database, the batch still runs: the guard stands in the batch itself.
    return "\n".join(lines) + f"\n{guard or only_at_server(server)}{body.strip()}\nGO\n"


def _one_line(text: str) -> str:
    """Return a text as one comment line; sqlcmd takes `$(` for a variable in comments, too."""
    return "-- " + for_terminal(" ".join(text.split())).replace("$(", "$ (")


def batch_files() -> ScriptFiles:
    """Return the files every hand-over has, as scripts of batches."""
    return replace(common_files(), command=COMMAND, switch=SWITCH)


def how_to_run(file: str, server: str) -> str:
    """Return how a script of batches is checked and applied, for its header."""
    command = COMMAND.format(server=server or "<server>", file=file)
    return _(
        "Run it with {command}, or in Management Studio: Query, SQLCMD Mode, then F5. As it is it checks only and "
        'changes nothing; to apply it, write yes instead of no in the line "{line}". The first error stops it, and the '
        "exit code is 0 only where every batch came to its end."
    ).format(command=command, line=SWITCH)


def whole_script(count: int, targets: Sequence[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the parts of a script ahead of its batches, and behind them.

    The first error ends it in sqlcmd; where nobody reads sqlcmd's commands, no batch is executed:
    https://learn.microsoft.com/en-us/sql/tools/sqlcmd/sqlcmd-use-scripting-variables. A `:setvar` of a script wins over
    `-v` and the environment, so only who edits a line changes something. Login and role: sysadmin, as its batches need.

    Args:
        count: how many batches it has; each says that it came to its end (`came_to_its_end`).
        targets: one of which must be chosen, () where there is no choice.
    """
    chosen, ahead = "", ""
    if targets:
        names = ", ".join(map(literal, targets))
        note = _("Write the target this connection leads to instead of ? in the line below: {names}.")
        unknown = _("no target of this script is chosen, nothing was changed: write one in the line :setvar Target")
        ahead = f'{comment(note.format(names=", ".join(targets)))}\n:setvar Target "?"\n'
        chosen = f"IF N'$(Target)' NOT IN ({names})\n    {stop(unknown)}\n"
    done = _("Done. What each batch did is shown above.")
    checked = _("Checked only: nothing was changed. What was found is shown above.")
    behind = (
        f"{count_of_ended(count)}IF {_IS_MEANT}\n    PRINT {literal(done)};\nELSE\n    PRINT {literal(checked)};\nGO"
    )
    return (f"{setting_up(ahead)}{chosen}GO\n{_only_sysadmin()}GO\n{make_room_for_ended()}GO",), (behind,)


def look_part(file: str, server: str, guard: str, batches: Sequence[str], expected: Sequence[str]) -> ScriptPart:
    """Return a script that only reads, in any tool, and tells at its end what was measured.

    Args:
        guard: beginning of a batch that ends it with an error at any other server.
        batches: each with its guard, up to its GO.
        expected: the sentences it tells.
    """
    read = _("Done: this script only read.")
    told = "".join(f"PRINT {literal(text)};\n" for text in (*expected, read))
    how = _("It only reads. Run it with {command}, or in Management Studio; each time it may be run again.")
    return ScriptPart(
        blocks=tuple(batches),
        where=(how.format(command=COMMAND.format(server=server, file=file)),),
        ending=(f"{guard}{told}GO",),
    )


def setting_up(ahead: str = "") -> str:
    """Return the beginning of a script for SQLCMD mode: it checks unless its switch is edited, and stops at errors.

    Args:
        ahead: lines with further variables.
    """
    refusal = _("SQLCMD mode is off: nothing was changed. Turn it on (Query, SQLCMD Mode) and run the script again.")
    neither = _("Apply is neither no nor yes: nothing was changed")
    return (
        f":on error exit\n{SWITCH}\n{ahead}"
        ":setvar SqlcmdMode on\n"
        "GO\n"
        f"{_EXECUTES}GO\n"
        "IF N'$(SqlcmdMode)' <> N'on'\n"
        "BEGIN\n"
        f"    RAISERROR({literal(refusal)}, 16, 127);\n"
        "    SET NOEXEC ON;\n"
        "END;\n"
        "GO\n"
        f"IF N'$(Apply)' NOT IN (N'no', N'yes')\n    {stop(neither)}\n"
    )


def make_room_for_ended() -> str:
    """Return statements that make room for which batches came to their end (`came_to_its_end`)."""
    return (
        f"IF OBJECT_ID(N'tempdb..{_ENDED}') IS NOT NULL\n    DROP TABLE {_ENDED};\nCREATE TABLE {_ENDED} (batch int);\n"
    )


def count_of_ended(count: int, none: str = "") -> str:
    """Return the statement that stops where not every batch came to its end.

    Args:
        none: the sentence where all of them were skipped (below 0), "" where none can be.
    """
    missing = _("not every batch came to its end: see above")
    return f"IF (SELECT COUNT(DISTINCT ABS(ended.batch)) FROM {_ENDED} AS ended) <> {count}\n    {stop(missing)}\n" + (
        f"IF NOT EXISTS (SELECT 1 FROM {_ENDED} AS ended WHERE ended.batch > 0)\n    {stop(none)}\n" if none else ""
    )


def came_to_its_end(batch: int) -> str:
    """Return the statement by which a batch says that all it was to do is done; below 0 where it was not for here."""
    return f"INSERT INTO {_ENDED} (batch) VALUES ({batch});\n"


def ends_with(message: str, batch: int) -> str:
    """Return statements that end a batch which has nothing more to do, with a word on why."""
    return f"BEGIN\n    PRINT {literal(message)};\n    {came_to_its_end(batch)}    RETURN;\nEND;\n"


def only_for_target(batch: int, target: str) -> str:
    """Return the beginning of a batch that leaves it unless its target was chosen."""
    message = _("Batch {batch} skipped: it is for target {target}.").format(batch=batch, target=target)
    return f"IF N'$(Target)' <> {literal(target)}\n{ends_with(message, batch)}"


def unless_check_only(message: str, batch: int) -> str:
    """Return the end of a batch's checks: unless the script is to apply, it says so and does no more.

    Args:
        message: what was checked, on one line.
    """
    return f"IF NOT ({_IS_MEANT})\n{ends_with(message, batch)}"


def stop(message: str) -> str:
    """Return the statement that ends a script with an error.

    State 127 ends sqlcmd also where it was started without -b:
    https://learn.microsoft.com/en-us/sql/tools/sqlcmd/sqlcmd-utility.
    """
    return f"THROW 50000, {message_literal(message)}, 127;"


def _only_sysadmin() -> str:
    """Return a batch that stops where the login lacks the right, and prints its GRANT."""
    message = _("this login is not sysadmin: nothing was changed. An administrator can run the line above")
    return f"""IF ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) <> 1
BEGIN
    PRINT CONCAT(N'ALTER SERVER ROLE sysadmin ADD MEMBER ', QUOTENAME(SUSER_SNAME()), N';');
    {stop(message)}
END;
"""
