"""The servers of a site as a table."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.server import ServerInfo
from app.domain.view import NO_VALUE, Cell, Column, Row, TableContent, number_cell, text_cell
from app.foundation.texts import _

_NO_ROLES: Final[Mapping[str, str]] = {}


def servers_table(
    servers: Sequence[ServerInfo],
    roles: Mapping[str, str] = _NO_ROLES,
    unreached: Sequence[tuple[str, str, str]] = (),
) -> TableContent:
    """Return servers with their versions and roles, those that did not answer first.

    Args:
        roles: what a system's words for roles are in the language of the program.
        unreached: name, role and reason of each server that did not answer.
    """
    columns = (
        Column("server", _("Server"), width=1.6),
        Column("role", _("Role"), width=1),
        Column("version", _("Version"), width=1.1),
        Column("edition", _("Edition"), width=2),
        Column("processors", _("Logical processors"), is_number=True),
    )

    def row(name: str, role: str, *cells: Cell) -> Row:
        return Row(f"{role} {name}", (text_cell(name), text_cell(roles.get(role, role) or NO_VALUE), *cells))

    rows = (
        *(
            row(name, role, text_cell(_("not reached")), text_cell("", hint=why), number_cell(None))
            for name, role, why in unreached
        ),
        *(row(s.name, s.role, text_cell(s.version), text_cell(s.edition), number_cell(s.cpu_count)) for s in servers),
    )
    return TableContent(columns, rows)
