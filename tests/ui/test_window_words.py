"""No text of the window calls a window on one backlog a trial: pages of the wizard, those beside it, and dialogs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QPlainTextEdit,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.domain.events import RunStatus
from app.flows.shell.wizard import Choices, Step
from app.foundation.window_words import names_trials
from app.ui.desk import Desk
from app.ui.page_factories import page_factories
from app.ui.pages.run_page import RunPage
from app.ui.pages.runs_page import RunsPage
from tests.patience import PATIENCE_MS
from tests.ui.conftest import Shown
from tests.ui.person import click, find
from tests.ui.sessions import ready, run_on_lab, windows_plan
from tests.writers import incident


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Choices:
    """The choices of a run in windows; the tests only read it."""
    folder = tmp_path_factory.mktemp("windows")
    choices = run_on_lab(folder / "session", windows_plan(), f"lab:{incident(folder, outage_h=1.0)}")
    assert choices.run_end is not None
    assert choices.run_end.status == RunStatus.SUCCEEDED, choices.run_end.reason
    return choices


def every_text(root: QWidget) -> Iterator[str]:
    """Yield every text shown below a widget: on labels and tooltips, in tables and their headings."""
    for kind in (QLabel, QAbstractButton, QGroupBox, QComboBox, QTabWidget, QPlainTextEdit, QTableView):
        for widget in root.findChildren(kind):
            if widget.isVisibleTo(root):
                yield widget.toolTip()
                yield from _own_texts(widget)


def _own_texts(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    elif isinstance(widget, QTabWidget):
        yield from (widget.tabText(place) for place in range(widget.count()))
    elif isinstance(widget, QPlainTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QTableView) and widget.model() is not None:
        model, top = widget.model(), QModelIndex()
        for place in range(model.columnCount(top)):
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield str(model.headerData(place, Qt.Orientation.Horizontal, role) or "")
                yield from (str(model.index(row, place).data(role) or "") for row in range(model.rowCount(top)))


def of_trials(root: QWidget) -> set[str]:
    """Return the lines below a widget that name trials, and not windows as well."""
    return {line for text in every_text(root) for line in text.splitlines() if names_trials(line)}


@pytest.mark.parametrize("step", [Step.PLAN, Step.PREFLIGHT, Step.RUN, Step.FINDINGS, Step.HAND_OVER])
def test_pages_of_the_wizard(step: Step, desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot) -> None:
    """Whatever a page shows of a plan in windows, and of a session that was run so."""
    holder = QWidget()
    page = page_factories()[step](desk, holder)
    QVBoxLayout(holder).addWidget(page)
    shown(holder, 1166, 640)
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0, timeout=PATIENCE_MS)
    assert of_trials(page) == set()


def test_a_run_while_it_goes_on(desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """From what will happen to its end, with its log and its tables of changes."""
    page = RunPage(desk)
    shown(page, 1166, 640)
    page.show_choices(ready(tmp_path / "session", windows_plan(), f"lab:{incident(tmp_path, outage_h=0.5)}"))
    seen = of_trials(page)
    desk.bridge.events_delivered.connect(lambda _events: seen.update(of_trials(page)))
    click(find(page, QAbstractButton, "run.start_button"))
    qtbot.waitUntil(lambda: not desk.is_running and desk.tasks.count == 0, timeout=PATIENCE_MS)
    assert seen | of_trials(page) == set()


def test_runs_of_a_file(desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot) -> None:
    """Their table and what is shown of the newest."""
    assert measured.place is not None
    holder = QWidget()
    shown(holder)
    page = RunsPage(desk, holder)
    page.show_file(measured.place.session_file)
    qtbot.waitUntil(lambda: desk.tasks.count == 0, timeout=PATIENCE_MS)
    assert of_trials(page) == set()
