"""A lab whose servers fall silent when a test says so: what is asked then waits until they answer again."""

import threading
from dataclasses import replace
from typing import Any, Final

from app.domain.ports import StatementSink
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.foundation.asked import Asked
from app.services.ports import TargetOpener
from tests.patience import PATIENCE_S, PAUSE_S

SERVER: Final = "DIST1"
"""Whose answer is awaited, whatever is asked."""


class SilentLab:
    """Opens targets that answer, or do not; a cancel ends what waits as a driver does, without an answer.

    Attributes:
        waits: set while an answer is awaited in vain.
    """

    def __init__(self, opener: TargetOpener) -> None:
        self._opener = opener
        self._answers = threading.Event()
        self._answers.set()
        self.waits = threading.Event()

    def fall_silent(self) -> None:
        """Answer nothing from now on."""
        self.waits.clear()
        self._answers.clear()

    def answer_again(self) -> None:
        """Answer what waits, and all that comes."""
        self._answers.set()

    def __call__(self, target: str, seed: int, on_statement: StatementSink, /) -> Target:
        """Open a target."""
        asked, cancelled = Asked(), threading.Event()
        opened: Any = self._opener(target, seed, lambda record: self._pass(record, on_statement, asked, cancelled))
        opened.asked, opened.cancel = asked, cancelled.set
        silent: Target = opened
        return silent

    def _pass(
        self, record: StatementRecord, on_statement: StatementSink, asked: Asked, cancelled: threading.Event
    ) -> None:
        """Hand a statement on once it is answered."""
        if self._answers.is_set():
            on_statement(record)
            return
        cancelled.clear()
        with asked.asking(SERVER):
            self.waits.set()
            for _look in range(round(PATIENCE_S / PAUSE_S)):
                if self._answers.wait(PAUSE_S) or cancelled.is_set():
                    break
        on_statement(record if self._answers.is_set() else replace(record, error="cancelled"))
