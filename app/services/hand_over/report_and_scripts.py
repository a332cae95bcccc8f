"""The hand-over: report, scripts and measurements of a session, made from its file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.domain.decision import DecisionKind
from app.domain.errors import BadInput
from app.domain.hand_over import ScriptFiles
from app.domain.naming import NOTHING_DECLARED
from app.domain.plot import Figure
from app.domain.ports import FigureRenderer
from app.domain.session import Advice
from app.foundation.clock import SystemClock
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.reporting.document.scripts import Scripts
from app.reporting.export.csv_export import findings_csv
from app.reporting.export.json_export import session_json
from app.reporting.redact.redaction import redactor_for
from app.reporting.render.html import render_html
from app.reporting.render.markdown import render_markdown
from app.reporting.render.pdf import render_pages, write_report
from app.reporting.render.prepared import shown_advice
from app.reporting.request import Paper, ReportRequest
from app.reporting.wording import Vocabulary
from app.services.explain.advising import Advisor
from app.services.explain.explaining import ExplainedSession, explain_session
from app.services.hand_over.free_texts import NO_CHOICES, NameChoices, check_free_texts, free_texts
from app.services.hand_over.own_place import own_place
from app.services.hand_over.second_process import SharedRenderer, helper_for
from app.services.workplace import Workplace, open_workplace

MOST_DECISIONS: Final = 100
"""That a report prints: a file of thousands of conditions would fill thousands of pages nobody reads."""


@dataclass(frozen=True)
class ReportOptions:
    """A person's wishes for a report.

    Attributes:
        names: what a person decided of names no record tells, where names are replaced.
        client, consultant: for the cover; "" keeps what the session says.
        logo: PNG, JPEG or SVG, or None.
        template: folder whose `brand.typ` (colours, fonts) and other files replace the shipped ones, and whose
            `brand.css` is read after the style sheet of HTML, or None.
        is_redacted: the session's names are replaced already; the report says so.
        with_notes: the notes on the session and its runs are printed.
        paper: what a PDF is laid out for.
        window: when the change window begins, by the clock there, for the calendar; None where no date is set.
    """

    redact: bool = False
    names: NameChoices = NO_CHOICES
    client: str = ""
    consultant: str = ""
    logo: Path | None = None
    template: Path | None = None
    is_redacted: bool = False
    with_notes: bool = False
    paper: Paper = Paper.A4
    window: datetime | None = None


class ReportFormat(StrEnum):
    """The format of a report, by the end of its file's name."""

    PDF = ".pdf"
    HTML = ".html"
    MARKDOWN = ".md"
    WORD = ".docx"
    SLIDES = ".pptx"
    WORKBOOK = ".xlsx"
    CALENDAR = ".ics"
    CSV = ".csv"

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole report, figures included, and no part of it."""
        return self in (ReportFormat.PDF, ReportFormat.HTML, ReportFormat.MARKDOWN, ReportFormat.WORD)


class KeptFigures:
    """Draws each figure once, so that another preview of the same session costs no drawing; any thread may ask."""

    def __init__(self, renderer: FigureRenderer) -> None:
        self._renderer = renderer
        self._kept: dict[Figure, bytes] = {}

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return one SVG document for each plot, as the renderer draws them."""
        missing = [plot for plot in plots if plot not in self._kept]
        self._kept.update(zip(missing, self._renderer.render_svg(missing), strict=True))
        return tuple(self._kept[plot] for plot in plots)


@dataclass(frozen=True)
class WrittenFile:
    """One file of a hand-over, as it lies on disk."""

    path: Path
    size_bytes: int


def hand_over(
    place: Workplace, session_id: str, advisor: Advisor, renderer: FigureRenderer
) -> tuple[Advice, Workplace]:
    """Write report, scripts and measurements of a session where it has its own place, beside its file or below.

    Returns:
        what it was advised, and where the files are.

    Raises:
        StoreError: the session file cannot be read.
        BadInput: a file cannot be written.
    """
    place = own_place(place, session_id)
    open_workplace(place.folder)
    explained, _files = _explain_and_write(
        place.session_file, session_id, place.report, advisor, renderer, ReportOptions()
    )
    write_scripts(explained, place, advisor)
    _write(place.measurements, explained.measurements_csv)
    return explained.advice, place


def write_session_report(
    session_file: Path,
    out: Path,
    advisor: Advisor,
    renderer: FigureRenderer,
    wishes: ReportOptions,
    session_id: str | None = None,
) -> tuple[WrittenFile, ...]:
    """Write the report of a session, the file's newest for None, in the format given by the end of its name.

    Raises:
        StoreError: the session file cannot be read, or holds no such session.
        BadInput: the name ends otherwise, the report cannot be written, or logo or template cannot be read.
        UndecidedTexts: names are replaced, and nobody has decided on the title, the foreword, a note …
    """
    check_format(out)
    return _explain_and_write(session_file, session_id, out, advisor, renderer, wishes)[1]


