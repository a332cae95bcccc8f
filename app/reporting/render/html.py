"""The report as one HTML page that needs nothing else: figures and data inside, no script, to read and to print."""

import base64
import mimetypes
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from app.domain.ports import FigureRenderer
from app.foundation.paths import resource_path
from app.foundation.texts import _, language_tag
from app.reporting.blocks import MOST_INLINE_BYTES, Attachment, Block, Columns, Document, Group, Heading, Medium
from app.reporting.records import map_texts
from app.reporting.render.branding import own_style, read_settable_logo
from app.reporting.render.characters import clean
from app.reporting.render.figures_page import inline_figure
from app.reporting.render.html_blocks import HtmlContext, blocks_html, text_html
from app.reporting.render.prepared import prepare
from app.reporting.request import ReportRequest

# Nothing is loaded from anywhere, and nothing runs, whatever a text or a template holds.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render_html(request: ReportRequest, renderer: FigureRenderer) -> bytes:
    """Return the report as one HTML page; the same request gives the same bytes.

    Raises:
        BadInput: the logo or template cannot be used.
    """
    style, logo = _style(request), _logo(request)
    prepared = prepare(request, Medium.HTML, renderer, lambda plot: map_texts(plot, clean))
    figures = [
        inline_figure(svg, plot, f"figure-{number}-")
        for number, (svg, plot) in enumerate(zip(prepared.figures, prepared.plots, strict=True))
    ]
    context = HtmlContext(figures, _links(prepared.attachments))
    return _page(prepared.document, context, style, logo).encode("utf-8", "replace")


def _page(document: Document, context: HtmlContext, style: str, logo: str) -> str:
    anchors = {
        id(heading): heading.anchor or f"part-{number}" for number, heading in enumerate(_headings(document), start=1)
    }
    cover = document.cover
    pairs = "".join(f"<dt>{text_html(name)}</dt><dd>{text_html(value)}</dd>" for name, value in cover.pairs)
    notice = f'<p class="notice" role="note">{text_html(cover.notice)}</p>' if cover.notice else ""
    sections = "\n".join(
        f'<section aria-labelledby="section-{number}">'
        f'<h2 id="section-{number}">{text_html(section.title)}</h2>\n'
        f"{blocks_html(section.blocks, context, anchors)}</section>"
        for number, section in enumerate(document.sections, start=1)
    )
    return f"""<!DOCTYPE html>
<html lang="{language_tag()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{text_html(document.title)}</title>
<style>
{style}</style>
</head>
<body>
<a class="skip" href="#section-1">{text_html(_("Skip to the summary"))}</a>
<header>
{logo}<h1>{text_html(cover.title)}</h1>
<dl>{pairs}</dl>
{notice}</header>
<nav aria-label="{escape(document.contents_title)}">
{_contents(document, anchors)}
</nav>
<main>
{sections}
</main>
<footer>{text_html(document.header)} · {text_html(document.footer)}</footer>
</body>
</html>
"""


def _contents(document: Document, anchors: dict[int, str]) -> str:
    lines = []
    for number, section in enumerate(document.sections, start=1):
        parts = "".join(
            f'<li><a href="#{anchors[id(heading)]}">{text_html(heading.text)}</a></li>'
            for heading in _headings_in(section.blocks)
        )
        below = f"<ol>{parts}</ol>" if parts else ""
        lines.append(f'<li><a href="#section-{number}">{text_html(section.title)}</a>{below}</li>')
    return f"<ol>{''.join(lines)}</ol>"


def _headings(document: Document) -> Iterator[Heading]:
    for section in document.sections:
        yield from _headings_in(section.blocks)


def _headings_in(blocks: Sequence[Block]) -> Iterator[Heading]:
    """Yield the headings that belong into the contents."""
    for block in blocks:
        if isinstance(block, Heading) and not block.minor:
            yield block
        elif isinstance(block, Group):
            yield from _headings_in(block.blocks)
        elif isinstance(block, Columns):
            for column in block.columns:
                yield from _headings_in(column)


def _links(attachments: Sequence[Attachment]) -> dict[str, str]:
    return {a.name: _data_address(a.mime, a.content) for a in attachments if len(a.content) <= MOST_INLINE_BYTES}


def _logo(request: ReportRequest) -> str:
    """Return the logo as a picture inside the page; scripts in somebody else's SVG do not run in one."""
    logo = read_settable_logo(request)
    if logo is None:
        return ""
    kind = "image/svg+xml" if logo.name.endswith(".svg") else mimetypes.guess_type(logo.name)[0] or "image/png"
    name = request.session.consultant or _("the consultant")
    alt = escape(clean(_("Logo of {name}").format(name=name)))
    return f'<img class="logo" alt="{alt}" src="{_data_address(kind, logo.content)}">\n'


def _style(request: ReportRequest) -> str:
    return resource_path("report", "report.css").read_text(encoding="utf-8") + own_style(request)


def _data_address(mime: str, content: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(content).decode('ascii')}"
