"""The common input of all writers of a report: names as they shall appear, content, attachments and plots."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from app.domain.plot import Figure
from app.domain.ports import FigureRenderer
from app.domain.session import Advice
from app.foundation.texts import in_words_of
from app.reporting.blocks import Attachment, Document, Medium
from app.reporting.document.attachments import build_attachments
from app.reporting.document.whole import build_document
from app.reporting.redact.redaction import redact
from app.reporting.render.figures_page import figures_page
from app.reporting.request import ReportRequest


@dataclass(frozen=True)
class Prepared:
    """One report before it is written, the same for PDF, HTML and Markdown.

    Attributes:
        request: with names as they appear. plots: in the order `FigureBlock.index` counts them. figures: as SVG.
    """

    request: ReportRequest
    document: Document
    attachments: tuple[Attachment, ...]
    plots: tuple[Figure, ...]
    figures: tuple[bytes, ...]


def prepare(
    request: ReportRequest, medium: Medium, renderer: FigureRenderer, printable: Callable[[Figure], Figure]
) -> Prepared:
    """Return the content of a report with its figures and attachments, names as they shall appear.

    Args:
        printable: returns a plot whose texts the medium can carry.
    """
    request = with_names_shown(request)
    with in_words_of(request.session):
        return _prepared(request, medium, renderer, printable)


def _prepared(
    request: ReportRequest, medium: Medium, renderer: FigureRenderer, printable: Callable[[Figure], Figure]
) -> Prepared:
    drawn: tuple[Figure, ...] = (*request.observed_figures, *request.advice.plots)
    plots = tuple(map(printable, drawn))
    files = build_attachments(request)  # before figures, which another process may have begun to draw
    figures = renderer.render_svg(plots)
    attachments = (*files, *figures_page(figures, plots))
    return Prepared(request, build_document(request, attachments, medium), attachments, plots, figures)


def shown_advice(request: ReportRequest) -> Advice:
    """Return the advice of a request's report, its names replaced where that is asked for."""
    return with_names_shown(request).advice


def with_names_shown(request: ReportRequest) -> ReportRequest:
    """Return a request with its names as they shall appear; asked again, it changes nothing."""
    if not request.redact:
        return request
    session, advice = redact(request.session, request.advice, request.declared, request.hide)
    return dataclasses.replace(request, session=session, advice=advice, redact=False, is_redacted=True)
