"""Whose words the texts are that statements and changes of availability groups leave in a session."""

from collections.abc import Mapping
from typing import Final

from app.domain.naming import DeclaredTexts, Holds, words
from app.drivers.sqlserver.declared import PUBLIC_NAMES, declared_parameters
from app.systems.availability_groups.naming import GROUP, name_kinds
from app.systems.availability_groups.seeding_server import SEEDING_CHANGE_KINDS
from app.systems.availability_groups.server import GROUP_CHANGE_KINDS
from app.systems.availability_groups.site import kept_groups

# Roles of servers in every group.
PUBLIC_ROLES: Final = frozenset({"primary", "secondary"})

_GROUP: Final = {
    **{"group": GROUP, "home": Holds.SERVER, "servers": Holds.SERVER, "server": Holds.SERVER},
    **{"replica": Holds.SERVER, "database": Holds.DATABASE},
    **words("original_mode", "new_mode", "owner"),
}

DETAILS: Final[Mapping[str, Mapping[str, Holds]]] = dict.fromkeys((*GROUP_CHANGE_KINDS, *SEEDING_CHANGE_KINDS), _GROUP)


def declared_texts() -> DeclaredTexts:
    """Return the declarations of the statements' headers and of the kinds of change; raises as `catalogue` does."""
    return DeclaredTexts(
        declared_parameters(), DETAILS, public=PUBLIC_NAMES | PUBLIC_ROLES, kept=(kept_groups,), kinds=name_kinds()
    )
