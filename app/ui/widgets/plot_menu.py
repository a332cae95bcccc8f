"""The menu of a plot: its picture, its values; and how its upright axis is divided."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from app.charts.export import PictureKind, Ranges, draw_picture
from app.domain.plot import PlotSpec
from app.flows.explain.plot_tools import PlotPart, can_be_logarithmic, proposed_name, table_of
from app.foundation.files import write_atomically
from app.foundation.texts import _


class PlotMenu(QObject):
    """The menu of one plot.

    Signals:
        whole_requested: show everything again.
        axis_chosen: whether the upright axis is to be logarithmic.
    """

    whole_requested = Signal()
    axis_chosen = Signal(bool)

    def __init__(self, name: str, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._name = name
        self._canvas = canvas
        self._spec: PlotSpec | None = None
        self._ranges: Ranges | None = None

    def show_for(self, spec: PlotSpec, ranges: Ranges | None, at: QPoint, *, can_choose_axis: bool = True) -> None:
        """Open the menu.

        Args:
            spec: the plot as it is shown.
            ranges: what is in sight, in drawn units.
            at: where, on the screen.
        """
        self._spec, self._ranges = spec, ranges
        menu = QMenu(self._canvas)
        menu.setObjectName(f"{self._name}.menu")
        menu.setAccessibleName(_("What can be done with the plot"))
        self._add(menu, "whole", _("&Show everything")).triggered.connect(self.whole_requested)
        if can_choose_axis:
            axis = self._add(menu, "log", _("&Logarithmic upright axis"))
            axis.setCheckable(True)
            axis.setChecked(spec.log_y)
            axis.setEnabled(spec.log_y or can_be_logarithmic(spec))
            axis.toggled.connect(self.axis_chosen)
        menu.addSeparator()
        self._add(menu, "copy_picture", _("Copy the &picture")).triggered.connect(self.copy_picture)
        self._add(menu, "copy_values", _("Copy the &values shown")).triggered.connect(self._on_copy_values)
        menu.addSeparator()
        for kind in PictureKind:
            text = _("Save the picture as {kind}…").format(kind=kind.upper())
            self._add(menu, f"save_{kind}", text).triggered.connect(partial(self._on_save_picture, kind))
        self._add(menu, "save_csv", _("Save the values shown as &CSV…")).triggered.connect(self._on_save_values)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _add(self, menu: QMenu, name: str, text: str) -> QAction:
        action = menu.addAction(text)
        action.setObjectName(f"{self._name}.{name}_action")
        return action

    def remember(self, spec: PlotSpec, ranges: Ranges | None) -> None:
        """Take note of the view, for copying without the menu."""
        self._spec, self._ranges = spec, ranges

    @Slot()
    def copy_picture(self) -> None:
        """Copy the picture of the view."""
        if self._spec is not None:
            picture = draw_picture(self._spec, PictureKind.PNG, self._ranges)
            QGuiApplication.clipboard().setImage(QImage.fromData(picture))

    @Slot()
    def _on_copy_values(self) -> None:
        if self._spec is not None:
            QGuiApplication.clipboard().setText(table_of(self._spec, self._part(), separator="\t"))

    def _on_save_picture(self, kind: PictureKind, _checked: bool = False) -> None:
        if self._spec is not None:
            self._save(f".{kind}", draw_picture(self._spec, kind, self._ranges))

    @Slot()
    def _on_save_values(self) -> None:
        if self._spec is not None:
            # the mark at its front tells Excel that it is UTF-8
            self._save(".csv", table_of(self._spec, self._part()).encode("utf-8-sig"))

    def _part(self) -> PlotPart | None:
        if self._spec is None or self._ranges is None:
            return None
        (x_low, x_high), (y_low, y_high) = self._ranges
        if self._spec.log_x:
            x_low, x_high = 10.0**x_low, 10.0**x_high
        if self._spec.log_y:
            y_low, y_high = 10.0**y_low, 10.0**y_high
        return PlotPart(x_low, x_high, y_low, y_high)

    def _save(self, suffix: str, content: bytes) -> None:
        """Ask where to, and write it."""
        name = proposed_name(self._spec, suffix) if self._spec is not None else f"plot{suffix}"
        kinds = _("{kind} files ({pattern})").format(kind=suffix[1:].upper(), pattern=f"*{suffix}")
        chosen, _kind = QFileDialog.getSaveFileName(self._canvas, _("Save the plot"), name, kinds)
        if not chosen:
            return
        path = Path(chosen)
        path = path if path.suffix else path.with_suffix(suffix)
        try:
            write_atomically(path, content)
        except OSError as error:
            text = _("{path} cannot be written: {why}").format(path=path, why=error.strerror or error)
            box = QMessageBox(QMessageBox.Icon.Warning, _("Not saved"), text, parent=self._canvas)
            box.setObjectName("plot.not_saved")
            box.setTextFormat(Qt.TextFormat.PlainText)
            box.open()
