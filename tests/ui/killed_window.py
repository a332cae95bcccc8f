"""A window in a process of its own that starts a long run, says so, and waits to be killed."""

import os
import sys
from dataclasses import replace
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from app.bootstrap import build_program
from app.domain.events import ChangeApplied, RunEvent
from app.domain.setting import Setting
from app.services.preferences import PreferenceFile, Preferences
from app.services.program import Program
from app.systems.transactional_replication.server.step_changes import JOB_STEP_TOKEN
from app.ui.app import make_application
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from tests.ui.held_lab import HeldUndo
from tests.ui.shell_parts import order_of, small_plan


def main(target: str, folder: Path, journal_path: Path) -> None:
    """Run on a target until somebody kills this process."""
    application = make_application(["replitune"])
    parts = build_program().parts
    held = HeldUndo(parts.open_target, at_once=0)  # what is changed stays so until the kill, however slow the machine
    program = Program(replace(parts, journal_path=journal_path, open_target=held))
    preferences = PreferenceFile(folder / "preferences.json")
    preferences.save(Preferences(sessions_folder=str(folder / "sessions")))
    desk = Desk(program, preferences)
    window = MainWindow(desk)
    window.show()
    desk.bridge.events_delivered.connect(_tell)
    small = small_plan(200_000, blocks=50)
    streams = replace(small.factors[0], levels=(4, 8))  # either is a change, whichever comes first
    plan = replace(small, factors=(streams,), baseline=Setting.of(SubscriptionStreams=4))
    desk.start_job(order_of(program, plan, target, folder / "sessions" / "killed"))
    application.exec()


def _tell(events: tuple[RunEvent, ...]) -> None:
    """Say when a setting has been changed: not a profile of its own that no agent has yet, nor an agent stopped."""
    changed = (event for event in events if isinstance(event, ChangeApplied))
    if any(event.change.kind == JOB_STEP_TOKEN for event in changed):
        print("changed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
