"""Background reads for pages: one verb, results on the main thread, dropped where the page is gone."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, Signal, Slot

T = TypeVar("T")

_MOST_ASKING = 8  # more than one person waits for; those that were given up end within seconds
_PATIENCE_S = 0.02  # between two looks at the events while closing


@dataclass(frozen=True, eq=False)
class _Answer:
    owner: QObject
    future: "Future[object]"
    on_done: Callable[[object], None]
    on_error: Callable[[BaseException], None]


class Tasks(QObject):
    """Runs functions on worker threads and tells their results on the main thread.

    The functions own no Qt objects and take no widgets. Created and closed on the main thread.

    Signals:
        count_changed: number of tasks going on, for a busy cursor and for tests.
    """

    count_changed = Signal(int)
    _answered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="read")
        self._asking = ThreadPoolExecutor(max_workers=_MOST_ASKING, thread_name_prefix="ask")
        self._count = 0
        self._going_on: set[Future[object]] = set()
        self._is_closed = False
        self._answered.connect(self._on_answered, Qt.ConnectionType.QueuedConnection)

    @property
    def count(self) -> int:
        """Number of tasks going on."""
        return self._count

    def query(
        self,
        owner: QObject,
        work: Callable[[], T],
        on_done: Callable[[T], None],
        on_error: Callable[[BaseException], None],
        *,
        asks_servers: bool = False,
    ) -> None:
        """Run `work` on a worker thread, then `on_done` or `on_error` on the main thread.

        Args:
            owner: the page that asks; where it is deleted meanwhile the result is dropped.
            asks_servers: it may hang for minutes, and keeps nobody waiting who only reads files.
        """
        if self._is_closed:
            return
        self._count += 1
        self.count_changed.emit(self._count)
        pool = self._asking if asks_servers else self._pool
        future: Future[object] = pool.submit(work)
        self._going_on.add(future)

        def told(done: "Future[object]") -> None:
            self._answered.emit(_Answer(owner, done, on_done, on_error))  # type: ignore[arg-type]  # T is erased here

        future.add_done_callback(told)

    @Slot(object)
    def _on_answered(self, answer: _Answer) -> None:
        self._count -= 1
        self.count_changed.emit(self._count)
        self._going_on.discard(answer.future)
        if self._is_closed or not shiboken6.isValid(answer.owner):
            return
        error = answer.future.exception()
        if error is None:
            answer.on_done(answer.future.result())
        else:
            answer.on_error(error)

    def close(self) -> None:
        """Wait for the running reads, drop their results and start nothing more.

        What goes on may wait for a figure to be drawn on this thread, so events are handled meanwhile.
        """
        self._is_closed = True
        for pool in (self._pool, self._asking):
            pool.shutdown(wait=False, cancel_futures=True)
        while wait(self._going_on, timeout=_PATIENCE_S).not_done:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        for pool in (self._pool, self._asking):
            pool.shutdown(wait=True)
