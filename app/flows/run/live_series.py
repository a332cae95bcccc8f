"""Time series of a run while it goes on: bounded, extremes kept, with the stretch of time each trial took."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.analysis.thinning import outline
from app.domain.measurement import BACKLOG, Sample
from app.domain.units import unit_word
from app.flows.system_views import LiveTotal, SystemViews
from app.foundation.texts import _

MOST_POINTS: Final = 2_000
"""Of one curve on screen: more than a wide screen has pixels across."""

_LOW: Final = 0.1
_HIGH: Final = 0.9

RATE: Final = "rate"
"""Key of the curve made from the total of what is under test: how fast it grows."""


@dataclass(frozen=True)
class TrialBand:
    """The stretch of time one trial was measured in.

    Attributes:
        start_s, end_s: seconds of measuring since the run began; preparation between trials takes no room.
        label: the setting, short enough for a plot.
        block: the trial belongs to.
        place: of its setting among those of the plan, the baseline first; None where it is none of them.
    """

    trial_id: str
    label: str
    start_s: float
    end_s: float
    block: int = 1
    place: int | None = None


@dataclass(frozen=True)
class TrialMean:
    """The mean of one stream during one trial.

    Attributes:
        mean: over the trial's time.
        low, high: the middle 80 % of its readings lie between them.
    """

    band: TrialBand
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Stream:
    """One curve that can be shown."""

    key: str
    title: str
    unit: str

    @property
    def axis_label(self) -> str:
        """Title and unit."""
        return f"{self.title} ({unit_word(self.unit)})" if self.unit else self.title


@dataclass(frozen=True, eq=False)
class Curve:
    """Points of one stream.

    Attributes:
        x, y: shape (n,), n ≤ MOST_POINTS; x in seconds of measuring since the run began.
        joined: shape (n,), whether a point is joined to the next one; the last of a trial is not.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    joined: NDArray[np.bool_]


