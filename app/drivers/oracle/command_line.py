"""The logon of a command line of sqlplus or SQLcl; pure.

Source: docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/starting-SQL-Plus.html ("SQL*Plus Program Syntax").
"""

import re
from typing import Final

from app.domain.errors import BadInput
from app.foundation.command_line import command_in
from app.foundation.texts import _

_PROGRAMS: Final = ("sqlplus", "sql", "sqlcl")
_AS: Final = re.compile(r"(?i)\s+as\s+sys\w+\s*\Z")
_VALUED: Final = frozenset({"-c", "-compatibility", "-m", "-markup", "-r", "-restrict", "-name", "-password_file"})


def read_logon(text: str) -> str | None:
    """Return the logon of a command, None where it is no such command.

    SYSDBA is not taken over: signing in with it is asked for in so many words.

    Raises:
        BadInput: it names no database.
    """
    command = command_in(text)
    if command is None or command.program not in _PROGRAMS:
        return None
    words = list(command.words)
    while words and words[0].startswith("-"):
        del words[: 2 if words[0].lower() in _VALUED else 1]
    logon = words[0] if words else ""
    if "@" not in logon or logon.startswith("@"):
        raise BadInput(
            _("This {program} command names no database; write it as {example}").format(
                program=command.program, example=f"{command.program} user@//host:1521/service"
            )
        )
    return _AS.sub("", logon)
