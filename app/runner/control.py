"""What a person may ask of a run while it goes on: cancel now, pause after the trial."""

import threading


class RunCancelled(Exception):
    """Raised inside the run, at its next safe point, after `RunControl.cancel`."""


class RunControl:
    """Requests from another thread to the one that runs the experiment; safe to call from any thread."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._may_go_on = threading.Event()
        self._may_go_on.set()

    def cancel(self) -> None:
        """Ask the run to end at its next safe point and to restore the server."""
        self._cancelled.set()
        self._may_go_on.set()

    def pause(self) -> None:
        """Ask the run to pause after the present trial, with the server restored."""
        self._may_go_on.clear()

    def resume(self) -> None:
        """Let a paused run go on."""
        self._may_go_on.set()

    @property
    def pause_requested(self) -> bool:
        """Whether a pause was asked for and not lifted."""
        return not self._may_go_on.is_set()

    def wait_while_paused(self) -> None:
        """Block until the run may go on or is cancelled."""
        self._may_go_on.wait()

    def check(self) -> None:
        """Raise RunCancelled where a cancel was asked for; called between statements."""
        if self._cancelled.is_set():
            raise RunCancelled
