"""`replitune report` in each format, with a template and a logo, of any session of a file."""

import re
from pathlib import Path

import pytest
from docx import Document
from pypdf import PdfReader

from app.bootstrap import build_program
from app.flows.explain.runs_view import browse_engagement, every_run_table
from app.flows.hand_over.engagement_view import notes_table, sessions_table
from app.foundation.paths import resource_path
from app.reporting.render.terminal import table_lines
from app.services.hand_over.engagement import read_engagement
from app.store import open_for_writing
from tests.e2e.client_file import write_client_file
from tests.e2e.formats import decisions_in_every_format, plain, word_text
from tests.e2e.program import assert_one_sentence, call, write
from tests.files import files_below

_LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20"/></svg>'
_BRAND = """
#import "shipped.typ": *
#let accent = rgb("#7a1fa2")
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a client's file with several sessions."""
    return write_client_file(tmp_path_factory.mktemp("client") / "freight.replitune")


_SESSION = "S20261121-080000-a1b2c3"
_WORDS = (
    *("--title", "Tuning of the ledger", "--foreword", "You asked for speed.", "--version", "1.0"),
    *("--confidentiality", "Confidential, for the DBA team", "--decision", "1", "I would begin with this one."),
)


def test_every_format_says_the_same(client: Path, tmp_path: Path) -> None:
    """Each decision of the JSON has its values, effect, interval and measures in every format and in the window.

    So have the consultant's own words, which a report made again still holds.
    """
    assert call("engagement", "write", client, "--session", _SESSION, *_WORDS).code == 0
    texts = decisions_in_every_format(client, _SESSION, tmp_path)
    for end in ("pdf", "html", "md", "docx"):
        missing = [word for word in _WORDS if not word.startswith("--") and plain(word) not in plain(texts[end])]
        assert not missing, end
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "report.csv", "report.docx", "report.files", "report.html", "report.md", "report.pdf",
    ]  # fmt: skip
    linked = set(re.findall(r"\]\(report\.files/([^)]+)\)", texts["md"]))
    assert linked
    assert linked <= {path.name for path in (tmp_path / "report.files").iterdir()}


def test_an_agreement_that_is_none_is_told(client: Path) -> None:
    """A time, minutes, a price or a mix is written as one; the sentence shows how."""
    for option, text in (("due", "25:00"), ("most-behind", "soon"), ("hourly-cost", "400"), ("mix", "1")):
        ended = call("engagement", "write", client, "--session", _SESSION, f"--{option}", text)
        assert_one_sentence(ended)
        assert text in ended.err


@pytest.mark.parametrize("end", ["html", "md", "docx", "csv"])
def test_every_format_is_redacted(client: Path, tmp_path: Path, end: str) -> None:
    """`--redact` replaces names in what a page, a Markdown report with its files, or a list says."""
    out = tmp_path / f"report.{end}"
    assert (
        call("report", client, "--session", "S20261121-080000-a1b2c3", "--out", out, "--redact", "--keep-rest").code
        == 0
    )
    said = word_text(out).encode() if end == "docx" else b""  # a document is packed, its text cannot be searched
    content = (said + b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())).lower()
    assert not [name for name in (b"contopub03", b"salesledger", b"contodist07") if name in content]


