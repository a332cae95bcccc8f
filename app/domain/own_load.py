"""The client's own load, from a history that a server keeps: what a gain is worth in the client's own hours."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class OwnBacklog:
    """The backlog that a time without delivery leaves behind.

    Attributes:
        commands: that gather in it.
        inflow_per_s: commands that go on arriving each second while they are delivered.
        basis: where the number comes from, as the end of a sentence.
    """

    commands: int
    inflow_per_s: float
    basis: str


@dataclass(frozen=True)
class OwnLoad:
    """The heaviest load in a kept history, as it was delivered, and worked out at a measured gain.

    Times are told to ten minutes: the history is one of hours.

    Attributes:
        place: what delivered it, by its name.
        kept_h: hours of history looked at, those of this program's own trials left out.
        commands: that came while it was behind; 0 where it was never behind, as no time is known then.
        began, came: first and last time it was behind by more than a minute.
        behind_s: how far it was behind at the most.
        would_be_behind_s: the same at the measured gain, and at the near and the far end of its interval, each in s.
        comes: when it would have been caught up at the measured gain; earliest, latest: at the ends of its interval.
            None where it would not have been behind.
    """

    place: str
    kept_h: float
    commands: int = 0
    began: datetime | None = None
    came: datetime | None = None
    comes: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None
    behind_s: float = 0.0
    would_be_behind_s: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Speed:
    """How many times as fast work is done: the measured gain, and the ends of its interval; each > 0."""

    usual: float
    least: float
    most: float
