"""Whether a message on a run is good or bad news."""

from enum import StrEnum


class Mood(StrEnum):
    """Whether a message is good, bad, or neither."""

    NEUTRAL = "neutral"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"
