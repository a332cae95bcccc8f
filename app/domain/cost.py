"""The cost of an experiment and of its trials on this site."""

from dataclasses import dataclass

from app.domain.plan import Plan


@dataclass(frozen=True)
class ExperimentCost:
    """The cost of answering a family's question on this site.

    Attributes:
        trials, duration_s: those planned, and how long they take.
        longest_s: where a run would end at the latest.
    """

    family: str
    title: str
    trials: int
    duration_s: float
    longest_s: float


@dataclass(frozen=True)
class TrialTime:
    """How long one trial takes, as far as that is known before any has run.

    Attributes:
        trial_s: of one trial on average, preparation included.
        unknown: one sentence on what was not read and may make it longer, "" for nothing.
    """

    trial_s: float
    unknown: str = ""


@dataclass(frozen=True)
class InTrials:
    """The plan that a plan in windows on one written backlog would be with a backlog for each trial.

    Attributes:
        trial_commands, window_commands: about what is written for one trial, and for one window.
    """

    plan: Plan
    trial_commands: int
    window_commands: int
