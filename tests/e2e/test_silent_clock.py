"""A served lab that is stopped: whoever waits for it is known, also where its clock is asked."""

import os
import signal
import sys
import threading

import pytest

from app.bootstrap import build_program
from tests.e2e.posed_lab import Pose, posed_lab
from tests.labs import ignore
from tests.patience import PATIENCE_S, PAUSE_S


@pytest.mark.skipif(sys.platform == "win32", reason="a process there has no signal that stops it")
def test_a_lab_that_is_stopped_owes_an_answer_where_its_clock_is_asked() -> None:
    """The time of a lab is asked over the same line, between two statements: half of its silences fall there."""
    with posed_lab(Pose(noise=False)) as lab:
        target = build_program().parts.open_target(lab.key(), 1, ignore)
        os.kill(lab.process_id, signal.SIGSTOP)
        waiting = threading.Thread(target=target.clock.sleep, args=(1.0,))
        waiting.start()
        try:
            for _look in range(round(PATIENCE_S / PAUSE_S)):
                if target.asked.server == "DIST1" or not waiting.is_alive():
                    break
                waiting.join(PAUSE_S)
            assert target.asked.server == "DIST1"
        finally:
            os.kill(lab.process_id, signal.SIGCONT)
            waiting.join()
        assert target.asked.server == ""
        target.close()
