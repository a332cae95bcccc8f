"""Kinds of names that only Streams has."""

from typing import Annotated, Final, TypeAlias

from app.domain.naming import Holds, NameKind
from app.foundation.texts import _

PROCESS: Final = Holds("process")
QUEUE: Final = Holds("queue")

ProcessName: TypeAlias = Annotated[str, PROCESS]
QueueName: TypeAlias = Annotated[str, QUEUE]


NAME_KINDS: Final = (NameKind(PROCESS, _("Process"), 110), NameKind(QUEUE, _("Queue"), 120, has_owner=True))

# The word for the product, the two ends, and the words its parameters take.
PUBLIC_NAMES: Final = frozenset(
    {"source", "destination", "streams"}
    | {"y", "n", "yes", "no", "true", "false", "none", "full", "dependent_transactions", "infinite"}
)
