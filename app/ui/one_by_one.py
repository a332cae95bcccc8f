"""Reads what sessions showed, one after the other, off the main thread."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app.services.explain.verdict_counts import Showed
from app.ui.desk import Desk

K = TypeVar("K")


class OneByOne(QObject, Generic[K]):
    """Knows what sessions showed, by their keys, as soon as it is counted; earlier results stay until then.

    Signals:
        counted: something more is known.
    """

    counted = Signal()

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._showed: dict[K, Showed | None] = {}
        self._waiting: deque[K] = deque()
        self._is_counting = False

    @property
    def showed(self) -> Mapping[K, Showed | None]:
        """Return the results so far; None where they cannot be told."""
        return self._showed

    def _counting(self, key: K) -> Callable[[], Showed | None]:
        """Return what counts one on a worker thread, whatever is asked for meanwhile."""
        raise NotImplementedError  # where a session stands is known by who has the keys

    def _read(self, keys: Iterable[K]) -> None:
        """Count these, the first one first, and no longer those asked for before."""
        self._waiting = deque(keys)
        self._go_on()

    def _go_on(self) -> None:
        """Count the next one; a run that goes on has the computer to itself, and they are read again when it ends."""
        if self._waiting and not self._is_counting and not self._desk.is_running:
            self._is_counting = True
            key = self._waiting.popleft()
            self._desk.tasks.query(
                self, self._counting(key), partial(self._keep, key), partial(self._keep_unknown, key)
            )

    def _keep(self, key: K, showed: Showed | None) -> None:
        self._showed[key] = showed
        self._is_counting = False
        self.counted.emit()
        self._go_on()

    def _keep_unknown(self, key: K, _error: BaseException) -> None:
        self._keep(key, None)  # opening the session says why
