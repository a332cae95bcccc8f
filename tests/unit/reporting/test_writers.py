"""The same report as HTML and Markdown, and the findings as a list: complete, escaped, nothing from outside."""

import base64
import csv
import io
import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.charts.renderer import PyqtgraphRenderer
from app.domain.errors import BadInput
from app.domain.plot import Figure
from app.reporting.blocks import MOST_INLINE_BYTES, Medium
from app.reporting.export.csv_export import findings_csv
from app.reporting.render.html import render_html
from app.reporting.render.markdown import render_markdown
from app.reporting.render.prepared import Prepared, prepare, shown_advice
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary
from tests.report.sample import NAMES, empty_request, full_request, imported_request

_VOID = {"meta", "br", "img", "link", "hr", "input"}
EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)> | `code` [a](javascript:x) *b* _c_ # d'


class FakeRenderer:
    """Draws every plot as one line, with ids as the real renderer gives them."""

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return one small SVG document for each plot."""
        return tuple(
            b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>x</title><style>image{}</style>'
            b'<clipPath id="clip"><path d="M0,0"/></clipPath><g clip-path="url(#clip)"><path d="M1,1"/></g></svg>'
            for _plot in plots
        )


def prepared_for_html(request: ReportRequest) -> Prepared:
    """Return what a page is made of."""
    return prepare(request, Medium.HTML, FakeRenderer(), lambda plot: plot)


class Page(HTMLParser):
    """An HTML page taken apart: every element closed, in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element that closes itself."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Check that the element closed is the one opened last."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.texts.append(data)

    def values(self, name: str) -> list[str]:
        """Return all values of an attribute."""
        return [value for _tag, attributes in self.tags if (value := attributes.get(name)) is not None]


@pytest.fixture(params=[full_request, imported_request, empty_request], ids=["full", "imported", "empty"])
def request_of(request: pytest.FixtureRequest) -> ReportRequest:
    """Return each kind of report."""
    made: ReportRequest = request.param()
    return made


def html_of(request: ReportRequest) -> str:
    """Return a report as HTML."""
    return render_html(request, FakeRenderer()).decode("utf-8")


def test_figures_keep_their_colours_in_html() -> None:
    """Every colour of a drawn figure stands in the page as it was drawn; only addresses inside a figure are renamed."""
    request = full_request()
    drawn = b"".join(PyqtgraphRenderer().render_svg(request.advice.plots)).decode()
    page = render_html(request, PyqtgraphRenderer()).decode()
    attributes = r'(fill|stroke|color|stop-color)="([^"]*)"'
    colours = {pair for pair in re.findall(attributes, drawn) if pair[1].startswith("#")}
    assert len(colours) > 3
    figures = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert {pair for pair in re.findall(attributes, figures) if pair[1].startswith("#")} == colours
    places = re.findall(r"url\(#([^)]*)\)", figures) + re.findall(r'href="#([^"]*)"', figures)
    assert set(places) <= set(Page(page).values("id"))


def test_html_is_whole_and_loads_nothing(request_of: ReportRequest) -> None:
    """Every element is closed, ids are unique, links lead somewhere inside, and nothing comes from outside."""
    page = Page(html_of(request_of))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    inside = {value for value in page.values("href") if value.startswith("#")}
    assert inside <= {f"#{name}" for name in ids}
    assert inside
    outside = {value for value in page.values("href") if not value.startswith(("#", "data:"))}
    assert all(value.startswith("https://") for value in outside)
    assert not page.values("src")
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _attributes in page.tags}
    assert any("default-src 'none'" in value for value in page.values("content"))


def test_html_says_what_the_pdf_says(request_of: ReportRequest) -> None:
    """Each section and each cell of each table is there: one document, several writers."""
    flat = " ".join(" ".join(Page(html_of(request_of)).texts).split())
    document = prepared_for_html(request_of).document
    for section in document.sections:
        assert " ".join(section.title.split()) in flat
    for decision in request_of.advice.decisions:
        own = decision.finding
        for said in (own.recommendation, own.because, own.trade_offs, own.undo, *(f.title for f in decision.notes)):
            assert " ".join(said.split()) in flat