class _Trace:
    """Points of one stream, at most twice as many as are shown, and its mean in each trial."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._x: list[float] = []
        self._y: list[float] = []
        self._points = 0
        self._present: list[tuple[float, float]] = []
        self._read = 0
        self._lasted_s = 0.0
        self._sum = 0.0
        self._ended: list[TrialMean] = []

    def add(self, x: float, y: float, since: float) -> None:
        """Take a reading; costs three appends, as ten thousand may come in a second.

        Args:
            since: when the present trial began.
        """
        self._x.append(x)
        self._y.append(y)
        self._points += 1
        lasted_s = x - since - self._lasted_s
        self._lasted_s = x - since
        self._sum += y * lasted_s
        self._present.append((y, lasted_s))
        self._read += 1
        if self._points > 2 * MOST_POINTS:
            self._x, self._y = self._thinned()
            self._points = len(self._x)
        if self._read > 2 * MOST_POINTS:
            self._present = self._present[::2]
            self._read = len(self._present)

    def end_trial(self, band: TrialBand) -> None:
        """Keep the mean of the present trial."""
        self._ended = list(self.means(band))
        self._present, self._read, self._lasted_s, self._sum = [], 0, 0.0, 0.0

    def means(self, present: TrialBand) -> tuple[TrialMean, ...]:
        """Return the mean of each trial, the present one last; one without readings is left out."""
        if self._lasted_s <= 0.0:
            return tuple(self._ended)
        values, lasted_s = np.asarray(self._present).T
        mean = self._sum / self._lasted_s
        order = np.argsort(values)
        reached = np.cumsum(lasted_s[order])
        places = np.searchsorted(reached, np.asarray((_LOW, _HIGH)) * reached[-1])
        low, high = values[order][places].tolist()
        return (*self._ended, TrialMean(present, mean, min(low, mean), max(high, mean)))

    def _thinned(self) -> tuple[list[float], list[float]]:
        kept = outline(self._y, MOST_POINTS)
        return [self._x[i] for i in kept], [self._y[i] for i in kept]

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        x, y = self._thinned()
        return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)


class LiveSeries:
    """All streams of one run, trials one after another; lives on one thread.

    Adding a sample costs two appends; memory is bounded however long the run.

    Attributes:
        views: of the system under test, which names streams; None until it is known.
        total: of the present tick, as the system adds it up; None where it does not.
    """

    def __init__(self, views: SystemViews | None = None) -> None:
        self.views = views
        self.total: LiveTotal | None = None
        self._traces: dict[str, _Trace] = {}
        self._bands: list[TrialBand] = []
        self._base_s = 0.0
        self._end_s = 0.0
        self._last: tuple[float, float] | None = None
        self._stamps: list[float] = []

    @property
    def stamps(self) -> tuple[float, ...]:
        """When notes were written, in the order they were, seconds of measuring since the run began."""
        return tuple(self._stamps)

    def stamp(self) -> int:
        """Take note that a note is written now; return its number, from 1."""
        self._stamps.append(self._end_s)
        return len(self._stamps)

    @property
    def bands(self) -> tuple[TrialBand, ...]:
        """The trials so far, the present one last."""
        return (*self._bands[:-1], self._present) if self._bands else ()

    @property
    def _present(self) -> TrialBand:
        return replace(self._bands[-1], end_s=self._end_s)

    @property
    def streams(self) -> tuple[Stream, ...]:
        """Return the streams that can be shown, the rate first."""
        traces = sorted(self._traces.values(), key=lambda trace: trace.stream.key != RATE)
        return tuple(trace.stream for trace in traces)

    def begin_trial(
        self, trial_id: str, label: str, *, from_empty: bool, block: int = 1, place: int | None = None
    ) -> None:
        """Take note that a trial begins.

        Args:
            from_empty: nothing was done before the trial, so that its first reading gives a rate, too.
            block, place: as in `TrialBand`.
        """
        if self._bands:
            self._bands[-1] = self._present
            for trace in self._traces.values():
                trace.end_trial(self._bands[-1])
        self._base_s = self._end_s
        self._bands.append(TrialBand(trial_id, label, self._base_s, self._base_s, block, place))
        self._last = (0.0, 0.0) if from_empty else None

    def add(self, samples: Sequence[Sample]) -> None:
        """Take the readings of one tick of the present trial."""
        self.total = None if self.views is None else self.views.live_total(samples)
        if not samples or not self._bands:
            return
        for sample in samples:
            self._trace(sample).add(self._base_s + sample.offset_s, sample.value, self._base_s)
        if self.total is not None:
            self._add_rate(self.total)
        self._end_s = max(self._end_s, self._base_s + samples[-1].offset_s)

    def _trace(self, sample: Sample) -> _Trace:
        trace = self._traces.get(sample.stream)
        if trace is None:
            own = self.views.series_title(sample.stream) if self.views is not None else ""
            named = own or (_("Backlog") if sample.stream == BACKLOG else sample.stream)
            title = named[:1].upper() + named[1:]
            trace = self._traces[sample.stream] = _Trace(Stream(sample.stream, title, sample.unit))
        return trace

    def _add_rate(self, total: LiveTotal) -> None:
        """Add how fast the total of the system grew since the last reading that told more."""
        before = self._last
        if before is not None and total.value == before[1] and total.offset_s > before[0]:
            return  # between two batches nothing is told: the next rate is over the whole wait, not over its last tick
        self._last = (total.offset_s, total.value)
        if before is None or total.offset_s <= before[0] or total.value < before[1]:
            return
        if RATE not in self._traces:
            self._traces[RATE] = _Trace(Stream(RATE, total.title, total.unit))
        rate_per_s = (total.value - before[1]) / (total.offset_s - before[0])
        self._traces[RATE].add(self._base_s + total.offset_s, rate_per_s, self._base_s)

    def means(self, key: str) -> tuple[TrialMean, ...]:
        """Return a stream's mean in each trial, the present one included; none where there is no such stream."""
        trace = self._traces.get(key)
        return () if trace is None else trace.means(self._present)

    def curve(self, key: str) -> Curve:
        """Return the points of a stream, none where there is no such stream yet."""
        trace = self._traces.get(key)
        if trace is None:
            nothing = np.zeros(0)
            return Curve(nothing, nothing, np.zeros(0, dtype=np.bool_))
        x, y = trace.points()
        starts = np.asarray([band.start_s for band in self._bands])
        # a reading at the very start of a trial cannot be: the first is taken one tick later
        trial = np.searchsorted(starts, x, side="left")
        joined = np.append(trial[:-1] == trial[1:], False) if x.size else np.zeros(0, dtype=np.bool_)
        return Curve(x, y, joined)
