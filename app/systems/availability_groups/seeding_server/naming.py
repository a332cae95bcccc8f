"""Names this program gives: they begin with its own, so that it never takes a client's object for its own."""

import hashlib
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _

PREFIX: Final = "Replitune"
BACKUP_NAME: Final = "Replitune seeding"

_LONGEST: Final = 110  # with what is added, a name fits sysname's 128 characters


def is_own(database: str) -> bool:
    """Tell whether a database is one this program makes."""
    return database.lower().startswith(PREFIX.lower())


def check_test_database_name(name: str) -> None:
    """Raise BadInput for a name a test database cannot have."""
    if not is_own(name) or len(name) > _LONGEST:
        raise BadInput(
            _(
                'a test database cannot be called "{name}": it begins with {prefix} and has at most {most} characters'
            ).format(name=name, prefix=PREFIX, most=_LONGEST)
        )


def job_name(database: str) -> str:
    """Return the name of the job that seeds a database, the same at both servers."""
    return f"{PREFIX} seeding {_digest(database)}"


def session_name(owner: str) -> str:
    """Return the name of the extended events session."""
    return f"{PREFIX} seeding {owner}"


def file_stem(folder: str, database: str) -> str:
    """Return folder and first part of the backup files; a database's name may hold characters that a file's cannot."""
    separator = "/" if "/" in folder and "\\" not in folder else "\\"
    return f"{folder.rstrip(separator)}{separator}Replitune_{_digest(database)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