def _explain_and_write(
    session_file: Path,
    session_id: str | None,
    out: Path,
    advisor: Advisor,
    renderer: FigureRenderer,
    wishes: ReportOptions,
) -> tuple[ExplainedSession, tuple[WrittenFile, ...]]:
    """Explain a session and write its report, by two processes where it is large."""
    with helper_for(session_file) as helper:
        if helper is None:
            explained = explain_session(session_file, session_id, advisor)
            return explained, write_explained_report(explained, out, advisor, renderer, wishes)
        found = helper.fingerprint(session_file, session_id)
        explained = explain_session(session_file, session_id, advisor, found)
        request = _decided_request(explained, advisor, wishes)
        # Of what is redacted, figures hold other names than these.
        ahead = request.advice.plots if check_format(out).is_whole and not wishes.redact else ()
        return explained, write_as_named(request, out, SharedRenderer(renderer, helper, ahead))


def write_explained_report(
    explained: ExplainedSession, out: Path, advisor: Advisor, renderer: FigureRenderer, wishes: ReportOptions
) -> tuple[WrittenFile, ...]:
    """Write the report of a session that was read and explained before; return the report first, then its files.

    Its name's end says what it is written as: .pdf, .html, .md and .docx (with a folder of figures and data beside it),
    or a part of it: .pptx (page 1), .xlsx (run sheet and data), .ics (steps of the change window), .csv (the findings).

    Raises:
        BadInput: the name ends otherwise, the report cannot be written, or logo or template cannot be read.
    """
    return write_as_named(_decided_request(explained, advisor, wishes), out, renderer)


def write_as_named(request: ReportRequest, out: Path, renderer: FigureRenderer) -> tuple[WrittenFile, ...]:
    """Write a report as the end of its name says; raises BadInput as `write_explained_report` does."""
    match check_format(out):
        case ReportFormat.PDF:
            write_report(request, renderer, out)
            return (_written(out),)
        case ReportFormat.HTML:
            return (_write(out, render_html(request, renderer)),)
        case ReportFormat.WORD:
            from app.reporting.render.word import render_word  # these load libraries that no other format needs

            folder = out.with_name(f"{out.stem}.files")
            word = render_word(request, renderer)
            files = tuple(_write(_made(folder) / name, content) for name, content in word.files)
            return (_write(out, word.content), *files)
        case ReportFormat.MARKDOWN:
            folder = out.with_name(f"{out.stem}.files")
            made = render_markdown(request, renderer, folder.name)
            files = tuple(_write(_made(folder) / name, content) for name, content in made.files)
            return (_write(out, made.text), *files)
        case part:
            return (_write(out, _part_of(request, part, renderer)),)


def _part_of(request: ReportRequest, part: ReportFormat, renderer: FigureRenderer) -> bytes:
    """Return what a format holds of a report."""
    match part:
        case ReportFormat.SLIDES:
            from app.reporting.render.slides import render_slides

            return render_slides(request, renderer)
        case ReportFormat.WORKBOOK:
            from app.reporting.render.workbook import render_workbook

            return render_workbook(request)
        case ReportFormat.CALENDAR:
            from app.reporting.render.steps_calendar import render_calendar

            return render_calendar(request)
    return findings_csv(shown_advice(request), Vocabulary(request.families))


def check_format(out: Path) -> ReportFormat:
    """Return the format of a report by its name; raises BadInput where the ending is unknown."""
    try:
        return ReportFormat(out.suffix.lower())
    except ValueError as error:
        raise BadInput(
            _("{path}: end the report's name in {known}, which says what it is written as").format(
                path=out, known=", ".join(ReportFormat)
            )
        ) from error


def preview_report(
    explained: ExplainedSession,
    advisor: Advisor,
    renderer: FigureRenderer,
    wishes: ReportOptions,
    pixels_per_inch: float,
) -> tuple[bytes, ...]:
    """Return the pages of the report as PNG pictures; writes nothing.

    Raises:
        BadInput: the logo cannot be read.
    """
    return render_pages(_request(explained, advisor, wishes), renderer, pixels_per_inch)


def scripts_of(explained: ExplainedSession, advisor: Advisor) -> tuple[ScriptFiles, ...]:
    """Return the scripts a session comes to, one pair for each decision and server."""
    return _scripts(explained, advisor).files()


def _scripts(explained: ExplainedSession, advisor: Advisor) -> Scripts:
    return Scripts(explained.session, Vocabulary(advisor.families.values()), explained.advice.decisions)


