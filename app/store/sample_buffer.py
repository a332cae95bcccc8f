"""Samples of the trial that is going on, gathered into batches."""

from collections.abc import Sequence
from typing import Final

from app.domain.measurement import Sample

BATCH_ROWS: Final = 1000


class SampleBuffer:
    """Remembers which samples of a trial came in and how many of them are in the file."""

    def __init__(self, run_id: str, trial_id: str) -> None:
        self.run_id: Final = run_id
        self.trial_id: Final = trial_id
        self._samples: list[Sample] = []
        self._written = 0

    def add(self, samples: Sequence[Sample]) -> None:
        """Take the samples of one tick."""
        self._samples.extend(samples)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """All samples that came in."""
        return tuple(self._samples)

    @property
    def written(self) -> int:
        """How many samples are in the file."""
        return self._written

    @property
    def is_full(self) -> bool:
        """Whether a batch has come together."""
        return len(self._samples) - self._written >= BATCH_ROWS

    @property
    def waiting(self) -> tuple[Sample, ...]:
        """The samples that are not in the file yet."""
        return tuple(self._samples[self._written :])

    def mark_written(self, count: int) -> None:
        """Note that the first `count` of the waiting samples are in the file."""
        self._written += count

    def written_of(self, samples: Sequence[Sample]) -> int:
        """Return how many of a trial's final samples are in the file already: all that were written, or 0.

        0 where the final samples do not begin with those written; they are then all written anew.
        """
        is_prefix = tuple(samples[: self._written]) == tuple(self._samples[: self._written])
        return self._written if is_prefix and len(samples) >= self._written else 0
