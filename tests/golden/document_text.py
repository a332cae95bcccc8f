"""A report's content as plain text, for comparing with the text kept beside the tests."""

import dataclasses

from app.reporting.document.attachments import build_attachments
from app.reporting.document.whole import build_document
from app.reporting.request import ReportRequest

_LAYOUT = frozenset({"kind", "start", "align", "tone", "width", "columns_count", "level", "anchor", "link"})


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
        texts = [item["text"] if isinstance(item, dict) and "mono" in item else item for item in value]
        if value and all(isinstance(text, str) for text in texts):
            lines.append(" | ".join(texts))
        else:
            for item in value:
                _collect(item, key, lines)
    elif isinstance(value, str) and value and key not in _LAYOUT:
        lines.append(value)
