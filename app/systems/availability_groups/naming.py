"""Kinds of names that only availability groups have."""

from typing import Annotated, Final, TypeAlias

from app.domain.naming import Holds, NameKind
from app.foundation.texts import _

GROUP: Final = Holds("group")

GroupName: TypeAlias = Annotated[str, GROUP]


def name_kinds() -> tuple[NameKind, ...]:
    """Return the kinds of names and their replacements."""
    return (NameKind(GROUP, _("Availability group"), 80),)
