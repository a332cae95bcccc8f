"""A second process that shares the work on the hand-over of a large session: its fingerprint, and half of its figures.

What it cannot do, whoever asked does: nothing but the time that passes depends on it.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.domain.plot import Figure
from app.domain.ports import FigureRenderer
from app.foundation.own_process import answers_of_this_process, pipe_of, processors, start_own
from app.services.program import Program
from app.store import open_for_reading

COMMAND: Final = "--hand-over"
"""Only argument of a program that is started to do what it is told through its standard input."""

_LARGE_BYTES: Final = 4_000_000
"""Of a session's file; that of the demonstration, with 56 figures, has 10 MB. A process starts in about a second."""
_PATIENCE_S: Final = 60.0  # for an answer of a process that came to a standstill


@dataclass(frozen=True)
class _Fingerprint:
    session_file: Path
    session_id: str | None

    def find(self) -> str:
        """Return the hash of the session's content."""
        with open_for_reading(self.session_file) as reader:
            return reader.session_hash(self.session_id)


def serve(program: Program) -> int:
    """Carry out the starting process's orders, until it closes its end; return the exit code."""
    answers = answers_of_this_process()
    renderer: FigureRenderer | None = None
    with suppress(EOFError, OSError):
        while True:
            asked: _Fingerprint | Figure = pickle.load(sys.stdin.buffer)
            answer: str | bytes | None
            try:
                if isinstance(asked, _Fingerprint):
                    answer = asked.find()
                else:
                    renderer = renderer or program.parts.make_renderer()
                    (answer,) = renderer.render_svg((asked,))
            except Exception:  # noqa: BLE001 - whoever asked meets the same, and tells it
                answer = None
            pickle.dump(answer, answers)
            answers.flush()
            renderer = renderer or program.parts.make_renderer()  # what is asked for next, while nobody waits
    return 0


class Helper:
    """The process, as whoever started it sees it; any thread may ask."""

    def __init__(self) -> None:
        """Start it; raises OSError where none can be started."""
        self._process = start_own([COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._asking = ThreadPoolExecutor(1, "hand-over")

    def fingerprint(self, session_file: Path, session_id: str | None) -> Callable[[], str | None]:
        """Begin to compute the fingerprint of a session, the newest one for None; return a function that waits for it.

        It is None where that fails.
        """
        asked = self._asking.submit(self._ask, _Fingerprint(session_file.absolute(), session_id))
        return lambda: _answer_of(asked)

    def figure(self, plot: Figure) -> bytes | None:
        """Return a plot as an SVG document, None where it cannot be drawn there."""
        drawn: bytes | None = _answer_of(self._asking.submit(self._ask, plot))
        return drawn

    def _ask(self, asked: _Fingerprint | Figure) -> Any:
        try:
            pickle.dump(asked, pipe_of(self._process.stdin))
            pipe_of(self._process.stdin).flush()
            return pickle.load(pipe_of(self._process.stdout))
        except (OSError, EOFError, pickle.UnpicklingError):
            return None

    def close(self) -> None:
        """End the process, whatever it is at."""
        self._process.kill()
        self._process.wait()
        self._asking.shutdown()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe_of(pipe).close()


def _answer_of(asked: "Future[Any]") -> Any:
    try:
        return asked.result(_PATIENCE_S)
    except TimeoutError:
        return None


class SharedRenderer:
    """Draws figures from the first on, while a helper draws them from the last on."""

    def __init__(self, renderer: FigureRenderer, helper: Helper, ahead: Sequence[Figure] = ()) -> None:
        """Share figures with a helper, which begins at once with those that are probably asked for."""
        self._renderer = renderer
        self._helper = helper
        self._is_helped = True
        self._known = set[Figure]()
        self._left = deque[Figure]()
        self._made: dict[Figure, bytes] = {}
        self._helping = threading.Thread()
        self._put_before(ahead)

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return one SVG document for each plot, as the renderer draws them."""
        self._put_before([plot for plot in plots if plot not in self._known])
        self._draw(set(plots))
        if self._helping.ident is not None:
            self._helping.join()
        self._draw(set(plots))
        return tuple(self._made[plot] for plot in plots)

    def _put_before(self, plots: Sequence[Figure]) -> None:
        """Put plots before those that are left, and have the helper go on."""
        self._known.update(plots)
        self._left.extendleft(reversed(plots))
        if plots and not self._helping.is_alive():
            self._helping = threading.Thread(target=self._help_out, name="figures", daemon=True)
            self._helping.start()

    def _help_out(self) -> None:
        while self._is_helped and (plot := _taken(self._left.pop)) is not None:
            drawn = self._helper.figure(plot)
            if drawn is None:
                self._left.append(plot)
                self._is_helped = False
            else:
                self._made[plot] = drawn

    def _draw(self, wanted: Collection[Figure]) -> None:
        while (plot := _taken(self._left.popleft)) is not None:
            if plot in wanted:
                (self._made[plot],) = self._renderer.render_svg((plot,))
            else:
                self._known.discard(plot)


def _taken(take: Callable[[], Figure]) -> Figure | None:
    """Return the plot taken from an end of a queue, None where the other end took the last."""
    try:
        return take()
    except IndexError:
        return None


@contextmanager
def helper_for(session_file: Path) -> Iterator[Helper | None]:
    """Have help with a session's hand-over, None where it is not large or this computer has no process for it."""
    helper = None
    with suppress(OSError):
        # Windows gives a program without a console no streams to talk to others through.
        if processors() > 1 and sys.__stdout__ is not None and os.stat(session_file).st_size >= _LARGE_BYTES:
            helper = Helper()
    try:
        yield helper
    finally:
        if helper is not None:
            helper.close()
