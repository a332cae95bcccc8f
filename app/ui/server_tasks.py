"""Background reads at servers: a silent one is told to every page, and nobody needs to wait for it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.domain.errors import StatementCancelled
from app.foundation.texts import _
from app.services.ports import TargetOpener
from app.services.target.answers import Answers, Silence
from app.ui.tasks import Tasks

T = TypeVar("T")

_LOOK_MS: Final = 1_000


@dataclass(frozen=True, eq=False)
class _Waiting:
    """Somebody who waits for servers.

    Attributes:
        owner: where it is deleted, nobody waits any longer.
        tell_left: tells them that nobody waits any longer.
        stop: has the work end by itself; None for work that only reads, and may be left wherever it is.
    """

    answers: Answers
    owner: QObject
    tell_left: Callable[[], None]
    stop: Callable[[], None] | None


class ServerTasks(QObject):
    """Asks servers on worker threads; created and used on the main thread.

    Attributes:
        answers: makes what hears the servers of a piece of work, to be named to `query`.

    Signals:
        silence_told: the Silence of the server that is silent the longest, each second; None once there is none.
    """

    silence_told = Signal(object)

    def __init__(self, tasks: Tasks, answers: Callable[[], Answers], parent: QObject) -> None:
        """Ask nothing yet.

        Args:
            answers: makes what hears the servers of a piece of work.
        """
        super().__init__(parent)
        self._tasks, self.answers = tasks, answers
        self._waiting: list[_Waiting] = []
        self._left: list[Answers] = []
        self._silence: Silence | None = None
        self._ticking = QTimer(self)
        self._ticking.setInterval(_LOOK_MS)
        self._ticking.timeout.connect(self.look)

    def query(
        self,
        owner: QObject,
        work: Callable[[TargetOpener], T],
        on_done: Callable[[T], None],
        on_error: Callable[[BaseException], None],
        *,
        answers: Answers | None = None,
        stop: Callable[[], None] | None = None,
    ) -> Answers:
        """Run `work` on a worker thread, given what opens targets; then `on_done` or `on_error` on the main thread.

        Args:
            owner: the page that asks; where it is deleted meanwhile the result is dropped.
            answers: those of earlier questions over the same connection, None for new ones.
            stop: has work that changes servers end by itself; None for work that only reads.

        Returns:
            What `leave` takes.
        """
        heard = self.answers() if answers is None else answers
        left = partial(self._tell, owner, on_error, StatementCancelled(_("cancelled; nothing was changed")))
        waiting = _Waiting(heard, owner, left, stop)
        self._waiting.append(waiting)
        self._ticking.start()
        done, failed = partial(self._on_done, waiting, owner, on_done), partial(self._on_done, waiting, owner, on_error)
        self._tasks.query(self, partial(work, heard.open), done, failed, asks_servers=True)
        return heard

    def leave(self, answers: Answers) -> None:
        """Wait for some work no longer: nobody is told of it, and its statement ends."""
        for waiting in [waiting for waiting in self._waiting if waiting.answers is answers]:
            self._let_go(waiting)
            waiting.answers.give_up()
        self.look()

    def _let_go(self, waiting: _Waiting) -> None:
        self._waiting.remove(waiting)
        self._left.append(waiting.answers)

    @Slot()
    def give_up(self) -> None:
        """Wait for nothing any longer: whoever reads is told so at once; who changes servers ends and tells how."""
        self.leave_reads()
        for waiting in self._waiting:
            if waiting.stop is not None:
                waiting.stop()
                waiting.answers.interrupt()

    def leave_reads(self) -> None:
        """Wait no longer for whatever only reads; whoever asked is told so."""
        for waiting in [waiting for waiting in self._waiting if waiting.stop is None]:
            self.leave(waiting.answers)
            waiting.tell_left()

    @Slot()
    def look(self) -> None:
        """Tell who is silent now, and end work that was left: its next statement may hang as well."""
        for waiting in [one for one in self._waiting if one.stop is None and not shiboken6.isValid(one.owner)]:
            self._let_go(waiting)
        for answers in self._left:
            answers.give_up()
        silences = [silence for waiting in self._waiting if (silence := waiting.answers.look()) is not None]
        silence = max(silences, key=lambda one: one.silent_s, default=None)
        if not self._waiting and not self._left:
            self._ticking.stop()
        if silence is not None or self._silence is not None:
            self._silence = silence
            self.silence_told.emit(silence)

    def _on_done(self, waiting: _Waiting, owner: QObject, on_answer: Callable[[T], None], answer: T) -> None:
        if waiting in self._waiting:
            self._waiting.remove(waiting)
            self._tell(owner, on_answer, answer)
        elif waiting.answers in self._left:
            self._left.remove(waiting.answers)
        self.look()

    @staticmethod
    def _tell(owner: QObject, on_answer: Callable[[T], None], answer: T) -> None:
        if shiboken6.isValid(owner):
            on_answer(answer)
