"""Stand-alone scripts for a DBA without this tool, made from the same catalogued blocks; for SQL*Plus and its kin."""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.drivers.oracle.catalogue import Form, catalogue
from app.drivers.oracle.cells import BindValue
from app.foundation.texts import _

SWITCH: Final = "EXECUTE :apply := 'no'"
"""The line of a script that is edited to apply it: a bind of the tool, which no DEFINE reaches."""

AT_ERRORS: Final = "WHENEVER SQLERROR EXIT FAILURE ROLLBACK\nWHENEVER OSERROR EXIT FAILURE ROLLBACK"
"""Not the error's own number: a system keeps the low byte of it, which may be 0."""

_PART: Final = re.compile(r"'(?:[^']|'')*'|--[^\n]*|:(?P<bind>[a-z_][a-z0-9_]*)")


@dataclass(frozen=True)
class Expression:
    """A piece of PL/SQL where a value would stand."""

    text: str


@dataclass(frozen=True)
class Asked:
    """A value that SQL*Plus asks for: one cell of a catalogued query at another database.

    Attributes:
        name: what SQL*Plus calls it.
        query: name of the query, which has no binds. at: where it is run.
    """

    name: str
    query: str
    at: "Where"

    @property
    def note(self) -> tuple[str, ...]:
        """Return the prompt for the person who is asked for it."""
        told = _("SQL*Plus asks for {name}: enter the number that this query shows at {server} ({database}):")
        query = " ".join(catalogue()[self.query].body.split())
        return told.format(name=self.name, server=self.at.server, database=self.at.database), query


def literal(value: BindValue | Expression | Asked) -> str:
    """Return a value as PL/SQL, text with its quotes doubled."""
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, Asked):
        return f"&{value.name}"
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


def stop(message: str) -> str:
    """Return the statement that ends a script with an error."""
    return f"RAISE_APPLICATION_ERROR(-20010, {literal(message)});"


def chosen_block() -> str:
    """Return a block that ends the script where it is neither to check nor to apply."""
    return "\n".join(
        [
            "BEGIN",
            "    IF NVL(:apply, 'neither') NOT IN ('no', 'yes') THEN",
            f"        {stop(_('apply is neither no nor yes: nothing was changed'))}",
            "    END IF;",
            "END;",
            "/",
        ]
    )


@dataclass(frozen=True)
class Where:
    """Where a script is to be run.

    Attributes:
        server: the database as a person writes its address.
        database: its global name; at any other database the script says so and does nothing.
    """

    server: str
    database: str


def body_of(name: str, values: Mapping[str, BindValue | Expression | Asked]) -> str:
    """Return the text of a catalogued statement, its binds replaced by values.

    Raises:
        ValueError: other values than its binds; a fault of the program.
    """
    statement = catalogue()[name]
    if sorted(values) != sorted(statement.bind_names):
        raise ValueError(f"no script can be made of statement {name}")

    def with_value(match: re.Match[str]) -> str:
        return literal(values[match["bind"]]) if match["bind"] else match.group()

    return _PART.sub(with_value, statement.body)


def only_call(name: str, values: Mapping[str, BindValue | Expression]) -> str:
    """Return the one call that a catalogued block makes, without the comparison ahead of it."""
    made = body_of(name, values).rpartition("END IF;")[2]
    return made.strip().removeprefix("BEGIN").removesuffix("END;").strip()


@dataclass(frozen=True)
class Compared:
    """The reading and comparison ahead of a script that restores a value.

    Attributes:
        subject: the value, as a person calls it.
        reading, values: catalogued query and its values; it is called `shown`.
        variables: each variable with its type and the expression it gets, an aggregate: nothing shown is NULL.
        is_before, is_set: conditions, never NULL: the former value stands there, or the one that was set.
        unless: condition and message of what else ends the script; "" for nothing.
    """

    subject: str
    reading: str
    values: Mapping[str, BindValue]
    variables: Mapping[str, tuple[str, str]]
    is_before: str
    is_set: str
    unless: tuple[str, str] = ("", "")

    def block(self) -> str:
        """Return a block that ends the script's own where nothing is to be undone, and the script at a third value."""
        before = _("As it was before: {subject}").format(subject=self.subject)
        other = _("{subject} is neither as it was set nor as it was before: it stays").format(subject=self.subject)
        condition, message = self.unless
        unless = (f"    IF {condition} THEN", f"        {stop(message)}", "    END IF;") if condition else ()
        return "\n".join(
            (
                "DECLARE",
                *(f"    {name} {of_type};" for name, (of_type, _expression) in self.variables.items()),
                "BEGIN",
                f"    SELECT {', '.join(expression for _type, expression in self.variables.values())}",
                f"    INTO {', '.join(self.variables)} FROM (",
                textwrap.indent(body_of(self.reading, self.values).strip(), "        "),
                "    ) shown;",
                *unless,
                f"    IF {self.is_before} THEN",
                f"        DBMS_OUTPUT.PUT_LINE(a => {literal(before)});",
                "        RETURN;",
                "    END IF;",
                f"    IF NOT ({self.is_set}) THEN",
                f"        {stop(other)}",
                "    END IF;",
                "END;",
                "",
            )
        )


def block_script(
    title: str,
    where: Where,
    name: str,
    values: Mapping[str, BindValue | Asked],
    *,
    guard: str = "",
) -> str:
    """Return a catalogued block as a script: where to run it, its binds replaced by values, a slash behind it.

    Args:
        guard: what stands before the block and may leave it, such as the beginning of a PL/SQL block.

    Raises:
        ValueError: the statement is no block; a fault of the program.
    """
    if catalogue()[name].form is not Form.PLSQL:
        raise ValueError(f"no script can be made of statement {name}")
    asked = tuple(value for value in values.values() if isinstance(value, Asked))
    return plsql_script(title, where, guard + body_of(name, values), asked=asked)


_ONLY_THERE: Final = """DECLARE
    here global_name.global_name%TYPE;
BEGIN
    SELECT naming.global_name INTO here FROM global_name naming;
    IF here <> {database} THEN
        DBMS_OUTPUT.PUT_LINE(a => {message});
        RETURN;
    END IF;
{block}
END;"""


def plsql_script(title: str, where: Where, block: str, *, asked: tuple[Asked, ...] = ()) -> str:
    """Return a PL/SQL block as a script that acts at its own database only.

    Args:
        asked: what SQL*Plus asks for; without any an ampersand is only a character.
    """
    message = _("Skipped: this part is for database {database}; nothing was changed by it.")
    lines = [
        f"-- {' '.join(title.split())}",
        "-- " + _("Run at: {server}").format(server=where.server),
        *(f"-- {line}" for value in asked for line in value.note),
        "SET DEFINE ON" if asked else "SET DEFINE OFF",
        "SET SERVEROUTPUT ON",
        AT_ERRORS,
        _ONLY_THERE.format(
            database=literal(where.database),
            message=literal(message.format(database=where.database)),
            block=textwrap.indent(block.strip(), "    "),
        ),
    ]
    return "\n".join(lines) + "\n/\n"
