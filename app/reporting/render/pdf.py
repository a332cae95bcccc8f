"""The PDF: data and figures into Typst, a tagged PDF/A-3a and PDF/UA-1 out of it."""

import dataclasses
import json
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.domain.plot import Figure
from app.domain.ports import FigureRenderer
from app.foundation.files import write_atomically
from app.foundation.paths import resource_path
from app.foundation.texts import _, language_tag
from app.foundation.typesetting import DOCUMENT, DocumentRefused, DocumentTooMuch, Order, typeset
from app.reporting.blocks import Attachment, Document, Medium
from app.reporting.records import map_texts
from app.reporting.render.branding import (
    STANDARDS,
    Logo,
    problem_reason,
    read_logo,
    refusal,
    template_files,
    too_much,
)
from app.reporting.render.characters import breakable, clean, drawn_text, spell_out, uncovered
from app.reporting.render.prepared import prepare
from app.reporting.request import ReportRequest

# Typst draws where a problem stands as "┌─ folder/brand.typ:2:9".
_PLACE: Final = re.compile(r"┌─ (?:.*[/\\])?(?P<file>[^/\\\n]+):(?P<line>\d+):\d+")
_NO_TEXT_KEYS: Final = frozenset({"kind", "tone", "verdict", "start", "align"})


def write_report(request: ReportRequest, renderer: FigureRenderer, out: Path) -> None:
    """Write the report of a session as a PDF, replacing the file at `out` in one step.

    Raises:
        BadInput: the folder of `out` cannot be written, the logo or template cannot be used.
    """
    content = render_report(request, renderer)
    try:
        write_atomically(out, content)
    except OSError as problem:
        raise BadInput(
            _("{path}: the report cannot be written ({reason}); choose another place").format(
                path=out, reason=problem.strerror or problem
            )
        ) from problem


def render_report(request: ReportRequest, renderer: FigureRenderer) -> bytes:
    """Return the report as a PDF; the same request gives the same pages.

    Raises:
        BadInput: the logo or template cannot be used.

    Notes:
        Thread: any the renderer allows. Cost: about 30 ms for each figure and 0.3 s for the document.
    """
    (pdf,) = _render(request, renderer, None)
    return pdf


def render_pages(request: ReportRequest, renderer: FigureRenderer, pixels_per_inch: float) -> tuple[bytes, ...]:
    """Return the pages of the report as PNG pictures, to look at before it is written.

    Raises:
        BadInput: the logo or template cannot be used.

    Notes:
        Thread and cost: as `render_report`, and about 10 ms for each page.
    """
    return _render(request, renderer, pixels_per_inch)


def _render(request: ReportRequest, renderer: FigureRenderer, pixels_per_inch: float | None) -> tuple[bytes, ...]:
    """Return the files Typst makes of a report: a picture of each page, or one PDF where `pixels_per_inch` is None."""
    logo, template = read_logo(request), template_files(request)
    prepared = prepare(request, Medium.PDF, renderer, _printable)
    request, document, attachments = prepared.request, prepared.document, prepared.attachments
    with tempfile.TemporaryDirectory(prefix="replitune-report-") as folder:
        root = Path(folder) / DOCUMENT
        _write_template(root, template, logo)
        for index, figure in enumerate(prepared.figures):
            (root / f"figure-{index}.svg").write_bytes(figure)
        _write_attachments(root, attachments)
        return _compile(root, request, document, attachments, pixels_per_inch)


def _write_template(root: Path, template: Mapping[Path, bytes], logo: Logo | None) -> None:
    """Write the shipped template, then the client's own files over it, and the logo."""
    shutil.copytree(resource_path("report"), root)
    for name, content in template.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    if logo is not None:
        (root / logo.name).write_bytes(logo.content)


def _printable(plot: Figure) -> Figure:
    """Return a plot whose texts a figure can carry."""
    return map_texts(plot, drawn_text)


def _write_attachments(root: Path, attachments: Sequence[Attachment]) -> None:
    folder = root / "attached"
    folder.mkdir()
    for attachment in attachments:
        (folder / attachment.name).write_bytes(attachment.content)


def _compile(
    root: Path,
    request: ReportRequest,
    document: Document,
    attachments: Sequence[Attachment],
    pixels_per_inch: float | None,
) -> tuple[bytes, ...]:
    """Set the document; characters no font has are spelled out, as these standards allow no empty boxes."""
    content = dataclasses.asdict(document)
    missing = uncovered(json.dumps(content, ensure_ascii=False))
    if missing:
        # A system font may have them (Chinese, say); the shipped faces still come first.
        data = _data(request, content, attachments, frozenset())
        made = _typeset(root, data, pixels_per_inch, use_system_fonts=True)
        if isinstance(made, tuple):
            return made
    made = _typeset(root, _data(request, content, attachments, missing), pixels_per_inch, use_system_fonts=False)
    if isinstance(made, tuple):
        return made
    if request.template is not None or request.logo is not None:
        raise refusal(_reason(made, request.template)) from made
    raise RuntimeError("the shipped report template does not compile") from made


def _reason(problem: DocumentRefused, template: Path | None) -> str:
    """Return why Typst refuses a document, with file and line where that stands in the client's own template."""
    message = problem_reason(problem)
    stands = _PLACE.search(problem.diagnostic)
    if template is None or stands is None or not (template / stands["file"]).is_file():
        return message
    return _("{file}, line {line}: {message}").format(file=stands["file"], line=stands["line"], message=message)


def _data(
    request: ReportRequest, content: object, attachments: Sequence[Attachment], missing: frozenset[str]
) -> dict[str, object]:
    logo = f"logo{request.logo.suffix.lower()}" if request.logo else ""
    author = request.session.consultant or _("the consultant")
    issued = request.issued_utc
    return {
        "document": _texts(content, missing),
        "language": language_tag(),
        "paper": request.paper,
        "date": [issued.year, issued.month, issued.day],
        "logo": {"path": logo, "alt": _texts(_("Logo of {name}").format(name=author), missing)},
        "attachments": [
            {"name": a.name, "relation": a.relation, "mime": a.mime, "description": a.description} for a in attachments
        ],
    }


def _texts(value: object, missing: frozenset[str], key: str = "") -> object:
    """Return the content with every text made fit for the page."""
    if isinstance(value, str):
        if key in _NO_TEXT_KEYS:
            return value
        text = spell_out(clean(value), missing)
        return text if key == "text" else breakable(text)
    if isinstance(value, dict):
        return {name: _texts(item, missing, name) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_texts(item, missing, key) for item in value]
    return value


def _typeset(
    root: Path, data: dict[str, object], pixels_per_inch: float | None, use_system_fonts: bool
) -> tuple[bytes, ...] | DocumentRefused:
    """Return the files, or why Typst refuses the document.

    Raises:
        BadInput: it takes more than a report may.
    """
    (root / "data.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    standards = STANDARDS if pixels_per_inch is None else ()
    try:
        return typeset(root.parent, Order(standards, pixels_per_inch, use_system_fonts))
    except DocumentRefused as problem:
        return problem
    except DocumentTooMuch as problem:
        raise too_much() from problem
