"""What the lab's logins may do: `replitune` everything, `monitor` what a member of replmonitor may."""

from typing import Final

from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]

_ADMIN: Final[dict[str, Rows]] = {
    "server_rights": (("replitune", 1, 1, 1, 1, 1, 1),),
    "distribution_rights": ((1, 0),),
    "publication_rights": ((1, 0),),
}
_MONITOR: Final[dict[str, Rows]] = {
    "server_rights": (("monitor", 0, 0, 0, 0, 0, 0),),
    "distribution_rights": ((0, 1),),
    "publication_rights": ((0, 0),),
}
RIGHTS_STATEMENTS: Final = frozenset(_ADMIN)


def rights_of(statement: str, *, is_monitor: bool = False) -> Rows:
    """Return the rows of a statement that asks for rights; raises KeyError for another one."""
    return (_MONITOR if is_monitor else _ADMIN)[statement]
