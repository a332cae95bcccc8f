"""What the lab's logins may do: `replitune` everything, `monitor` nothing of the server but what a system gives it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class LoginRows:
    """What a statement that asks for rights answers to each login."""

    admin: Rows
    monitor: Rows


SERVER_RIGHTS: Final[Mapping[str, LoginRows]] = {
    "server_rights": LoginRows((("replitune", 1, 1, 1, 1, 1, 1),), (("monitor", 0, 0, 0, 0, 0, 0),)),
}
"""Of every server, by statement."""
