"""Kinds of names that only replication has."""

from typing import Annotated, Final, TypeAlias

from app.domain.naming import Holds, NameKind
from app.foundation.texts import _

AGENT: Final = Holds("agent")
PUBLICATION: Final = Holds("publication")

AgentName: TypeAlias = Annotated[str, AGENT]
PublicationName: TypeAlias = Annotated[str, PUBLICATION]


def name_kinds() -> tuple[NameKind, ...]:
    """Return the kinds of names and their replacements: an agent's name is made of a server's, and therefore comes
    first."""
    return NameKind(AGENT, _("Agent"), 40), NameKind(PUBLICATION, _("Publication"), 90)
