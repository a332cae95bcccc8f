"""How long a run has taken, with and without its pauses."""


class RunClock:
    """Counts the seconds of one run; told the time by whoever has a clock that never runs backwards."""

    def __init__(self) -> None:
        self._started_s: float | None = None
        self._now_s = 0.0
        self._paused_since_s: float | None = None
        self._paused_s = 0.0

    def start(self, now_s: float) -> None:
        """Begin to count."""
        self._started_s = self._now_s = now_s

    def tick(self, now_s: float) -> None:
        """Let time pass."""
        if self._started_s is None:
            self._started_s = now_s
        self._now_s = now_s

    def pause(self) -> None:
        """Count the following time as a pause, where it does not already."""
        if self._paused_since_s is None:
            self._paused_since_s = self._now_s

    def go_on(self, now_s: float) -> None:
        """End a pause, where there is one."""
        self.tick(now_s)
        if self._paused_since_s is not None:
            self._paused_s += now_s - self._paused_since_s
            self._paused_since_s = None

    @property
    def now_s(self) -> float:
        """The time told last."""
        return self._now_s

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, pauses included."""
        return 0.0 if self._started_s is None else max(0.0, self._now_s - self._started_s)

    @property
    def worked_s(self) -> float:
        """Seconds since the start without pauses."""
        going_on = 0.0 if self._paused_since_s is None else self._now_s - self._paused_since_s
        return max(0.0, self.elapsed_s - self._paused_s - going_on)