def test_html_is_accessible() -> None:
    """Language, headings without a gap, column heads with their scope, and words for every figure."""
    page = Page(html_of(full_request()))
    tags = page.tags
    assert ("html", {"lang": "en"}) in tags
    levels = [int(tag[1]) for tag, _attributes in tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all(attributes.get("scope") == "col" for tag, attributes in tags if tag == "th")
    drawn = [attributes for tag, attributes in tags if tag == "svg"]
    assert len(drawn) >= 3
    assert all(attributes["role"] == "img" and len(attributes["aria-label"] or "") > 20 for attributes in drawn)


def test_html_holds_the_data(tmp_path: Path) -> None:
    """Each attachment is saved from the page as it is; one that is too large is left to the PDF, which is told."""
    request = full_request()
    prepared = prepared_for_html(request)
    links = {
        attributes["download"]: attributes["href"]
        for tag, attributes in Page(html_of(request)).tags
        if tag == "a" and "download" in attributes
    }
    assert set(links) == {a.name for a in prepared.attachments}
    for attachment in prepared.attachments:
        address = links[attachment.name] or ""
        assert base64.b64decode(address.split("base64,", 1)[1]) == attachment.content
    statement = replace(request.session.statements[0], text="x" * MOST_INLINE_BYTES)
    large = replace(request, session=replace(request.session, statements=(statement,)))
    assert "the PDF report holds them" in html_of(large)
    assert 'download="statements.csv"' not in html_of(large)
    assert "statements.csv" not in {name for name, _content in render_markdown(large, FakeRenderer(), "f").files}


def test_what_a_user_wrote_is_never_markup() -> None:
    """Texts with markup of HTML and Markdown in them come out as those texts."""
    request = full_request()
    finding = replace(request.advice.findings[0], task=EVIL, recommendation=EVIL, evidence=("E1-T001",))
    evil = replace(
        request,
        session=replace(request.session, title=EVIL, client=EVIL, notes=(EVIL,)),
        advice=replace(request.advice, findings=(finding,), warnings=(EVIL, "- one\n# two\n```")),
    )
    page = Page(html_of(evil))
    assert "script" not in {tag for tag, _attributes in page.tags}
    assert not page.values("onerror")
    assert EVIL in "".join(page.texts)
    markdown = render_markdown(evil, FakeRenderer(), "files").text.decode()
    outside_scripts = re.sub(r"(?s)\n```sql\n.*?\n```\n", "", markdown)
    assert "\\<script\\>" in outside_scripts
    assert "<script" not in outside_scripts.replace("\\<", "")
    assert "\\[a\\](javascript" in markdown
    assert "\n# two" not in outside_scripts


def test_markdown_tables_have_as_many_cells_as_heads(request_of: ReportRequest) -> None:
    """A bar in a text does not open another cell, and a table's lines are one block."""
    markdown = render_markdown(request_of, FakeRenderer(), "files").text.decode()
    tables = [part for part in markdown.split("\n\n") if part.startswith("| ")]
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.split("\n")}
        assert len(widths) == 1, table
    assert bool(tables) == bool(request_of.advice.comparisons) or tables


def test_markdown_links_lead_to_its_files() -> None:
    """Figures and data are named as they will lie in the folder beside it."""
    made = render_markdown(full_request(), FakeRenderer(), "my report.files")
    text = made.text.decode()
    linked = set(re.findall(r"\]\(my%20report\.files/([^)]+)\)", text))
    names = {name for name, _content in made.files}
    assert linked <= names
    assert {"figure-0.svg", "measurements.csv", "apply-1-contodist07.sql"} <= linked


@pytest.mark.parametrize("name", NAMES)
def test_redacted_writers_name_nobody(name: str) -> None:
    """Neither page, nor Markdown with its files, nor the list of findings holds a name of the client."""
    request = replace(full_request(), redact=True)
    made = render_markdown(request, FakeRenderer(), "files")
    words = Vocabulary(request.families)
    parts = [html_of(request), made.text.decode(), findings_csv(shown_advice(request), words).decode()]
    parts += [content.decode() for _name, content in made.files]
    for link in re.findall(r"base64,([A-Za-z0-9+/=]+)", parts[0]):
        parts.append(base64.b64decode(link).decode())
    assert not [part for part in parts if name.casefold() in part.casefold()]
    assert "are replaced in this copy" in parts[0]


def test_findings_have_the_columns_of_health_checks() -> None:
    """The five columns of a health check, then values and effect; nothing that a spreadsheet would compute."""
    request = full_request()
    odd = replace(request.advice.findings[0], rule="of-a-spreadsheet", task="=1+1", priority=1)
    advice = replace(request.advice, findings=(*request.advice.findings, odd))
    rows = list(csv.reader(io.StringIO(findings_csv(advice, Vocabulary(())).decode())))
    assert rows[0][:5] == ["Priority", "Group", "Finding", "URL", "Details"]
    assert rows[0][5:] == ["Parameter", "From", "To", "Effect", "Low", "High", "n from", "n to"]
    assert rows[1][5:] == ["SubscriptionStreams", "1", "8", "0.332", "0.321", "0.343", "3", "3"]
    assert len(rows) == 1 + len(advice.findings)
    assert "'=1+1" in {row[2] for row in rows}
    assert all(row[3].startswith("https://") for row in rows[1:])
    for label in ("Trade-off: ", "Risk: ", "Undo: "):
        assert all(label in row[4] for row in rows[1:])
    assert not [cell for row in rows for cell in row if cell[:1] in "=+-@" and cell]


def test_a_template_may_restyle_html_and_cannot_break_out(tmp_path: Path) -> None:
    """`brand.css` is read after the shipped style sheet; one that would close its element is refused."""
    (tmp_path / "brand.css").write_text(":root { --accent: #123456 }", encoding="utf-8")
    assert "--accent: #123456" in html_of(replace(full_request(), template=tmp_path))
    (tmp_path / "brand.css").write_text(":root { --accent: #123456 } </style><script>x</script>", encoding="utf-8")
    with pytest.raises(BadInput, match="would load or run something"):
        html_of(replace(full_request(), template=tmp_path))
    (tmp_path / "brand.css").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match=r"brand\.css cannot be read as a style sheet"):
        html_of(replace(full_request(), template=tmp_path))


def test_a_logo_is_a_picture_inside_the_page(tmp_path: Path) -> None:
    """What an SVG logo holds does not become part of the page."""
    logo = tmp_path / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>', encoding="utf-8")
    page = Page(html_of(replace(full_request(), logo=logo)))
    assert [value[:26] for value in page.values("src")] == ["data:image/svg+xml;base64,"]
    made = render_markdown(replace(full_request(), logo=logo), FakeRenderer(), "files")
    assert "logo.svg" in {name for name, _content in made.files}
    for wrong in (tmp_path / "none.png", tmp_path / "logo.txt"):
        with pytest.raises(BadInput, match="the logo must be"):
            html_of(replace(full_request(), logo=wrong))


def test_same_request_gives_the_same_bytes() -> None:
    """A page can be compared with the one made yesterday."""
    assert html_of(full_request()) == html_of(full_request())
