"""Garbage is collected where widgets live."""

import gc
import threading

from pytestqt.qtbot import QtBot

from app.ui.desk import Desk


def test_what_a_worker_leaves_is_collected_on_the_main_thread(desk: Desk, qtbot: QtBot) -> None:
    """A worker allocates more than any threshold; not one object is taken down there."""
    collected_on: set[str] = set()

    class Knot:
        """Refers to itself, so that only the collector takes it down."""

        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            collected_on.add(threading.current_thread().name)

    def work() -> None:
        for _knot in range(3 * gc.get_threshold()[0]):
            Knot()

    answers: list[None] = []
    desk.tasks.query(desk, work, answers.append, desk.trouble.emit)
    qtbot.waitUntil(lambda: bool(answers and collected_on))
    assert collected_on == {threading.main_thread().name}
