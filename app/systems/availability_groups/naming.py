"""Kinds of names that only availability groups have."""

from typing import Annotated, Final, TypeAlias

from app.domain.naming import Holds, NameKind
from app.foundation.texts import _

GROUP: Final = Holds("group")

GroupName: TypeAlias = Annotated[str, GROUP]


NAME_KINDS: Final = (NameKind(GROUP, _("Availability group"), 80),)

# Roles of servers in every group.
PUBLIC_NAMES: Final = frozenset({"primary", "secondary"})
