"""Numbers of runs made elsewhere that cannot all hold."""

from dataclasses import dataclass

from app.domain.comparison import Comparison
from app.domain.setting import Setting


@dataclass(frozen=True)
class Contradiction:
    """Numbers that cannot all hold, such as a rate and a time that do not make the amount that was moved.

    Attributes:
        text: which they are, one sentence.
        runs: those whose numbers they are: family, trial, and the values of all it varies.
    """

    text: str
    runs: frozenset[tuple[str, str, Setting]]

    def concerns(self, comparison: Comparison) -> bool:
        """Tell whether a comparison rests on one of the runs."""
        sides = (
            (comparison.reference_trials, comparison.reference),
            (comparison.candidate_trials, comparison.candidate),
        )
        return any(
            (comparison.family, trial, Setting.from_mapping({**comparison.conditions, **setting})) in self.runs
            for trials, setting in sides
            for trial in trials
        )
