"""`rollback.sql` for SQL*Plus: the blocks of all undo scripts, run whole at every database they name."""

import operator
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from app.domain.undo_tool import UndoPart
from app.drivers.oracle.scripts import AT_ERRORS, SWITCH, chosen_block, literal, stop
from app.foundation.texts import _

_SLASH: Final = re.compile(r"(?m)^/[ \t]*$")
_AT_ERROR: Final = re.compile(r"(?m)^WHENEVER (?:SQL|OS)ERROR [^\n]*\n")
_COUNTS: Final = {"before": "as_before", "undone": "undone", "others": "others", "blind": "not_compared"}
"""What is counted, by the field of a text: a bind of the tool."""

_END: Final = "\nEND;\n/"
_SKIPPED: Final = re.compile(
    r"(?P<test>    IF here <> '(?:[^']|'')*' THEN\n"
    r"        DBMS_OUTPUT\.PUT_LINE\(a => '[^\n]*'\);\n        RETURN;\n    END IF;\n)"
)
# As `Compared.block` writes it.
_COMPARED: Final = re.compile(
    r"(?P<reading>    DECLARE\n(?:(?!    END;\n)[^\n]*\n)*?        IF [^\n]* THEN\n)"
    r"(?P<before>            DBMS_OUTPUT\.PUT_LINE\(a => '[^\n]*'\);\n            RETURN;\n        END IF;\n"
    r"        IF NOT \([^\n]*\) THEN\n)"
    r"(?P<stop>            RAISE_APPLICATION_ERROR\(-20010, (?P<other>'[^\n]*')\);\n        END IF;\n    END;\n)"
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
                "undo, write 'yes' instead of 'no' in the line {line}."
            ).format(line=SWITCH),
            _(
                "At another database than its own a block does nothing and says so. A value that is neither the one "
                "set nor the former one, and any other error, stops it, and what stands behind is not undone: "
                "settle it and run it again. The exit code is 0 only where every block for the database came to its "
                "end. Running it twice does no harm: a second time it says of each value that it is as it was "
                "before."
            ),
            _("The file is UTF-8: set NLS_LANG to .AL32UTF8 where names are not plain ASCII."),
        )

    def takes(self, undo_sql: str) -> bool:
        """Tell whether it is PL/SQL, which ends with a slash: T-SQL never does."""
        return _SLASH.search(undo_sql) is not None

    def script(self, parts: Sequence[UndoPart]) -> str:
        """Return the blocks, each behind the check of its database, and a summary."""
        none = _("this database is none of those that the script names: nothing was undone")
        done = _(
            "Done: what is for this database is undone, as shown above. Run it at the other databases it names, too."
        )
        checked = _("Checked only: nothing was changed. What would be undone at this database is shown above.")
        others = _("another value than the two stands where it says so above: settle it first; nothing was changed")
        came_to = _(
            "Of the parts for this database, as it was before already: {before}; undone now: {undone}; undone, though "
            "there is no value to compare: {blind}"
        )
        would_come_to = _(
            "Of the parts for this database, as it was before already: {before}; as it was set: {undone}; another "
            "value stands there: {others}; no value to compare: {blind}"
        )
        counters = "\n".join(f"VARIABLE {name} NUMBER\nEXECUTE :{name} := 0" for name in ("ended", *_COUNTS.values()))
        return "\n".join(
            (
                f"{AT_ERRORS}\nVARIABLE apply VARCHAR2(3)\n{SWITCH}\n{counters}\n"
                f"SET SERVEROUTPUT ON\n{chosen_block()}\n",
                *(
                    "\n".join((*part.comments, _part(part, is_newest=part.subject not in newer), ""))
                    for part, newer in zip(parts, _subjects_before(parts), strict=True)
                ),
                "BEGIN",
                "    IF :ended = 0 THEN",
                f"        {stop(none)}",
                "    END IF;",
                "    IF :apply = 'yes' THEN",
                f"        {_say(came_to)}",
                f"        {_say(done)}",
                "        RETURN;",
                "    END IF;",
                f"    {_say(would_come_to)}",
                "    IF :others > 0 THEN",
                f"        {stop(others)}",
                "    END IF;",
                f"    {_say(checked)}",
                "END;",
                "/",
                "EXIT SUCCESS",
                "",
            )
        )


def _say(text: str) -> str:
    """Return the statement that prints a text, with counts in the place of its fields."""
    said = literal(text)
    for field, counter in _COUNTS.items():
        said = said.replace(f"{{{field}}}", f"' || :{counter} || '")
    return f"DBMS_OUTPUT.PUT_LINE(a => {said});"


def _count(field: str) -> str:
    return f":{_COUNTS[field]} := :{_COUNTS[field]} + 1;"


def _subjects_before(parts: Sequence[UndoPart]) -> Iterator[frozenset[str]]:
    """Yield the subjects of the parts that stand before each one."""
    return accumulate((frozenset({part.subject}) for part in parts[:-1]), operator.or_, initial=frozenset())


def _part(part: UndoPart, *, is_newest: bool) -> str:
    """Return an undo script that checks only where the switch says so, counts, and prints a summary.

    Args:
        is_newest: no part before it puts back the same value; what that leaves cannot be compared while checking.
    """
    text = _AT_ERROR.sub("", part.undo_sql.strip())
    skipped = _SKIPPED.search(text)
    if skipped is None:
        return text
    ahead, block = f"{text[: skipped.end()]}    :ended := :ended + 1;\n", text[skipped.end() :]
    compared = _COMPARED.match(block)
    would = _("Would be undone: {subject}").format(subject=part.subject)
    undone = _("Undone: {subject}").format(subject=part.subject)
    counted = f"    {_count('undone' if compared else 'blind')}\n"
    check = f"    IF :apply <> 'yes' THEN\n        {_say(would)}\n        RETURN;\n    END IF;\n"
    told = f"    {_say(undone)}{_END}"
    if compared is None:
        return f"{ahead}{counted}{check}{block.removesuffix(_END)}\n{told}"
    compares, block = _counted(compared), block[compared.end() :].removesuffix(_END)
    if is_newest:
        return f"{ahead}{compares}{counted}{check}{block}\n{told}"
    alone = check.replace("THEN\n", f"THEN\n    {counted}", 1)
    return f"{ahead}{alone}{compares}{counted}{block}\n{told}"


def _counted(compared: re.Match[str]) -> str:
    """Return the comparison with its outcomes counted; where it is only checked, a third value ends the part alone."""
    told = (
        "            IF :apply <> 'yes' THEN\n"
        f"                {_count('others')}\n"
        f"                DBMS_OUTPUT.PUT_LINE(a => {compared['other']});\n"
        "                RETURN;\n"
        "            END IF;\n"
    )
    before = f"            {_count('before')}\n"
    return f"{compared['reading']}{before}{compared['before']}{told}{compared['stop']}"


UNDO_TOOL: Final = SqlPlusUndo()
