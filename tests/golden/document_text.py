"""A report's content as plain text, for comparing with the text kept beside the tests."""

import dataclasses

from app.reporting.document.attachments import build_attachments
from app.reporting.document.whole import build_document
from app.reporting.request import ReportRequest

_LAYOUT = frozenset({"kind", "start", "align", "tone", "width", "columns_count", "level"})


def document_text(request: ReportRequest) -> str:
    """Return every text of a report in reading order, one on a line."""
    lines: list[str] = []
    _collect(dataclasses.asdict(build_document(request, build_attachments(request))), "", lines)
    return "\n".join(lines) + "\n"


def _collect(value: object, key: str, lines: list[str]) -> None:
    if isinstance(value, dict):
        for name, item in value.items():
            _collect(item, name, lines)
    elif isinstance(value, (list, tuple)):
        if value and all(isinstance(item, str) for item in value):
            lines.append(" | ".join(value))
        else:
            for item in value:
                _collect(item, key, lines)
    elif isinstance(value, str) and value and key not in _LAYOUT:
        lines.append(value)
