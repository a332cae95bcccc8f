"""The one stylesheet of the window, made of its colours; a widget's role is told by its property `role`.

Sizes of text are set in code, never here, so that they follow the system's. A widget that is styled is drawn by the
stylesheet alone, which is why arrows and ticks are icons of ours.

No widget has a stylesheet of its own. Schemes differ in colours only, which a test holds.
"""

from string import Template
from typing import Final

from app.foundation.paths import resource_path
from app.ui.tokens import Colors

ROLE: Final = "role"
"""The property that tells the stylesheet what a widget is for: bar, card, rail, words."""

STANDING: Final = "standing"
"""The property that tells it how a card stands: chosen, impossible, or "" for neither."""

_SHEET: Final = Template("""
QMainWindow, QDialog { background: $window; }
QMenuBar { background: $surface; border-bottom: 1px solid $line; padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 5px 10px; border-radius: 6px; }
QMenuBar::item:selected { background: $tint; color: $text; }
QMenu { background: $surface; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: $tint; color: $text; }
QMenu::item:disabled { color: $dimmed; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QToolTip { background: $tooltip; color: $text; border: 1px solid $field; padding: 4px; }

QPushButton { background: $surface; color: $text; border: 1px solid $field; border-radius: 6px; padding: 4px 12px; }
QPushButton:hover { background: $tint; }
QPushButton:pressed, QPushButton:checked { background: $tint; border-color: $accent; color: $accent; }
QPushButton:disabled { background: transparent; color: $dimmed; border-color: $line; }
QPushButton:default { background: $fill; color: $on_fill; border-color: $fill; }
QPushButton:default:hover, QPushButton:default:pressed { background: $pressed; border-color: $pressed; }
QPushButton:default:disabled { background: transparent; color: $dimmed; border-color: $line; }
QPushButton::menu-indicator { image: url($down); width: 12px; subcontrol-position: right center; right: 6px; }
QToolButton { background: transparent; color: $accent; border: none; border-radius: 6px; padding: 3px; }
QToolButton:hover { background: $tint; }

QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
  background: $surface; color: $text; border: 1px solid $field; border-radius: 6px; padding: 2px 6px;
  selection-background-color: $fill; selection-color: $on_fill; }
QPlainTextEdit, QTextEdit { border-color: $line; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus {
  border-color: $accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: $dimmed; border-color: $line; }
QLineEdit[readOnly="true"] { background: $sunk; }
QComboBox { padding-right: 24px; }
QComboBox::drop-down { border: none; width: 22px; subcontrol-position: right center; }
QComboBox::down-arrow { image: url($down); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $field; outline: none; }
QAbstractSpinBox { padding-right: 20px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: 18px; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url($up); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url($down); width: 9px; height: 9px; }

QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {
  width: 14px; height: 14px; background: $surface; border: 1px solid $field; border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
  background: $fill; border-color: $fill; image: url($tick); }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid $fill; background: $on_fill; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; background: transparent; }
QCheckBox:disabled, QRadioButton:disabled { color: $dimmed; }

QTableView, QTreeView, QListView {
  background: $surface; alternate-background-color: $sunk; color: $text; border: 1px solid $line; border-radius: 6px;
  gridline-color: $line; selection-background-color: $tint; selection-color: $text; outline: none; }
QTableView::item { padding: 0 3px; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section {
  background: $surface; color: $muted; border: none; border-bottom: 1px solid $line; padding: 4px 6px; }
QTableCornerButton::section { background: $surface; border: none; }

QGroupBox {
  background: $surface; border: 1px solid $line; border-radius: 8px; margin: 0; padding-top: 1.6em; }
QGroupBox::title { subcontrol-origin: border; subcontrol-position: top left; left: 8px; top: 6px; }
QTabWidget::pane { border: 1px solid $line; border-radius: 8px; background: $surface; top: -1px; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
  background: transparent; color: $muted; border: none; border-bottom: 2px solid transparent; padding: 5px 12px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $accent; border-bottom-color: $accent; }

QProgressBar { background: $sunk; color: $text; border: 1px solid $field; border-radius: 4px; }
QProgressBar[textVisible="true"] { text-align: right; margin-right: 7ex; }
QProgressBar::chunk { background: $fill; border-radius: 3px; }
QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar { background: transparent; margin: 0; border: none; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $field; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 28px; margin: 0 3px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 3px 0; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }

QFrame[role="bar"] { background: $surface; border-top: 1px solid $line; }
QFrame[role="card"] { background: $surface; border: 1px solid $line; border-radius: 8px; }
QFrame[role="card"][standing="chosen"] { border: 2px solid $accent; }
QFrame[role="card"][standing="impossible"] { background: $window; }
QTextEdit[role="words"] { background: transparent; border: none; padding: 0; }
QListWidget[role="rail"] {
  background: $surface; border: none; border-right: 1px solid $line; border-radius: 0; padding: 8px 6px; }
QListWidget[role="rail"]::item { border-radius: 6px; padding: 0 6px; }
QListWidget[role="rail"]::item:selected { background: $tint; color: $accent; }
""")


def stylesheet(colors: Colors) -> str:
    """Return the stylesheet of a scheme."""
    icons = resource_path("icons")
    pictures = {name: (icons / f"{name}-{colors.icons}.svg").as_posix() for name in ("up", "down", "tick")}
    told = {name: value for name, value in vars(colors).items() if name != "icons"}
    return _SHEET.substitute(told, **pictures)
