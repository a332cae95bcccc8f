"""Kinds of names that only Streams has."""

from typing import Annotated, Final, TypeAlias

from app.domain.naming import Holds, NameKind
from app.foundation.texts import _

PROCESS: Final = Holds("process")
QUEUE: Final = Holds("queue")

ProcessName: TypeAlias = Annotated[str, PROCESS]
QueueName: TypeAlias = Annotated[str, QUEUE]


def name_kinds() -> tuple[NameKind, ...]:
    """Return the kinds of names and their replacements; a queue is written with its owner."""
    return NameKind(PROCESS, _("Process"), 110), NameKind(QUEUE, _("Queue"), 120, has_owner=True)
