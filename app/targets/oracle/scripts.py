"""Stand-alone scripts for a DBA without this tool, made from the same catalogued blocks; for SQL*Plus and its kin."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.foundation.texts import _
from app.targets.oracle.catalogue import Form, catalogue
from app.targets.oracle.cells import BindValue

_PART: Final = re.compile(r"'(?:[^']|'')*'|--[^\n]*|:(?P<bind>[a-z_][a-z0-9_]*)")


@dataclass(frozen=True)
class Expression:
    """A piece of PL/SQL where a value would stand."""

    text: str


def literal(value: BindValue | Expression) -> str:
    """Return a value as PL/SQL, text with its quotes doubled."""
    if isinstance(value, Expression):
        return value.text
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


def block_script(title: str, server: str, name: str, values: Mapping[str, BindValue | Expression]) -> str:
    """Return a catalogued block as a script: where to run it, its binds replaced by values, a slash behind it.

    Raises:
        ValueError: the statement is no block; a fault of the program.
    """
    statement = catalogue()[name]
    if statement.form is not Form.PLSQL or sorted(values) != sorted(statement.bind_names):
        raise ValueError(f"no script can be made of statement {name}")

    def with_value(match: re.Match[str]) -> str:
        return literal(values[match["bind"]]) if match["bind"] else match.group()

    asks = any(isinstance(value, Expression) for value in values.values())
    return script(title, server, _PART.sub(with_value, statement.body), asks=asks)


def script(title: str, server: str, block: str, *, asks: bool = False) -> str:
    """Return a PL/SQL block as a script.

    Args:
        asks: it holds a value that SQL*Plus asks for, as `&name`; otherwise an ampersand is only a character.
    """
    define = "SET DEFINE ON" if asks else "SET DEFINE OFF"
    lines = [
        f"-- {title.replace(chr(10), ' ')}",
        "-- " + _("Run at: {server}").format(server=server),
        define,
        "WHENEVER SQLERROR EXIT SQL.SQLCODE",
    ]
    return "\n".join(lines) + f"\n{block.strip()}\n/\n"


_GUARDED: Final = """DECLARE
    enabled NUMBER;
BEGIN
    SELECT COUNT(*) INTO enabled
    FROM dba_apply process
    WHERE process.apply_name = {name} AND process.status = 'ENABLED';
    IF enabled = {wanted} THEN
        {call};
    END IF;
END;"""


def start_script(title: str, server: str, name: str) -> str:
    """Return a script that starts an apply unless it is enabled."""
    call = f"DBMS_APPLY_ADM.START_APPLY(apply_name => {literal(name)})"
    return script(title, server, _GUARDED.format(name=literal(name), wanted=0, call=call))


def stop_script(title: str, server: str, name: str) -> str:
    """Return a script that stops an apply if it is enabled, not by force."""
    call = f"DBMS_APPLY_ADM.STOP_APPLY(apply_name => {literal(name)}, force => FALSE)"
    return script(title, server, _GUARDED.format(name=literal(name), wanted=1, call=call))
