"""What an experiment would take to answer its question here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ExperimentCost:
    """What an experiment would take to answer a family's question here.

    Attributes:
        trials, duration_s: those planned, and how long they take.
        longest_s: how long with all trials that may follow.
    """

    family: str
    title: str
    trials: int
    duration_s: float
    longest_s: float
