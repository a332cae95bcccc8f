"""Kinds of names that only replication has."""

from typing import Annotated, Final, TypeAlias

from app.domain.naming import Holds, NameKind
from app.foundation.texts import _

AGENT: Final = Holds("agent")
PUBLICATION: Final = Holds("publication")

AgentName: TypeAlias = Annotated[str, AGENT]
PublicationName: TypeAlias = Annotated[str, PUBLICATION]


# An agent's name is made of a server's, and therefore comes first.
NAME_KINDS: Final = (NameKind(AGENT, _("Agent"), 40), NameKind(PUBLICATION, _("Publication"), 90))

# Words of replication, and the profiles every installation is delivered with, with and without "agent profile" after
# them (MicrosoftDocs/sql-docs: docs/relational-databases/replication/agents/replication-agent-profiles.md).
PUBLIC_NAMES: Final = frozenset(
    {"push", "pull", "publisher", "subscriber", "distributor", "default agent profile"}
    | {"verbose history", "verbose history agent profile"}
    | {"windows synchronization manager", "windows synchronization manager profile"}
    | {"continue on data consistency errors", "distribution profile for oledb streaming"}
)
