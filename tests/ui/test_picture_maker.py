"""The maker of pictures waits for what it photographs, however slow the machine is, and never for ever."""

import time
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication

from tests.patience import PATIENCE_S
from tests.ui.studio import open_studio


class _SlowClock:
    """A clock by which every look at it takes as long as ten seconds of a machine with other work to do."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        self.now_s += 10.0
        return self.now_s

    def sleep(self, _seconds: float) -> None:
        """Come back at once."""


def test_a_slow_machine_gets_its_pictures_and_a_stall_is_told(
    prepared_qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after ten minutes is photographed; what never comes ends the program with a sentence.

    The window is gone with its studio.
    """
    with open_studio(tmp_path / "own", tmp_path / "pictures", 800, 600) as studio:
        clock = _SlowClock()
        monkeypatch.setattr("tests.ui.studio.time", clock)
        studio.wait(lambda: clock.now_s > 600.0)
        assert clock.now_s < PATIENCE_S
        with pytest.raises(TimeoutError, match="did not get there"):
            studio.wait(lambda: False)
        monkeypatch.setattr("tests.ui.studio.time", time)
        studio.shoot("start")
        window = studio.window
    assert not shiboken6.isValid(window)  # else the next test of the process would meet it
    assert sorted(path.name for path in (tmp_path / "pictures").rglob("*.png")) == ["01-start.png"] * 2