def write_scripts(explained: ExplainedSession, place: Workplace, advisor: Advisor) -> tuple[WrittenFile, ...]:
    """Write the scripts for the client's DBA: one that applies the recommendations, one that undoes them.

    `rollback.sql` beside them is the undo journal's: it undoes what a run left changed.

    Raises:
        BadInput: a file cannot be written.
    """
    scripts = tuple(_scripts(explained, advisor).written())
    return tuple(_write(place.folder / script.name, script.content) for script in scripts)


def write_scripts_apart(explained: ExplainedSession, report: Path, advisor: Advisor) -> tuple[WrittenFile, ...]:
    """Write the scripts into a folder of the report's own, `<its name>.scripts` beside it.

    Raises:
        BadInput: a file cannot be written, or the folder holds scripts that are not of this report, which somebody
            might run with them.
    """
    folder = report.with_name(f"{report.stem}.scripts")
    names = {name for files in scripts_of(explained, advisor) for name in (files.apply, files.rollback)}
    others = sorted(path.name for path in folder.glob("*.sql") if path.name not in names)
    if others:
        raise BadInput(
            _("{folder} holds scripts of another report, such as {name}; give the report another name").format(
                folder=folder, name=others[0]
            )
        )
    return write_scripts(explained, open_workplace(folder), advisor)


def write_data(explained: ExplainedSession, place: Workplace, advisor: Advisor) -> tuple[WrittenFile, ...]:
    """Write the measurements as CSV, and the results as JSON.

    Raises:
        BadInput: a file cannot be written.
    """
    return (
        _write(place.measurements, explained.measurements_csv),
        _write(place.results, session_json(explained.session, explained.advice, Vocabulary(advisor.families.values()))),
    )


def _decided_request(explained: ExplainedSession, advisor: Advisor, wishes: ReportOptions) -> ReportRequest:
    """Return the request for a report; raises UndecidedTexts where it would hold names nobody has decided on."""
    request = _request(explained, advisor, wishes)
    if request.redact:
        redactor = redactor_for([request.session], request.hide, request.declared)
        check_free_texts(free_texts(request.session), redactor, wishes.names, advisor.families.values())
    return request


def _request(explained: ExplainedSession, advisor: Advisor, wishes: ReportOptions) -> ReportRequest:
    if wishes.logo is not None and not wishes.logo.is_file():
        raise BadInput(_("{path} is not a file; give a PNG, JPEG or SVG as logo").format(path=wishes.logo))
    session = explained.session
    named = replace(
        session,
        client=wishes.client or session.client,
        consultant=wishes.consultant or session.consultant,
        own_words=session.own_words if wishes.with_notes else replace(session.own_words, notes=()),
    )
    return ReportRequest(
        session=named,
        advice=_printed(explained.advice),
        issued_utc=SystemClock().now_utc(),
        session_hash=explained.digest,
        families=tuple(advisor.families.values()),
        redact=wishes.redact,
        hide=wishes.names.hide,
        is_redacted=wishes.is_redacted,
        logo=wishes.logo,
        template=wishes.template,
        measured_csv=None if wishes.redact else (lambda: explained.measurements_csv),
        paper=wishes.paper,
        window=wishes.window,
        declared=advisor.declared_texts() if wishes.redact else NOTHING_DECLARED,
    )


def _printed(advice: Advice) -> Advice:
    """Return the printed part of an advice: of a great many decisions those to be looked at first, with their
    figures."""
    if len(advice.decisions) <= MOST_DECISIONS:
        return advice
    # Scripts are attached, and made of decisions: no change is left out.
    changes = sum(decision.kind is DecisionKind.CHANGE for decision in advice.decisions)
    decisions = advice.decisions[: max(MOST_DECISIONS, changes)]
    shown = {_experiment_of(finding.figure) for decision in decisions for finding in decision.findings}
    told = _(
        "this report prints the first {most} of {count:,} decisions and their figures; findings.csv, comparisons.csv "
        "and session.json have all of them"
    ).format(most=len(decisions), count=len(advice.decisions))
    return replace(
        advice,
        decisions=decisions,
        plots=tuple(plot for plot in advice.plots if _experiment_of(plot.plot_id) in shown),
        warnings=(told, *advice.warnings),
    )


def _experiment_of(plot_id: str) -> str:
    return plot_id.rsplit("/", 1)[0]


def _made(folder: Path) -> Path:
    return open_workplace(folder).folder


def _written(path: Path) -> WrittenFile:
    return WrittenFile(path, path.stat().st_size)


def _write(path: Path, content: bytes) -> WrittenFile:
    try:
        write_atomically(path, content)
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another folder").format(path=path, why=error.strerror)
        ) from error
    return _written(path)