def test_a_template_and_a_logo_make_it_ones_own(client: Path, tmp_path: Path) -> None:
    """A consultancy's colours reach PDF and page; nothing of the template's folder is changed."""
    template = tmp_path / "template"
    template.mkdir()
    write(template / "shipped.typ", resource_path("report", "brand.typ").read_bytes())
    write(template / "brand.typ", _BRAND)
    write(template / "brand.css", ":root { --accent: #7a1fa2 }")
    logo = write(tmp_path / "logo.svg", _LOGO)
    before = files_below(template)
    plain, own, page = tmp_path / "plain.pdf", tmp_path / "own.pdf", tmp_path / "own.html"
    assert call("report", client, "--out", plain).code == 0
    for out in (own, page):
        ended = call("report", client, "--out", out, "--template", template, "--logo", logo, "--consultant", "Harbour")
        assert ended.code == 0, ended
    purple = b"0.47843137 0.12156863 0.63529414"

    def drawn(path: Path) -> bytes:
        return b"".join(page.get_contents().get_data() for page in PdfReader(path).pages)  # type: ignore[union-attr]  # every page has content

    assert purple in drawn(own)
    assert purple not in drawn(plain)
    assert "--accent: #7a1fa2" in page.read_text(encoding="utf-8")
    assert "Logo of Harbour" in page.read_text(encoding="utf-8")
    assert files_below(template) == before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("#let accent = ", "template or logo cannot be set"), ('#import "../../../etc/passwd"', "template or logo")],
)
def test_a_template_that_cannot_be_set_is_told(client: Path, tmp_path: Path, content: str, sentence: str) -> None:
    """One sentence with Typst's reason; the old report stays."""
    template = tmp_path / "template"
    template.mkdir()
    write(template / "brand.typ", content)
    out = write(tmp_path / "report.pdf", "old")
    ended = call("report", client, "--out", out, "--template", template)
    assert_one_sentence(ended)
    assert sentence in ended.err
    assert out.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--out", "report.odt"), "end the report's name in .pdf, .html, .md, .docx, .pptx, .xlsx, .ics, .csv"),
        (("--out", "report"), "end the report's name in"),
        (("--out", "r.pdf", "--session", "S-none"), "holds no session S-none"),
        (("--out", "r.html", "--template", "none"), "the report template must be a folder"),
        (("--out", "r.html", "--logo", "none.png"), "none.png"),
        (("--out", "r.md", "--logo", "none.png"), "--logo has no effect here"),
        (("--out", "r.ics", "--window", "saturday"), 'write it as "2026-12-05 22:00"'),
    ],
)
def test_wrong_use_is_told(client: Path, arguments: tuple[str, ...], sentence: str) -> None:
    """One sentence says what to give instead, and nothing is written."""
    ended = call("report", client, *arguments)
    assert_one_sentence(ended)
    assert sentence in ended.err


def assert_listed_as_in_the_window(file: Path, printed: str) -> None:
    """Fail unless sessions, runs and notes are printed by the descriptions that the window shows."""
    program = build_program()
    engagement = read_engagement(file)
    browsed = browse_engagement(engagement, program)
    for described in (
        sessions_table(engagement, dict(browsed.titles)),
        every_run_table(browsed),
        notes_table(engagement.sessions),
    ):
        assert "\n".join(table_lines(described, "")) in printed


def test_engagements_and_comparisons_on_the_command_line(client: Path, tmp_path: Path) -> None:
    """List, search, note, tag and compare a client's file; mistakes are one sentence each."""
    file = write(tmp_path / "c.replitune", client.read_bytes())
    assert call("engagement", "note", file, "before the upgrade", "--session", "S20261121-080000-a1b2c3").code == 0
    assert call("engagement", "tag", file, "before", "--session", "S20261121-080000-a1b2c3", "--run", "E2").code == 0
    listing = call("engagement", "list", file)
    assert_listed_as_in_the_window(file, listing.out)
    assert re.search(" E2 .* before +S20261121-080000-a1b2c3$", listing.out, re.MULTILINE)
    assert re.search(r"the whole session +before the upgrade +\d+ +S20261121-080000-a1b2c3$", listing.out, re.MULTILINE)
    sessions = {s["session"]: s for s in call("engagement", "list", file, "--json").json()["sessions"]}
    runs = {run["run"]: run for run in sessions["S20261121-080000-a1b2c3"]["runs"]}
    assert runs["E2"]["tags"] == ["before"]
    found = call("engagement", "search", file, "UPGRADE", "sales")
    assert re.search("note +before the upgrade", found.out)
    number = sessions["S20261121-080000-a1b2c3"]["notes"][0]["number"]
    assert call("engagement", "note", file, "--remove", number, "--session", "S20261121-080000-a1b2c3").code == 0
    assert "Nothing found." in call("engagement", "search", file, "upgrade").out
    both = call("compare", file, "S20261121-080000-a1b2c3/E1", "S20261122-080000-bbbbbb/E1")
    assert both.code == 0
    assert "no randomised comparison" in both.out
    with open_for_writing(file):
        assert "Being written by " in call("engagement", "list", file).out
        assert call("engagement", "list", file, "--json").json()["written_by"]["since_utc"]
        refused = call("engagement", "tag", file, "late")
        assert_one_sentence(refused)
        assert "is open elsewhere" in refused.err
    assert call("engagement", "list", file, "--json").json()["written_by"] is None
    beside = call("compare", file, "S20261121-080000-a1b2c3/E1", "--published", "--json")
    assert beside.json()["published"][0]["source"]["author"]
    for wrong in (
        ("engagement", "note", file),
        ("engagement", "note", file, "x", "--remove", "1"),
        ("engagement", "tag", file, "a,b"),
        ("compare", file, "E1"),
        ("compare", file, "E1", "E2", "--published"),
        ("compare", file, "S20261121-080000-a1b2c3/E1", "S20261121-080000-a1b2c3/E1"),
        ("compare", tmp_path / "none.replitune", "E1", "E2"),
    ):
        assert_one_sentence(call(*wrong))


