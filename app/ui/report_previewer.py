"""Keeps the preview of the report up to date: one at a time, in the background, the last wish wins."""

from functools import partial

from PySide6.QtCore import QObject

from app.domain.errors import ReplituneError
from app.flows.hand_over.hand_over_view import ReportForm, check_form, failed_text, options_of
from app.services.explain.explaining import ExplainedSession
from app.services.hand_over.report_and_scripts import KeptFigures, preview_report
from app.ui.desk import Desk
from app.ui.widgets.report_preview import ReportPreview

# Sharp enough to be read at the width the preview has, on a fine screen, too.
_PREVIEW_PPI = 130.0


class ReportPreviewer(QObject):
    """Makes previews of one session's report, as its form asks for.

    Attributes:
        figures: draws what the report shows, each figure once.
    """

    def __init__(self, desk: Desk, explained: ExplainedSession, preview: ReportPreview, parent: QObject) -> None:
        super().__init__(parent)
        self.figures = KeptFigures(desk.program.parts.make_renderer())
        self._desk = desk
        self._explained = explained
        self._preview = preview
        self._wish: ReportForm | None = None
        self._made: ReportForm | None = None
        self._is_making = False

    def wish(self, form: ReportForm) -> None:
        """Show the report of a form as soon as possible; a form with a mistake is passed over."""
        if check_form(form).is_right:
            self._wish = form
            self._make()

    def _make(self) -> None:
        if self._is_making or self._wish is None or self._wish == self._made:
            return
        self._is_making, self._made = True, self._wish
        self._preview.show_busy(is_busy=True)
        advisor = self._desk.program.advisor
        work = partial(preview_report, self._explained, advisor, self.figures, options_of(self._wish), _PREVIEW_PPI)
        self._desk.tasks.query(self, work, self._on_made, self._on_failed)

    def _on_made(self, pages: tuple[bytes, ...]) -> None:
        self._preview.show_pages(pages)
        self._end()

    def _on_failed(self, error: BaseException) -> None:
        self._preview.show_problem(failed_text(error))
        if not isinstance(error, ReplituneError):
            self._desk.trouble.emit(error)
        self._end()

    def _end(self) -> None:
        self._is_making = False
        self._preview.show_busy(is_busy=False)
        self._make()
