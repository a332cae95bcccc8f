"""Background reads for pages: one verb, results on the main thread, dropped where the page is gone."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

T = TypeVar("T")


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
        self._count = 0
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
    ) -> None:
        """Run `work` on a worker thread, then `on_done` or `on_error` on the main thread.

        Args:
            owner: the page that asks; where it is deleted meanwhile the result is dropped.
        """
        self._count += 1
        self.count_changed.emit(self._count)
        future: Future[object] = self._pool.submit(work)

        def told(done: "Future[object]") -> None:
            self._answered.emit(_Answer(owner, done, on_done, on_error))  # type: ignore[arg-type]  # T is erased here

        future.add_done_callback(told)

    @Slot(object)
    def _on_answered(self, answer: _Answer) -> None:
        self._count -= 1
        self.count_changed.emit(self._count)
        if not shiboken6.isValid(answer.owner):
            return
        error = answer.future.exception()
        if error is None:
            answer.on_done(answer.future.result())
        else:
            answer.on_error(error)

    def close(self) -> None:
        """Wait for what is going on and start nothing more."""
        self._pool.shutdown(wait=True, cancel_futures=True)
