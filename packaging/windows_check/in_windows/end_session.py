"""A window with a run that Windows asks whether the session may end: `end_session.py TARGET PLAN FOLDER JOURNAL`.

Run by check.py with Python for Windows, which says by a line of input when servers are changed. The window is sent what
Windows sends at log-off (https://learn.microsoft.com/windows/win32/shutdown/wm-queryendsession). Prints JSON: whether
it allowed it while the run went on, and afterwards.
"""

import ctypes
import json
import sys
import threading
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.bootstrap import build_program
from app.services.plan.plan_file import load_plan
from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.services.run.run_job import JobOrder
from app.services.workplace import open_workplace
from app.ui.app import make_application
from app.ui.desk import Desk
from app.ui.main_window import MainWindow

WM_QUERYENDSESSION: Final = 0x0011
WM_ENDSESSION: Final = 0x0016
ENDSESSION_LOGOFF: Final = 0x80000000


class Ending:
    """Asks the window from another thread, as Windows does, and lets the program end after the run.

    Args:
        window: the handle of the window.
        user32: Windows' own.
    """

    def __init__(self, window: int, user32: Any) -> None:
        self._window = window
        self._ask = user32.SendMessageW
        self._ask.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_size_t)
        self.answers: list[bool] = []

    def ask(self) -> None:
        """Ask whether the session may end, keep the answer, and say that it goes on, as Windows does once refused."""
        self.answers.append(bool(self._ask(self._window, WM_QUERYENDSESSION, 0, ENDSESSION_LOGOFF)))
        self._ask(self._window, WM_ENDSESSION, 0, ENDSESSION_LOGOFF)

    def ask_once_told(self) -> None:
        """Wait for a line of input, then ask."""
        sys.stdin.readline()
        self.ask()


def main(target: str, plan: str, folder: str, journal: str) -> int:
    """Run the plan in a window, ask in mid-run and afterwards."""
    if sys.platform != "win32":
        raise SystemExit("only Windows asks so")
    place = Path(folder)
    application = make_application(["replitune"])
    program = Program(build_program().parts)
    preferences = PreferenceFile(place / "preferences.json")
    preferences.save(Preferences(sessions_folder=str(place / "sessions")))
    desk = Desk(program, preferences)
    window = MainWindow(desk)
    window.show()
    ending = Ending(int(window.winId()), ctypes.WinDLL("user32"))
    loaded = load_plan(Path(plan), program.families)
    workplace = open_workplace(place / "sessions" / "asked")
    order = JobOrder(target, loaded, program.families[loaded.family], workplace, Path(journal))

    def ask_again_and_end(_end: object) -> None:
        ending.ask()
        application.quit()  # which destroys the window

    desk.job_ended.connect(ask_again_and_end)
    desk.start_job(order)
    threading.Thread(target=ending.ask_once_told, daemon=True).start()
    application.exec()
    sys.stdout.write(json.dumps(ending.answers))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
