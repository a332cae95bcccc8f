"""What a consultancy brings of its own cannot harm: not the program, not its memory, not who reads the report."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.foundation.paths import resource_path
from app.foundation.typesetting import DOCUMENT, DocumentRefused, DocumentTooMuch, Order, typeset
from app.reporting.render.branding import fetching_part
from app.reporting.render.html import render_html
from app.reporting.render.markdown import render_markdown
from app.reporting.render.pdf import render_report
from app.reporting.request import ReportRequest
from tests.report.sample import empty_request

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="6" height="2">{}</svg>'
DEEP_LOGO = SVG.format("<g>" * 100_000 + "</g>" * 100_000)
DOUBLED = '#let s = "aaaaaaaaaaaaaaaa"\n#for n in range(40) { s = s + s }\n#s.len()\n'


class NoFigures:
    """Draws nothing."""

    def render_svg(self, plots: object) -> tuple[bytes, ...]:
        """Return no figure."""
        del plots
        return ()


MEDIA: dict[str, Callable[[ReportRequest], object]] = {
    "pdf": lambda request: render_report(request, NoFigures()),
    "html": lambda request: render_html(request, NoFigures()),
    "markdown": lambda request: render_markdown(request, NoFigures(), "files"),
}


def _document(folder: Path, text: str) -> Path:
    (folder / DOCUMENT).mkdir()
    (folder / DOCUMENT / "main.typ").write_text(f'#set document(title: "x")\n{text}', encoding="utf-8")
    return folder


def test_a_document_is_set_in_a_process_of_its_own(tmp_path: Path) -> None:
    """As a PDF, and as a picture of each page in their order."""
    folder = _document(tmp_path, "one #pagebreak() two #pagebreak() three")
    (pdf,) = typeset(folder, Order(("a-3a", "ua-1")))
    assert pdf.startswith(b"%PDF-")


def test_pages_come_as_pictures(tmp_path: Path) -> None:
    """One for each page."""
    folder = _document(tmp_path, "#pagebreak()\n" * 11)
    pictures = typeset(folder, Order(pixels_per_inch=20))
    assert len(pictures) == 12
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


@pytest.mark.skipif(
    sys.platform != "linux", reason="macOS holds to no limit of memory; Windows' is proved in its own bundle"
)
def test_a_document_that_takes_all_memory_ends_alone(tmp_path: Path) -> None:
    """A text doubled 40 times."""
    with pytest.raises(DocumentTooMuch):
        typeset(_document(tmp_path, DOUBLED), Order())


def test_a_document_cannot_read_outside_its_folder(tmp_path: Path) -> None:
    """Not even the order it was set by."""
    with pytest.raises(DocumentRefused):
        typeset(_document(tmp_path, '#read("../order.json")'), Order())


PACKAGE = '#import "@preview/cetz:0.3.0"'


def test_no_document_reaches_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package is not fetched, whatever proxy the computer is set to; without our way of starting it, it would be."""
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"):
            monkeypatch.setenv(name, address)
        monkeypatch.setenv("NO_PROXY", "example.org")
        with pytest.raises(DocumentRefused, match="failed to download package"):
            typeset(_document(tmp_path, PACKAGE), Order())
        proxy.setblocking(False)
        with pytest.raises(BlockingIOError):
            proxy.accept()
        proxy.setblocking(True)
        program = f"import typst; typst.compile({PACKAGE.encode()!r}, package_cache_path={str(tmp_path / 'none')!r})"
        with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL) as asking:
            proxy.accept()[0].close()
            asking.kill()


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize(
    "content",
    [DEEP_LOGO, "no picture", SVG.format("<g>"), ""],
    ids=["deep elements", "no picture", "broken", "empty"],
)
def test_every_medium_refuses_the_same_logos(tmp_path: Path, medium: str, content: str) -> None:
    """What a PDF cannot show stands in no other report either; none of them ends the program."""
    logo = tmp_path / "logo.svg"
    logo.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match="logo"):
        MEDIA[medium](replace(empty_request(), logo=logo))


@pytest.mark.parametrize("medium", MEDIA)
def test_every_medium_shows_a_good_logo(tmp_path: Path, medium: str) -> None:
    """A small picture."""
    logo = tmp_path / "logo.svg"
    logo.write_text(SVG.format('<rect width="6" height="2"/>'), encoding="utf-8")
    assert MEDIA[medium](replace(empty_request(), logo=logo))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither devices nor pipes among its files")
def test_a_template_holds_files_only(tmp_path: Path) -> None:
    """A pipe in its folder is told, not waited for, and a folder linked into itself ends."""
    template = tmp_path / "template"
    template.mkdir()
    (template / "again").symlink_to(template)
    with pytest.raises(BadInput, match=r"more than 500 files|cannot be read"):
        render_report(replace(empty_request(), template=template), NoFigures())
    (template / "again").unlink()
    os.mkfifo(template / "pipe")
    with pytest.raises(BadInput, match="a device or a pipe"):
        render_report(replace(empty_request(), template=template), NoFigures())


@pytest.mark.parametrize(
    "style",
    [
        "@import 'x.css';",
        "@IMPORT 'x.css';",
        "@im\\70ort 'x.css';",
        "@im/**/port 'x'; body { background: u/**/rl(x) }",
        "body { background: url(https://example.org/x.png) }",
        "body { background: url( 'x.png' ) }",
        "body { background: \\75 rl(x.png) }",
        "body { background: URL(x.png) }",
        'body { background: image-set("x.png" 1x) }',
        "body { background: url(data:text/html,x) }",
        'body { background: url("data:image/png,x" url(x.png)) }',
        "body { background: src('//example.org/x') }",
        "body { width: expression(alert(1)) }",
        "body { behavior: url(#default#x) }",
        "body { -moz-binding: none }",
        "a { content: 'javascript:x' }",
        "</style><script>alert(1)</script>",
        "<\\/style>",
        "<!-- x",
        "a { content: '//example.org' }",
    ],
)
def test_a_style_sheet_brings_nothing_from_elsewhere(tmp_path: Path, style: str) -> None:
    """Whatever would load or run when the report is read is refused, however it is written."""
    assert fetching_part(style)
    (tmp_path / "brand.css").write_text(style, encoding="utf-8")
    with pytest.raises(BadInput, match=r"brand\.css.*would load or run"):
        render_html(replace(empty_request(), template=tmp_path), NoFigures())


@pytest.mark.parametrize(
    "style",
    [
        ":root { --accent: #7a1fa2 }",
        "/* colours, see Corporate Design 3.2 */ h1 { color: #7a1fa2 }",
        "body { background: url('data:image/png;base64,iVBORw0KGgo//8=') }",
        "@font-face { font-family: Own; src: url(data:font/woff2;base64,d09GMg==) }",
        'q::before { content: "\\201C" } a > b { margin: 0 }',
        "svg { filter: url(#shadow) }",
    ],
)
def test_a_usual_style_sheet_is_taken(tmp_path: Path, style: str) -> None:
    """Colours, own pictures and fonts as data, quotes."""
    (tmp_path / "brand.css").write_text(style, encoding="utf-8")
    assert style.encode() in render_html(replace(empty_request(), template=tmp_path), NoFigures())


def test_our_own_style_sheet_fetches_nothing() -> None:
    """What is asked of others holds for the shipped one."""
    assert not fetching_part(resource_path("report", "report.css").read_text(encoding="utf-8"))
