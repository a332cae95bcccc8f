"""`rollback.sql` for SQL*Plus: the blocks of all undo scripts, run whole at every database they name."""

import re
from collections.abc import Sequence
from typing import Final

from app.domain.undo_tool import UndoPart
from app.drivers.oracle.scripts import AT_ERRORS, SWITCH, chosen_block, literal
from app.foundation.texts import _

_SLASH: Final = re.compile(r"(?m)^/[ \t]*$")
_AT_ERROR: Final = re.compile(r"(?m)^WHENEVER (?:SQL|OS)ERROR [^\n]*\n")
_SKIPPED: Final = re.compile(
    r"(?P<test>    IF here <> '(?:[^']|'')*' THEN\n"
    r"        DBMS_OUTPUT\.PUT_LINE\(a => '[^\n]*'\);\n        RETURN;\n    END IF;\n)"
)


class SqlPlusUndo:
    """The tool of Oracle."""

    language = "PL/SQL"
    first_line = "SET DEFINE OFF"  # otherwise SQL*Plus asks for a value wherever a name holds an ampersand

    @property
    def how_to_run(self) -> tuple[str, ...]:
        """How it is run: as the other scripts are."""
        return (
            _(
                "Run all of it with SQL*Plus or SQLcl as the user the experiment signed in as, once at each database "
                'that a line "Run at" names: newest change first. As it is it checks only and changes nothing; to '
                "undo, write 'yes' for 'no' in the line {line}."
            ).format(line=SWITCH),
            _(
                "At another database than its own a block does nothing and says so; an error stops it, and what stands "
                "behind is not undone: settle it and run it again. The exit code is 0 only where every block for the "
                "database came to its end. Running it twice does no harm."
            ),
            _("The file is UTF-8: set NLS_LANG to .AL32UTF8 where names are not plain ASCII."),
        )

    def takes(self, undo_sql: str) -> bool:
        """Tell whether it is PL/SQL, which ends with a slash: T-SQL never does."""
        return _SLASH.search(undo_sql) is not None

    def script(self, parts: Sequence[UndoPart]) -> str:
        """Return the blocks, each behind the check of its database, and what they came to."""
        none = _("this database is none of those that the script names: nothing was undone")
        done = _(
            "Done: what is for this database is undone, as shown above. Run it at the other databases it names, too."
        )
        checked = _("Checked only: nothing was changed. What would be undone at this database is shown above.")
        return "\n".join(
            (
                f"{AT_ERRORS}\nVARIABLE apply VARCHAR2(3)\n{SWITCH}\nVARIABLE ended NUMBER\nEXECUTE :ended := 0\n"
                f"SET SERVEROUTPUT ON\n{chosen_block()}\n",
                *("\n".join((*part.comments, _part(part.undo_sql), "")) for part in parts),
                "BEGIN",
                "    IF :ended = 0 THEN",
                f"        RAISE_APPLICATION_ERROR(-20010, {literal(none)});",
                "    END IF;",
                "    IF :apply = 'yes' THEN",
                f"        DBMS_OUTPUT.PUT_LINE(a => {literal(done)});",
                "    ELSE",
                f"        DBMS_OUTPUT.PUT_LINE(a => {literal(checked)});",
                "    END IF;",
                "END;",
                "/",
                "EXIT SUCCESS",
                "",
            )
        )


def _part(undo_sql: str) -> str:
    """Return an undo script that checks only where the switch says so, and counts."""
    checked = _("Checked only: this is a database that this part is for; nothing was changed by it.")
    counted = (
        "    :ended := :ended + 1;\n"
        "    IF :apply <> 'yes' THEN\n"
        f"        DBMS_OUTPUT.PUT_LINE(a => {literal(checked)});\n"
        "        RETURN;\n"
        "    END IF;\n"
    )
    text = _AT_ERROR.sub("", undo_sql.strip())
    return _SKIPPED.sub(lambda met: met["test"] + counted, text)


UNDO_TOOL: Final = SqlPlusUndo()
