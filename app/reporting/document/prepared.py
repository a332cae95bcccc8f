"""What every writer of a report starts from: names as they shall appear, content, attachments and plots."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.plot import PlotSpec
from app.domain.session import Advice
from app.reporting.blocks import Attachment, Document, Medium
from app.reporting.document.attachments import build_attachments
from app.reporting.document.whole import build_document
from app.reporting.redact.redaction import redact
from app.reporting.request import ReportRequest


@dataclass(frozen=True)
class Prepared:
    """One report before it is written, the same for PDF, HTML and Markdown.

    Attributes:
        request: with names as they appear. plots: in the order `FigureBlock.index` counts them.
    """

    request: ReportRequest
    document: Document
    attachments: tuple[Attachment, ...]
    plots: tuple[PlotSpec, ...]


def prepare(request: ReportRequest, medium: Medium, also: Sequence[Attachment] = ()) -> Prepared:
    """Return the content of a report, its names replaced where that is asked for, and what else is attached to it."""
    request = with_names_shown(request)
    attachments = (*build_attachments(request), *also)
    return Prepared(request, build_document(request, attachments, medium), attachments, request.advice.plots)


def shown_advice(request: ReportRequest) -> Advice:
    """Return what a request's report says was found, its names replaced where that is asked for."""
    return with_names_shown(request).advice


def with_names_shown(request: ReportRequest) -> ReportRequest:
    """Return a request with its names as they shall appear; asked again, it changes nothing."""
    if not request.redact:
        return request
    session, advice = redact(request.session, request.advice, request.declared)
    return dataclasses.replace(request, session=session, advice=advice, redact=False, is_redacted=True)
