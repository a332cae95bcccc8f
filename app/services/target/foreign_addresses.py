"""Addresses as other tools write them: `host:1433`, `//host:1521/service`, JDBC, SSMS and TNS strings."""

from collections.abc import Iterable

from app.domain.connection import ConnectionWay, ForeignAddress
from app.domain.errors import BadInput
from app.services.target.target_spec import parse_server


def understand(text: str, ways: Iterable[ConnectionWay]) -> ForeignAddress | None:
    """Return the server that a text names as some other tool writes it, None where no engine understands it.

    What this program's own targets are written like is for `parse_target`. A password in the text is kept apart, so
    that a form can take it over; no target holds one.

    Args:
        ways: to connect; those of one engine understand the same, and the first engine that understands decides.

    Raises:
        BadInput: an engine knows what it is, and cannot use it; the text is not repeated.
    """
    ways = tuple(ways)
    if text.startswith(tuple(f"{way.engine}://" for way in ways if way.engine)):
        return None
    for understands in dict.fromkeys(way.understands for way in ways if way.understands is not None):
        found = understands(text)
        if found is not None and _is_written(found):
            return found
    return None


def _is_written(found: ForeignAddress) -> bool:
    """Tell whether its address can be written as a target, and read again."""
    try:
        return parse_server(found.url.text) == found.url
    except BadInput:
        return False
