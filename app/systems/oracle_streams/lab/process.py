"""The common base of the pipeline's processes: status, start and stop, and how their time was spent."""

from collections.abc import Callable, Iterable
from typing import Literal

from app.lab.clock import Event, EventQueue, Stopwatch

Status = Literal["ENABLED", "DISABLED", "ABORTED"]
Phase = Literal["DOWN", "STARTING", "RUNNING", "STOPPING"]


class TimeShares:
    """Seconds spent in each of a few ways since a start; the ways exclude each other."""

    def __init__(self, ways: Iterable[str]) -> None:
        self._watches = {way: Stopwatch() for way in ways}
        self.current: str | None = None

    def switch(self, way: str | None, now_s: float) -> None:
        """From now on time is spent in this way; None: not counted."""
        if way == self.current:
            return
        if self.current is not None:
            self._watches[self.current].stop(now_s)
        if way is not None:
            self._watches[way].start(now_s)
        self.current = way

    def seconds(self, way: str, now_s: float) -> float:
        """Return the seconds spent in one way up to now."""
        return self._watches[way].total_s(now_s)


class Process:
    """Status and life of a capture, propagation or apply process.

    The status is what the dictionary keeps; the phase is what the process does. A process runs while it is enabled and
    its database is up. Subclasses say what beginning, working, ending and being cut off mean.

    Attributes:
        status: as in DBA_CAPTURE, DBA_APPLY, DBA_PROPAGATION.
        error_number, error_message: why it is ABORTED or DISABLED; None and an empty text otherwise.
        phase: down, starting, running or stopping.
        startup_s: when it was last started; None before.
        starts: how often it was started.
        is_hanging: fault: a stop only signals and never ends.
    """

    def __init__(self, events: EventQueue, start_s: float, stop_s: float) -> None:
        self.events = events
        self.status: Status = "DISABLED"
        self.error_number: int | None = None
        self.error_message = ""
        self.phase: Phase = "DOWN"
        self.startup_s: float | None = None
        self.starts = 0
        self.is_hanging = False
        self._start_s = start_s
        self._stop_s = stop_s
        self._is_up = True
        self._is_restarting = False
        self._event: Event | None = None

    def start(self) -> None:
        """Enable and start it.

        Raises:
            ValueError: it is running or stopping.
        """
        if self.phase != "DOWN":
            raise ValueError("the process is running; stop it and wait before starting it again")
        self.set_status("ENABLED")
        if self._is_up:
            self._begin()

    def halt(self) -> None:
        """Its database goes down: it is gone at once, its status stays."""
        self._is_up = False
        if self.phase != "DOWN":
            self._cut_off()
        if self.phase == "STOPPING" and self.status == "ENABLED" and not self._is_restarting:
            self.set_status("DISABLED")
        self._end()

    def resume(self) -> None:
        """Its database is up again: an enabled process starts by itself."""
        self._is_up = True
        if self.status == "ENABLED":
            self._begin()

    def set_hanging(self, is_hanging: bool) -> None:
        """Fault: from now on a stop never ends; False: one under way ends now."""
        self.is_hanging = is_hanging
        if not is_hanging and self.phase == "STOPPING" and self._event is None:
            self._finish_stop()

    def set_status(self, status: Status, error_number: int | None = None, error_message: str = "") -> None:
        """Change the dictionary's status with its error."""
        self.status = status
        self.error_number, self.error_message = error_number, error_message

    def _begin(self) -> None:
        self.phase = "STARTING"
        self.starts += 1
        self.startup_s = self.events.now_s
        self._reset()
        self._plan(self._start_duration_s(), self._run)

    def _run(self) -> None:
        self.phase = "RUNNING"
        self._work()

    def _plan(self, delay_s: float, action: Callable[[], None]) -> None:
        """Do this next, replacing the earlier plan."""
        self._cancel()
        self._event = self.events.after(delay_s, action)

    def _cancel(self) -> None:
        if self._event is not None:
            self._event.cancelled = True
            self._event = None

    def _finish_stop(self) -> None:
        """The stop is complete, unless the process hangs."""
        self._event = None
        if self.is_hanging:
            return
        self._end()
        if self.status == "ENABLED":
            self.set_status("DISABLED")

    def _end(self) -> None:
        self._cancel()
        self.phase = "DOWN"

    def _start_duration_s(self) -> float:
        return self._start_s

    def _reset(self) -> None:
        """Set the counters to zero, at each start."""
        raise NotImplementedError

    def _work(self) -> None:
        """Begin working."""
        raise NotImplementedError

    def _cut_off(self) -> None:
        """Give up everything in hand, because the database is gone."""
        raise NotImplementedError
