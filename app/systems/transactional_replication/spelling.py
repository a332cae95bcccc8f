"""Names that a server takes for one, although they are spelled in two ways: by case, accents, or blanks at the end.

A name that is spelled exactly so goes first. Of others only those are asked about that some collation may take for it,
and the server they belong to compares them by its own: so names that a binary or a Turkish collation tells apart stay
apart, and those it takes for one are one.

Source: MicrosoftDocs/sql-docs:docs/t-sql/language-elements/string-comparison-assignment.md (blanks at the end).
"""

import unicodedata
from collections.abc import Callable, Collection

from app.domain.errors import StatementCancelled, TargetError
from app.drivers.sqlserver.session import Place, Session

AreAlike = Callable[[str, str], bool]
"""Tells whether two spellings are one name."""


def spelled_as(name: str, known: Collection[str], are_alike: AreAlike | None = None) -> str:
    """Return the known name that is meant, the name itself where none or several could be.

    Args:
        are_alike: the server's own equality, None where there is none to ask, as for the names of a plan.
    """
    if name in known:
        return name
    alike = [one for one in known if _may_be(one, name) and (are_alike is None or are_alike(name, one))]
    return alike[0] if len(alike) == 1 else name


def _may_be(one: str, other: str) -> bool:
    """Tell whether some collation could take two spellings for one; none compares more loosely."""
    return _loosely(one) == _loosely(other)


def _loosely(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.casefold().replace("\u0131", "i"))
    return "".join(part for part in parts if not unicodedata.combining(part)).rstrip(" ")


class ServersSpelling:
    """The equality of names at each server, asked once for each two."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: dict[tuple[str, str, str], bool] = {}

    def at(self, server: str) -> AreAlike:
        """Return the equality of a server; where it cannot be asked, that of the Distributor, which names it."""
        return lambda one, other: self._are_alike(server, *sorted((one, other)))

    def _are_alike(self, server: str, one: str, other: str) -> bool:
        asked = (server, one, other)
        if asked not in self._told:
            self._told[asked] = self._ask(server, one, other)
        return self._told[asked]

    def _ask(self, server: str, one: str, other: str) -> bool:
        own = self._session.own_server
        try:
            rows = self._session.run("names_alike", Place(server, "master"), one=one, spelling=other)
        except StatementCancelled:
            raise
        except TargetError:
            if server == own:
                raise
            return self._are_alike(own, one, other)
        return rows[0].whole("are_alike") == 1
