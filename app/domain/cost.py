"""What an experiment would take to answer its question here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ExperimentCost:
    """What an experiment would take to answer a family's question here."""

    family: str
    title: str
    trials: int
    duration_s: float
