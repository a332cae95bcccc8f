"""The real window on a stage: driven as a person would, and photographed in light and dark."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPushButton, QWidget

from app.bootstrap import build_program
from app.domain.events import RunEvent, TrialFinished
from app.domain.option_words import window_speaks
from app.flows.shell.wizard import Step
from app.services.preferences import PreferenceFile, Scheme
from app.services.program import Program
from app.services.target.saved_targets import SavedTargets
from app.ui.app import make_application
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.theme import SchemeKeeper
from app.ui.wizard_frame import WizardFrame
from tests.patience import PATIENCE_S

T = TypeVar("T", bound=QObject)

SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")


class Studio:
    """A window with a folder of its own; nothing of the person's is touched.

    Attributes:
        pictures: names of the pictures taken, without scheme, in order.
        finished_trials: how many trials have ended so far.
    """

    def __init__(
        self,
        application: QApplication,
        folder: Path,
        pictures: Path,
        width_px: int,
        height_px: int,
        schemes: tuple[Scheme, ...] = SCHEMES,
    ) -> None:
        """Open the window.

        Args:
            folder: for sessions, preferences and the undo journal.
            pictures: where pictures go, one folder for each scheme.
            width_px, height_px: size of the window, before scaling.
            schemes: the colours of every picture.
        """
        self.application = application
        self.folder = folder
        self._schemes = schemes
        self._pictures = pictures
        self.pictures: list[str] = []
        self._scheme = SchemeKeeper(application, "light")
        self._font = application.font()
        program = Program(replace(build_program().parts, journal_path=folder / "undo.journal"))
        program = Program(replace(program.parts, saved_targets=SavedTargets(folder / "targets.json")))
        preferences = PreferenceFile(folder / "preferences.json")
        preferences.save(replace(preferences.load(), sessions_folder=str(folder / "sessions")))
        self.desk = Desk(program, preferences)
        self.finished_trials = 0
        self.desk.bridge.events_delivered.connect(self._on_events_delivered)
        self.window = MainWindow(self.desk)
        self.window.resize(width_px, height_px)
        self.window.show()
        self.settle()

    def _on_events_delivered(self, events: tuple[RunEvent, ...]) -> None:
        self.finished_trials += sum(isinstance(event, TrialFinished) for event in events)

    def settle(self) -> None:
        """Wait until nothing is read and everything is drawn."""
        self.wait(lambda: self.desk.tasks.count == 0)
        for _turn in range(3):
            self.application.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Let the window live until a condition holds; fails only where it never would."""
        until = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > until:
                raise TimeoutError(f"the window did not get there within {PATIENCE_S:.0f} s")
            self.application.processEvents()
            time.sleep(0.005)

    def find(self, kind: type[T], name: str) -> T:
        """Return the one object of a kind and name in the window."""
        found = self.window.findChildren(kind, name)
        if len(found) != 1:
            raise LookupError(f"{len(found)} objects named {name}")
        return found[0]

    def click(self, name: str) -> None:
        """Click a button or box, wherever in the window it is, once it can be pressed."""
        widget = self.find(QWidget, name)
        self.wait(widget.isEnabled)
        # a box is clicked on its square, which is at its left end
        at = QPoint(10, widget.height() // 2) if not isinstance(widget, QPushButton) else widget.rect().center()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
        self.settle()

    def type_into(self, name: str, text: str) -> None:
        """Replace what stands in a field."""
        field = self.find(QLineEdit, name)
        if name.startswith(("plan.design.", "plan.limits.")) and not field.isVisible():
            self.click("plan.fold_button")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)
        self.settle()

    def trigger(self, name: str) -> None:
        """Choose an entry of the menu bar."""
        self.find(QAction, name).trigger()
        self.settle()

    def agree(self) -> None:
        """Tick every server at Preflight."""
        boxes = self.window.findChildren(QCheckBox)
        for box in boxes:
            if box.objectName().startswith("preflight.consent") and not box.isChecked():
                self.click(box.objectName())

    @property
    def step(self) -> Step | None:
        """The step the wizard shows, None before a session was begun."""
        frame = self.find(WizardFrame, "wizard")
        return None if frame.page is None else frame.wizard.step

    def shoot(self, name: str, widget: QWidget | None = None, *, settled: bool = True) -> None:
        """Take a picture of the window, or of a dialog over it, in both schemes."""
        if settled:
            self.settle()
        self.pictures.append(name)
        number = len(self.pictures)
        for scheme in self._schemes:
            self._scheme.prefer(scheme)
            for _turn in range(4):
                (widget or self.window).grab()  # plots are drawn once they were seen
                self.application.processEvents()
            folder = self._pictures / scheme
            folder.mkdir(parents=True, exist_ok=True)
            (widget or self.window).grab().save(str(folder / f"{number:02}-{name}.png"))
        self._scheme.prefer("light")
        self.application.processEvents()

    def show_at(self, font_percent: int) -> None:
        """Show everything at another size of text than the system's."""
        font = QFont(self._font)
        font.setPointSizeF(self._font.pointSizeF() * font_percent / 100)
        if font != self.application.font():
            self.application.setFont(font)

    def close(self) -> None:
        """Close the window, stopping whatever goes on; it is gone at once, with all that is in it."""
        if self.desk.job is not None and self.desk.is_running:
            self.desk.job.control.cancel()
            self.wait(lambda: not self.desk.is_running)
        self.settle()
        self.window.close()
        self.window.deleteLater()
        self.desk.close()
        self.desk.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@contextmanager
def open_studio(
    folder: Path, pictures: Path, width_px: int, height_px: int, schemes: tuple[Scheme, ...] = SCHEMES
) -> Iterator[Studio]:
    """Open a studio and close it in any case."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = make_application(["replitune"])
    studio = Studio(application, folder, pictures, width_px, height_px, schemes)
    try:
        with window_speaks(studio.desk.program.parts.connection_ways):
            yield studio
    finally:
        studio.close()