@pytest.mark.parametrize("target", ["lab:wan-128k", "lab:ag-2016", "lab:streams-2009"])
def test_a_look_gives_a_report(tmp_path: Path, target: str) -> None:
    """A site that was only observed is told in 6 pages: limits, experiments, parameters, method; no script."""
    for end in ("pdf", "html", "md"):
        assert call("observe", "--target", target, "--watch", 5, "--out", tmp_path / f"site.{end}").code == 0
    reader = PdfReader(tmp_path / "site.pdf")
    pdf = " ".join(page.extract_text() for page in reader.pages)
    assert len(reader.pages) <= 6
    assert not [name for name in reader.attachments if name.endswith(".sql")]
    for text in (pdf, *((tmp_path / f"site.{end}").read_text(encoding="utf-8") for end in ("html", "md"))):
        missing = [
            heading
            for heading in ("What was found", "What is worth testing", "The site as it is now", "Method", "Provenance")
            if heading not in plain(text)
        ]
        assert not missing
    assert "all of them reading" in plain(pdf)
    assert "by the Distributor's clock" not in plain(pdf)  # a lab has one of its own
    for end in ("csv", "xlsx", "pptx", "ics"):  # parts of a report on an experiment
        assert_one_sentence(call("observe", "--target", target, "--out", tmp_path / f"site.{end}"))


def test_one_report_is_over_all_sessions_of_a_file(client: Path, tmp_path: Path) -> None:
    """Its runs are numbered through; its scripts lie in a folder of its own, which holds no other report's."""
    out = tmp_path / "all.html"
    ended = call("report", client, "--all", "--scripts", "--out", out)
    assert ended.code == 0, ended.err
    told = plain(out.read_text("utf-8"))
    assert plain("What was done, when") in told
    scripts = sorted(path.name for path in (tmp_path / "all.scripts").iterdir())
    assert scripts
    assert all(name.startswith(("apply", "before", "undo", "verify")) for name in scripts)
    (tmp_path / "all.scripts" / "apply-9-OTHER.sql").write_text("-- another report's", "utf-8")
    refused = call("report", client, "--all", "--scripts", "--out", out)
    assert_one_sentence(refused)
    assert "apply-9-OTHER.sql" in refused.err
    assert_one_sentence(call("report", client, "--all", "--session", _SESSION, "--out", out))


def test_a_word_report_is_words_own(client: Path, tmp_path: Path) -> None:
    """Headings in Word's outline, the run sheet as a table to fill in, figures with their texts, the client's paper."""
    out = tmp_path / "report.docx"
    assert call("report", client, "--session", _SESSION, "--paper", "us-letter", "--out", out).code == 0
    document = Document(str(out))
    headings = [p.text for p in document.paragraphs if p.style is not None and p.style.name == "Heading 1"]
    assert {"Run sheet", "Evidence", "Environment", "Method and limits"} <= set(headings)
    sheet = next(table for table in document.tables if table.rows[0].cells[1].text == "When")
    assert [cell.text for cell in sheet.rows[0].cells][-1] == "Who, when"
    assert {row.cells[5].text for row in sheet.rows[1:]} == {""}
    assert "w:tblHeader" in sheet.rows[0]._tr.xml, "repeated on each page"
    broken = [
        (cell.text, cell.width.cm)
        for table in document.tables
        for row in table.rows
        for cell in row.cells
        if cell.width is not None and max((len(word) for word in cell.text.split()), default=0) in range(15)
        if cell.width.cm < 0.2 * max((len(word) for word in cell.text.split()), default=0) + 0.38
    ]
    assert not broken, "words of up to 14 characters stay whole at 8.5 pt, with Word's 0.19 cm at both sides of a cell"
    pictures = document.inline_shapes
    assert len(pictures) > 0
    assert all(picture._inline.docPr.get("descr") for picture in pictures)
    width = document.sections[0].page_width
    assert width is not None
    assert width.cm == pytest.approx(21.59, abs=0.01)
