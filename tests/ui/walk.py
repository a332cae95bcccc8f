"""Walks through every page and dialog and prints what is cut off, which keys lead to two things, and what is plain.

A process of its own: the language is chosen when the first text is made; in the pseudo language what is plain was not
translated. Its arguments name the looks (`clipping.py`)
that everything is looked at in; without any those of all states.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDialog,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)

from app.flows.shell.error_report import RecentLog
from app.flows.shell.wizard import Wizard
from app.foundation.paths import resource_path
from app.foundation.texts import LANGUAGE
from app.ui.error_dialog import ErrorDialog
from app.ui.password_asker import PasswordDialog
from app.ui.wizard_frame import WizardFrame
from tests.lived_pasts import take_pasts
from tests.ui.clipping import LOOKS, Look, clipped_as, lay_out_as, scrolls_sideways
from tests.ui.journey import clashing_mnemonics, numbers_on, spelt_twice
from tests.ui.plots import nameless_curves
from tests.ui.studio import Studio, open_studio

# Every vowel of a translated text has an accent: a word with a plain one is data, or was forgotten.
_WORD: Final = re.compile(r"[A-Za-z]?[a-z]{2,}")
_PLAIN_VOWEL: Final = re.compile(r"[aeiouAEIOU]")

# What stays as it is in every language.
_NAMES: Final = frozenset(
    word
    for words in (
        "Replitune Microsoft Oracle Python Linux Apache Inter JetBrains Mono pyqtgraph numpy scipy utf",  # products
        "Return Shift Ctrl Home Tab Esc Enter Alt",  # keys
        "English Deutsch",  # languages, each in its own
        "Save Cancel Close Yes",  # Qt's own buttons, which it translates itself
        "Publisher Subscriber Distributor Primary Secondary Source Destination apply stripes",  # vendors' terms
        "primary secondary manual automatic Enterprise Edition Adaptive Server",  # said by a server
        "Default agent profile distribution",  # names of profiles
        "commands transactions connections bytes messages rows entries servers min",  # units
        "family run metric value unit source scenario drained on off dry",  # columns of a file, and values in them
        "table of the article",  # said by the file that is imported
        "lab anna strmadmin Archive",  # names
    )
    for word in words.split()
)

# At the usual size of text no table scrolls sideways from this width on.
_TABLES_FIT_FROM_PX: Final = 1280
_MAY_SCROLL: Final = frozenset(
    {
        "import.raw_table",  # has as many columns as somebody's file
        "runs.trials_table",  # shares its width with a plot, as the person divides it
    }
)

# Titles of documents are data.
_SOURCES: Final = re.compile(r"Šöûrçé:.*", re.DOTALL)

# Widgets that show what is no text of the program: scripts, paths, reports, titles of documents, Qt's own.
_FOREIGN: Final = re.compile(
    r"qt_|Scroll(Left|Right)Button|.*(\.sources|script|import\.(raw_table|column_)|undo_places|report_text|about|help|path|statements\.text"
    r"|doctor\.parts_table|preview)"
)


class Findings:
    """What was found, each text once."""

    def __init__(self, studio: Studio, looks: Sequence[Look]) -> None:
        self._studio = studio
        self._looks = looks
        families = studio.desk.program.families.values()
        self._parameters = {parameter.name for family in families for parameter in family.parameters}
        self.untranslated: dict[str, str] = {}
        self.clipped: dict[str, str] = {}
        self.nameless: dict[str, str] = {}
        self.clashing: dict[str, str] = {}
        self.spelt: dict[str, str] = {}
        self.sideways: dict[str, str] = {}
        self.leading: dict[str, str] = {}
        self.places = 0
        self.texts = 0

    def look_at(self, root: QWidget, place: str) -> None:
        """Look at every widget of a window, page or dialog."""
        self.places += 1
        for look in self._looks:
            for cut, where in clipped_as(self._studio, root, look).items():
                self.clipped.setdefault(cut, f"{place}, {look.name}: {where}")
            self.sideways.update(dict.fromkeys(cut_tables(root, look), f"{place}, {look.name}"))
            for series, plot in nameless_curves(root).items():
                self.nameless.setdefault(series, f"{place}, {look.name}: {plot}")
        lay_out_as(self._studio, root, self._looks[0])  # goes on as it came
        for number in spelt_twice(numbers_on(root)):
            self.spelt.setdefault(str(number), place)
        for letter, those in clashing_mnemonics(root).items():
            self.clashing.setdefault(f"{letter}: {', '.join(sorted(those))}", place)
        self.leading.update(dict.fromkeys(several_primary(root), place))
        for widget in (root, *root.findChildren(QWidget)):
            if _FOREIGN.match(widget.objectName()) or (widget is not root and not widget.isVisibleTo(root)):
                continue
            name = f"{place}: {type(widget).__name__} {widget.objectName()}"
            for text in texts_of(widget):
                self.texts += 1
                if not self._parameters.issuperset(forgotten(text)):
                    self.untranslated.setdefault(text, name)


def several_primary(root: QWidget) -> list[str]:
    """Return the texts of the buttons in sight that lead and can be pressed, where there is more than one."""
    buttons = [button for button in root.findChildren(QPushButton) if button.isVisibleTo(root)]
    leading = [button.text() for button in buttons if button.isDefault() and button.isEnabled()]
    return leading if len(leading) > 1 else []


def cut_tables(root: QWidget, look: Look) -> list[str]:
    """Return the tables that scroll sideways at the usual size of text, those left out that may."""
    is_usual = look.width_px >= _TABLES_FIT_FROM_PX and look.font_percent == 100 and LANGUAGE == "en"
    tables = root.findChildren(QTableView) if is_usual else []
    return [t.objectName() for t in tables if scrolls_sideways(t) and t.objectName() not in _MAY_SCROLL]


def texts_of(widget: QWidget) -> Iterator[str]:
    """Return what a person reads or hears at a widget."""
    yield from (widget.accessibleName(), widget.toolTip(), widget.windowTitle())
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    elif isinstance(widget, QTabWidget):
        yield from (widget.tabText(place) for place in range(widget.count()))
    elif isinstance(widget, QTableView):
        model = widget.model()
        across = Qt.Orientation.Horizontal
        yield from (str(model.headerData(place, across) or "") for place in range(model.columnCount(QModelIndex())))
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView | QListView):
        model = widget.model()
        rows = min(model.rowCount(QModelIndex()), 30)
        columns = model.columnCount(QModelIndex())
        yield from (str(model.index(row, place).data() or "") for row in range(rows) for place in range(columns))
    yield from (
        action.text() for action in widget.findChildren(QAction, options=Qt.FindChildOption.FindDirectChildrenOnly)
    )


def forgotten(text: str) -> list[str]:
    """Return the words of a text that are not translated and are no names."""
    plain = re.sub(r"\S*&lt;\w+&gt;\S*", " ", _SOURCES.sub("", text))  # a name with a gap: undo-<server>.sql
    plain = re.sub(r"<[^<>]*>|&\w+;", " ", plain)
    plain = re.sub(r"&\w", "", plain)  # the letter of a key keeps its plain form
    found = []
    for token in plain.split():
        bare = token.strip("[]()·.,;:!?…\"'“”×→–-%")
        is_word = _WORD.fullmatch(bare) and _PLAIN_VOWEL.search(bare)
        if is_word and bare not in _NAMES:
            found.append(bare)
    return found


def walk(studio: Studio, found: Findings) -> None:
    """Go everywhere."""
    window = studio.window
    found.look_at(window, "start")
    studio.click("start.import_button")
    studio.type_into("import.file_edit", str(resource_path("published", "replication-agents-2018.csv")))
    studio.type_into("import.folder_edit", str(studio.folder / "study"))
    found.look_at(window, "import")
    window.show_start()
    studio.click("start.new_button")
    studio.click("target.new_button")
    for place in range(studio.find(QComboBox, "target.way_combo").count()):
        studio.find(QComboBox, "target.way_combo").setCurrentIndex(place)
        studio.settle()
        found.look_at(window, f"target form {place}")
    agents(studio, found)
    plans(studio, found)
    dialogs(studio, found)


def agents(studio: Studio, found: Findings) -> None:
    """A whole session on replication agents."""
    window = studio.window
    window.begin_lab()
    studio.settle()
    found.look_at(window, "topology")
    for name in ("site.experiments_button", "experiment.distribution_agent_radio"):
        studio.click(name)
    found.look_at(window, "experiment")
    studio.click("wizard.next_button")
    studio.click("plan.fold_button")
    studio.click("plan.quick_button")
    studio.type_into("plan.workload.commands_edit", "3000")
    found.look_at(window, "plan")
    plans_by_time(studio, found, "plan by time")
    studio.click("plan.dry_run_button")
    dialog = studio.find(QDialog, "dry_run")
    look_at_tabs(studio, found, dialog, "dry run")
    dialog.close()
    studio.click("wizard.next_button")
    studio.agree()
    found.look_at(window, "preflight")
    studio.click("wizard.next_button")
    found.look_at(window, "run, ready")
    studio.click("run.start_button")
    studio.wait(lambda: not studio.desk.is_running)
    studio.click("wizard.back_button")
    found.look_at(window, "run")
    studio.click("wizard.next_button")
    look_at_tabs(studio, found, studio.find(WizardFrame, "wizard"), "findings")
    studio.click("wizard.next_button")
    found.look_at(window, "hand-over")
    window.show_runs()
    studio.settle()
    look_at_tabs(studio, found, window, "runs")


def plans(studio: Studio, found: Findings) -> None:
    """Topology and plan of the other subjects, and Preflight of one."""
    subjects = (("lab:ag-2016", "commit_mode"), ("lab:ag-seeding", "seeding"), ("lab:streams-2009", "streams_apply"))
    for target, family in subjects:
        studio.window.begin_lab()
        studio.settle()
        frame = studio.find(WizardFrame, "wizard")
        frame.begin(replace(Wizard(), step=frame.wizard.step, choices=replace(Wizard().choices, target=target)))
        studio.settle()
        found.look_at(studio.window, f"topology of {target}")
        for name in ("site.experiments_button", f"experiment.{family}_radio", "wizard.next_button"):
            studio.click(name)
        plans_by_time(studio, found, f"plan of {family}")
        if family != "seeding":
            studio.click("wizard.next_button")
            found.look_at(studio.window, f"preflight of {family}")


def plans_by_time(studio: Studio, found: Findings, place: str) -> None:
    """A plan with too little time for any design, and with enough for some."""
    for minutes in (1, 300):
        studio.find(QSpinBox, "plan.minutes_edit").setValue(minutes)
        studio.settle()
        found.look_at(studio.window, f"{place}, {minutes} min")


def dialogs(studio: Studio, found: Findings) -> None:
    """Settings, About, keys, doctor, observing, statements, password and error."""
    for name in ("settings", "about", "keys", "doctor"):
        studio.trigger(f"action.{name}")
        opened = [dialog for dialog in studio.window.findChildren(QDialog) if dialog.isVisible()]
        for dialog in opened:
            look_at_tabs(studio, found, dialog, name)
            dialog.close()
        studio.settle()
    studio.window.begin_lab()
    studio.settle()
    for view in ("servers", "history"):
        studio.click(f"site.{view}_button")
        look_at_tabs(studio, found, studio.window, view)
    password = PasswordDialog("sqlserver://anna@db1", studio.window, can_keep=True)
    error = ErrorDialog("", "\n".join(RecentLog().lines()), studio.window)
    for shown, place in ((password, "password"), (error, "error")):
        shown.show()
        studio.settle()
        found.look_at(shown, place)
        shown.close()


def look_at_tabs(studio: Studio, found: Findings, root: QWidget, place: str) -> None:
    """Look at every tab of a window, or at the window where it has none."""
    tabs = [tabs for tabs in root.findChildren(QTabWidget) if tabs.isVisible()]
    for number in range(tabs[0].count() if tabs else 1):
        if tabs:
            tabs[0].setCurrentIndex(number)
        studio.settle()
        root.grab()  # what is made when it is seen
        studio.settle()
        found.look_at(root, f"{place} {number}" if tabs else place)


def main(names: Sequence[str]) -> int:
    """Print what was found, one a line; 1 where there is anything."""
    looks = [LOOKS[name] for name in names or LOOKS]
    with (
        tempfile.TemporaryDirectory(prefix="Replitune-") as folder,
        open_studio(Path(folder), Path(folder), looks[0].width_px, looks[0].height_px) as studio,
    ):
        found = Findings(studio, looks)
        walk(studio, found)
    kinds = {"cut off": found.clipped, "curve without a name": found.nameless, "one key twice": found.clashing}
    kinds["scrolls sideways"] = found.sideways
    kinds["two primary buttons"] = found.leading
    if LANGUAGE == "pseudo":
        kinds["untranslated"] = found.untranslated
    if LANGUAGE == "en":
        kinds["spelt twice"] = found.spelt
    for kind, texts in kinds.items():
        for text, place in texts.items():
            print(f"{kind}: {text!r} ({place})")
    print(f"{found.places} places, {found.texts} texts looked at")
    return 1 if any(kinds.values()) else 0


if __name__ == "__main__":
    take_pasts()
    sys.exit(main(sys.argv[1:]))
