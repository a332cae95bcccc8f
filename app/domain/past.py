"""The history that servers keep of the subject of an experiment, for the outcome of a setting."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.naming import Sentence
from app.domain.server import EffectiveParameter


@dataclass(frozen=True)
class PastHour:
    """One hour of history.

    Attributes:
        hour_utc: its start, by the server's clock.
        transactions, commands: processed in it.
        busy_s: time in which something was processed.
        latency_ms: mean, None where nothing was processed.
        is_behind: work waited all the time, so that commands / busy_s is what could be done.
        was_late: work waited at some time of it.
    """

    hour_utc: datetime
    transactions: int
    commands: int
    busy_s: float
    latency_ms: float | None
    is_behind: bool
    was_late: bool


@dataclass(frozen=True)
class Past:
    """The subject of an experiment as its servers remember it.

    Attributes:
        subject: as a person calls it.
        taken_utc: now, by the server's clock.
        hours: oldest first, () where its servers keep none.
        started_utc: when it was last started, None where that is not known.
        in_effect: the parameters it works with now.
    """

    subject: Sentence
    taken_utc: datetime
    hours: tuple[PastHour, ...]
    started_utc: datetime | None
    in_effect: tuple[EffectiveParameter, ...]
