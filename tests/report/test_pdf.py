"""The PDF read back: text, outline, attachments, redaction, odd input."""

import hashlib
import io
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from app.charts.renderer import PyqtgraphRenderer
from app.domain.change import EntryState
from app.domain.errors import BadInput
from app.domain.session import Environment
from app.reporting.blocks import Column, Heading, Paragraph, Section, Table
from app.reporting.records import map_texts
from app.reporting.render.pdf import render_report, write_report
from app.reporting.request import Paper, ReportRequest
from app.systems.transactional_replication.site import kept_texts
from tests.report.kept import replication_of
from tests.report.sample import (
    NAMES,
    TARGET,
    empty_request,
    full_advice,
    full_request,
    full_session,
    imported_request,
)

_PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20"/></svg>'


@pytest.fixture(scope="module")
def renderer() -> PyqtgraphRenderer:
    """Return the renderer the program uses."""
    return PyqtgraphRenderer()


@pytest.fixture(scope="module")
def full(renderer: PyqtgraphRenderer) -> PdfReader:
    """Return the report of the full session."""
    return PdfReader(io.BytesIO(render_report(full_request(), renderer)))


def _read(request: ReportRequest, renderer: PyqtgraphRenderer) -> PdfReader:
    return PdfReader(io.BytesIO(render_report(request, renderer)))


def _text(reader: PdfReader, pages: int | None = None) -> str:
    """Return the text of the first pages, or all, on one line, places to break taken out."""
    text = " ".join(page.extract_text() for page in reader.pages[:pages])
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).replace("\u200b", ""))


def _descriptions(reader: PdfReader) -> set[str]:
    """Return the descriptions of all figures, from the document's structure."""
    found: set[str] = set()
    waiting = [reader.root_object["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop().get_object()
        if isinstance(node, ArrayObject):
            waiting += node
        elif isinstance(node, DictionaryObject):
            found |= {str(node["/Alt"])} if "/Alt" in node else set()
            waiting += [node["/K"]] if "/K" in node else []
    return found


def test_every_section_of_the_full_report_is_there(full: PdfReader) -> None:
    """From the decision to the fingerprint, each part has its place in the outline; six pages hold them."""
    titles = [str(entry["/Title"]) for entry in full.outline if isinstance(entry, dict)]
    assert titles == [
        "SubscriptionStreams 8 instead of 1: 67\u00a0% less run time (66–68\u00a0%)",
        "Run sheet", "Evidence", "What was done, when", "Environment",
        "Method and limits", "Provenance",
    ]  # fmt: skip
    assert len(full.pages) <= 8


def depths(page: PageObject) -> list[float]:
    """Return how far down the texts of a page's body stand, as shares of its height; header and footer left out."""
    depths: list[float] = []

    def note(text: str, cm: list[float], _tm: object, _font: object, _size: object) -> None:
        if text.strip():
            depths.append(1 - float(cm[5]) / float(page.mediabox.height))

    page.extract_text(visitor_text=note)
    return [depth for depth in depths if depth < 0.95]


@pytest.mark.parametrize("make", [full_request, imported_request, empty_request])
@pytest.mark.parametrize("paper", Paper)
def test_no_page_but_the_last_is_less_than_half_full(
    renderer: PyqtgraphRenderer, make: Callable[[], ReportRequest], paper: Paper
) -> None:
    """On either paper; a section that begins anew fills the page before it first."""
    pages = _read(replace(make(), paper=paper), renderer).pages
    width = 612 if paper is Paper.LETTER else 595
    assert {round(float(page.mediabox.width)) for page in pages} == {width}
    assert all(max(depths(page)) > 0.5 for page in pages[:-1])


def test_what_introduces_a_table_stands_on_its_page(renderer: PyqtgraphRenderer) -> None:
    """However far down a page they are, heading and sentence stay with a short table, and its rows together."""
    rows = tuple((f"row {number}",) for number in range(3))
    sections = tuple(
        Section(
            f"Part {lines}",
            (
                Heading("Begins", new_page=True),
                *(Paragraph("A line.") for _line in range(lines)),
                Heading("Table", minor=True),
                Paragraph("Introduces it."),
                Table((Column("Of three"),), rows, small=True),
            ),
        )
        for lines in range(30, 50)
    )
    for page in _read(replace(empty_request(), observed=sections), renderer).pages:
        text = page.extract_text()
        assert len({text.count(part) for part in ("Introduces it.", "Of three", *(row for (row,) in rows))}) == 1


def test_columns_of_long_texts_share_what_short_ones_leave(renderer: PyqtgraphRenderer) -> None:
    """Also where a word of a short column is wider than its share; and no line ends within a command's option."""
    long = "sqlcmd -S DIST1 -E -b -f 65001 -i apply.sql -o apply.sql.log and " * 8
    columns = (Column("No"), Column("When", width=0.4), Column("Does", width=3), Column("Sees", width=1))
    table = Table(columns, (("1", "undistributed", long, "as usual " * 40),), small=True)
    (page, *_others) = _read(replace(empty_request(), observed=(Section("Sheet", (table,)),)), renderer).pages
    lefts: dict[str, float] = {}

    def note(text: str, cm: list[float], _tm: object, _font: object, _size: object) -> None:
        lefts.setdefault(text.strip(), float(cm[4]))

    page.extract_text(visitor_text=note)
    right = float(page.mediabox.width) - lefts["No"]
    assert lefts["Sees"] - lefts["Does"] > 2 * (right - lefts["Sees"])
    assert not re.search(r"-\s*\n", page.extract_text())


@pytest.mark.parametrize("trials", range(0, 24, 3))
def test_the_last_page_is_never_a_single_line(renderer: PyqtgraphRenderer, trials: int) -> None:
    """The fingerprint stays together: however long the rest is, the last page holds all of it."""
    request = imported_request()
    session = replace(request.session, imported=request.session.imported * (1 + trials))
    reader = _read(replace(request, session=session, session_hash="9c1f" * 16), renderer)
    last = re.sub(r"\s+", " ", reader.pages[-1].extract_text())
    assert all(word in last for word in ("Fingerprint", "Session began", "Report issued", "SHA-256"))


def test_exploring_trials_claim_nothing(full: PdfReader) -> None:
    """What only explored is called a lead, and the tables say so."""
    text = _text(full)
    assert "Explored rows are leads: they decide what is confirmed. Only confirmed rows are claims." in text
    assert re.search(r"1,000 against 500 10 % lower 6.9 % to 13 % lower Promising < 0.001 3 / 3 explored", text)


def test_the_first_page_says_what_to_do(full: PdfReader) -> None:
    """A manager reads gain, effort, interruption, risk, every decision with where it holds, and the servers' state."""
    page = _text(full, pages=1)
    for wanted in (
        "Client: Contoso Retail", "Run time: 5 min 30 s instead of 16 min 34 s", "95 % interval 66–68 %",
        "Gain −67 %", "Effort Minor", "Interruption The agent restarts once", "Risk Moderate",
        "20,000,000 commands is delivered in 2 h 6 min (2 h to 2 h 12 min) instead of 9 h 12 min",
        "Figure 1. How many streams are best?", "VIEW SERVER STATE", "each is in the attached trials.csv",
        "ReadBatchSize 5,000 instead of 500 E1, a backlog of 1,000,000 commands, 2.5 commands per transaction −18 % "
        "−20 % to −15 % Minor, minor",
        "by the certain gain",
    ):  # fmt: skip
        assert wanted in page, wanted
    assert "Your servers are as they were. All 12 changes" in _text(full, pages=2)
    assert "39 trials ran" in _text(full, pages=2)


def test_text_in_plots_is_at_least_eight_points(full: PdfReader) -> None:
    """Measured where it is drawn: a figure is scaled to the page, the report's own text is not."""
    sizes: list[float] = []

    def measure(text: str, place: list[float], line: list[float], _font: object, size: float) -> None:
        scale = math.hypot(place[0], place[1])
        if text.strip() and not math.isclose(scale, 1.0, abs_tol=1e-3):
            sizes.append(size * math.hypot(line[0], line[1]) * scale)

    for page in full.pages:
        page.extract_text(visitor_text=measure)
    assert len(sizes) > 100
    assert min(sizes) >= 8.0


def test_evidence_has_all_that_defends_a_decision(full: PdfReader) -> None:
    """Verdict, interval, reason, price, risk, undo, rules, sources and trials of each decision."""
    text = _text(full)
    evidence = text[text.index("Improvement shown.") :]
    for wanted in (
        "95 % interval 66–68 %; 3", "Recommendation", "Because.", "Trade-off", "Risk", "Undo", "Sources:",
        "Replication Distribution Agent", "E2-T001 to E2-T012", "distribution_agent.streams 2",
        "A backlog of 20 million commands takes 2 h instead of 9 h",
    ):  # fmt: skip
        assert wanted in evidence, wanted


def test_unused_trials_say_why(full: PdfReader) -> None:
    """A trial that failed a check is listed with the reason."""
    assert "The agent fell back to one stream after 41 s." in _text(full)


def test_changes_not_put_back_are_shouted(renderer: PyqtgraphRenderer) -> None:
    """An open change stands in summary and list, with its undo script."""
    session = full_session()
    left = replace(session.changes[3], state=EntryState.APPLIED, problem="The Distributor did not answer.")
    request = replace(full_request(), session=replace(session, changes=(*session.changes[:3], left)))
    text = _text(_read(request, renderer))
    assert "Not everything was undone. 1 of 4 changes are not undone." in text
    assert "Changes not undone What is changed Target Original Changed to Why it is not undone" in text
    assert "The Distributor did not answer." in text
    assert "as they were" not in text


def test_attachments_are_readable(full: PdfReader) -> None:
    """The run data is inside: measurements, statements, trials, changes, scripts and the findings as JSON."""
    files = {name: contents[0] for name, contents in full.attachments.items()}
    assert set(files) == {
        "measurements.csv", "session.json", "trials.csv", "statements.csv", "changes.csv",
        "samples.csv", "comparisons.csv", "findings.csv", "environment.json", "figures.html",
        *(f"{way}-{number}-contodist07.sql" for way in ("before", "apply", "verify", "undo") for number in (1, 2, 3)),
    }  # fmt: skip
    text = "".join(page.extract_text() for page in full.pages[-2:])
    assert all(hashlib.sha256(content).hexdigest() in re.sub(r"\s", "", text) for content in files.values())
    assert files["figures.html"].count(b"<svg") == len(full_advice().plots)
    assert files["measurements.csv"].startswith(b"family,run,block,phase,metric,value,unit")
    assert files["statements.csv"].count(b"assign_profile,change") == 8
    assert b"sp_update_agent_profile" in files["apply-2-contodist07.sql"]


def test_document_is_tagged_titled_and_in_a_language(full: PdfReader) -> None:
    """A screen reader knows title, language and structure; every figure has a description."""
    catalog = full.root_object
    assert full.metadata is not None
    assert full.metadata.title == "Faster replication of the sales ledger"
    assert full.metadata.author == "Harbour Database Consulting"
    assert str(catalog["/Lang"]) == "en"
    assert catalog["/MarkInfo"]["/Marked"]  # type: ignore[index]  # a PDF dictionary of no declared type
    metadata = full.xmp_metadata
    assert metadata is not None
    raw = metadata.stream.get_data().decode()
    assert "pdfuaid" in raw
    assert "pdfaid" in raw
    shown = {decision.finding.figure for decision in full_advice().decisions}
    assert {plot.alt for plot in full_advice().plots if plot.plot_id in shown} <= _descriptions(full)


def test_figures_are_vectors_with_searchable_text(full: PdfReader) -> None:
    """Plots are no pictures: their labels are text of the page."""
    page = next(p for p in full.pages if "Does a larger ReadBatchSize" in p.extract_text())
    assert len(page.images) == 0
    assert "ReadBatchSize (transactions)" in page.extract_text()


def test_same_request_gives_the_same_report(renderer: PyqtgraphRenderer, full: PdfReader) -> None:
    """Nothing depends on the clock, the machine or the order of a dictionary."""
    assert _text(_read(full_request(), renderer)) == _text(full)


def test_redacted_report_names_nobody(renderer: PyqtgraphRenderer, full: PdfReader) -> None:
    """No name of the client is left in text, metadata or attachments, and the cover says so."""
    named = _text(full).casefold()
    reader = _read(replace(full_request(), redact=True), renderer)
    content = _text(reader) + str(reader.metadata) + str(reader.outline)
    files = b"".join(contents[0] for contents in reader.attachments.values()).decode()
    for name in (*NAMES, TARGET):
        assert name.casefold() in named, name
        assert name.casefold() not in content.casefold(), name
        assert name.casefold() not in files.casefold(), name
    assert "are replaced in this copy" in content
    assert "run the scripts that lie beside the session file" in content


def test_imported_measurements_are_not_claimed_as_own(renderer: PyqtgraphRenderer) -> None:
    """The report of a file says whose numbers they are and that no server was touched."""
    request = imported_request()
    session = replace(request.session, environments=(Environment(request.session.imported_from),))
    reader = _read(replace(request, session=session), renderer)
    text = _text(reader)
    assert "each is in the attached measurements.csv" in text
    assert "Measured on" not in text
    assert "measurements.csv" in reader.attachments
    assert not {"trials.csv", "environment.json"} & set(reader.attachments)
    assert "4 measurements of 4 runs come from the file weekly-measurements.csv." in text
    assert "This program did not measure them" in text
    assert "This program was connected to no server and changed nothing." in text
    assert "no interval can be given" in text


def test_lab_results_are_marked(renderer: PyqtgraphRenderer) -> None:
    """Numbers from the simulation are never mistaken for a client's servers."""
    session = full_session()
    moved = replace(
        session,
        runs=tuple(replace(run, target="lab") for run in session.runs),
        environments=tuple(replace(environment, target="lab") for environment in session.environments),
    )
    text = _text(_read(replace(full_request(), session=moved), renderer))
    assert "Measured on simulated servers (the lab), not on a real installation." in text
    assert "measure on your own servers before you change a setting" in text


def test_empty_session_gives_a_short_report(renderer: PyqtgraphRenderer) -> None:
    """A session in which nothing happened is told in a few pages without a crash."""
    reader = _read(empty_request(), renderer)
    assert len(reader.pages) < 8
    assert "Nothing has been measured in this session yet." in _text(reader)


@pytest.mark.prove
@pytest.mark.parametrize(
    "nasty",
    [
        '#image("/etc/passwd") #eval("1+1") $x^2$ *bold* _it_ `raw` <label> @ref \\ // /* [a] {b} = ~ - + "q" \'s\'',
        "Name" + "AndOn" * 80,
        "\x00\x07\x1b\ufeff\u202e\udc80\ue000\ufffe text",
        "</script> & <b> %s {0} {name} \\n",
    ],
)
def test_odd_texts_are_only_text(renderer: PyqtgraphRenderer, nasty: str) -> None:
    """Markup, endless words and control characters in any text are shown, not obeyed, and break nothing."""
    request = full_request()
    keep = {value for run in request.session.runs for value in (run.target, run.run_id)}
    few = replace(request.session, statements=request.session.statements[::30])

    def odd(text: str) -> str:
        return text if text in keep else f"{text} {nasty}"

    def storable(text: str) -> str:
        return odd(text).encode("utf-8", "replace").decode()

    kept = kept_texts(map_texts(replication_of(few.environments[0]), storable))
    session = map_texts(replace(few, environments=()), odd)
    session = replace(session, environments=(Environment(TARGET, map_texts(few.environments[0].facts, odd), kept),))
    advice = map_texts(request.advice, lambda text: text if "/" in text or "_" in text else f"{text} {nasty}")
    text = _text(_read(replace(request, session=session, advice=advice), renderer), pages=16)
    assert "Improvement shown" in text
    if nasty.startswith("#"):
        assert '#image("/etc/passwd") #eval("1+1") $x^2$ *bold* _it_ `raw`' in text


def test_characters_without_a_glyph_are_spelled_out_or_set(renderer: PyqtgraphRenderer) -> None:
    """Chinese, Arabic and emoji appear if the machine has a font for them, else as their code; nothing crashes."""
    session = replace(full_session(), client="客户 🚀 عميل", consultant="Åse Ødegård-Łukasz Ψ")
    text = _text(_read(replace(full_request(), session=session), renderer))
    assert "客户" in text or "[U+5BA2][U+6237]" in text
    assert "Åse Ødegård-Łukasz Ψ" in text


def test_plots_with_characters_without_a_glyph(renderer: PyqtgraphRenderer) -> None:
    """A plot's labels may hold any character, too."""
    advice = full_advice()
    plots = tuple(replace(plot, x_label="客户 🚀", title="客户") for plot in advice.plots)
    assert len(_read(replace(full_request(), advice=replace(advice, plots=plots)), renderer).pages) > 3


def test_thirty_experiments(renderer: PyqtgraphRenderer) -> None:
    """A long report has a row and a part for each decision, about a page each at most."""
    advice = full_advice()
    decisions = tuple(
        replace(decision, number=number, where=f"Place {number:02d}")
        for number in range(1, 31)
        for decision in advice.decisions[(number - 1) % 3 : (number - 1) % 3 + 1]
    )
    reader = _read(replace(full_request(), advice=replace(advice, decisions=decisions)), renderer)
    assert len(reader.pages) < 40
    printed = _text(reader)
    assert all(printed.count(f"Place {number:02d}") >= 2 for number in range(1, 31))


def test_thousands_of_statements_stay_bounded(renderer: PyqtgraphRenderer) -> None:
    """A night of sampling makes a table of counts, not a thousand pages; the whole log is attached."""
    session = full_session()
    request = replace(full_request(), session=replace(session, statements=session.statements * 40))
    reader = _read(request, renderer)
    assert len(reader.pages) < 10
    assert reader.attachments["statements.csv"][0].count(b"agent_history,read") == 300 * 40


def test_logo_and_brand_folder_are_used(renderer: PyqtgraphRenderer, full: PdfReader, tmp_path: Path) -> None:
    """A consultancy's logo stands on the cover, and its brand file replaces the shipped one."""
    logo = tmp_path / "logo.svg"
    logo.write_bytes(_PIXEL)
    brand = tmp_path / "brand"
    brand.mkdir()
    shipped = (Path(__file__).parents[2] / "resources" / "report" / "brand.typ").read_text(encoding="utf-8")
    (brand / "brand.typ").write_text(shipped.replace("9.2pt", "18pt"), encoding="utf-8")
    branded = _read(replace(full_request(), logo=logo, template=brand), renderer)
    assert len(branded.pages) > len(full.pages)
    assert "Logo of Harbour Database Consulting" in _descriptions(branded)


@pytest.mark.parametrize("name", ["missing.png", "notes.txt", "folder"])
def test_unusable_logo_is_refused(renderer: PyqtgraphRenderer, tmp_path: Path, name: str) -> None:
    """A logo that is not there, or no picture, is one clear sentence."""
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="the logo must be a PNG, JPEG or SVG file"):
        render_report(replace(empty_request(), logo=tmp_path / name), renderer)


def test_broken_logo_and_template_are_refused(renderer: PyqtgraphRenderer, tmp_path: Path) -> None:
    """A file that only claims to be a picture, and a template that does not compile, are the user's to mend."""
    logo = tmp_path / "logo.png"
    logo.write_bytes(b"no picture")
    with pytest.raises(BadInput, match="cannot be set"):
        render_report(replace(empty_request(), logo=logo), renderer)
    brand = tmp_path / "brand"
    brand.mkdir()
    (brand / "brand.typ").write_text("#let ink = black\n#let accent = (")
    with pytest.raises(BadInput, match=r"cannot be set: brand\.typ, line 2: unclosed delimiter"):
        render_report(replace(empty_request(), template=brand), renderer)
    (brand / "brand.typ").write_text(f"#let accent = {'A' * 4096}")
    with pytest.raises(BadInput, match=r"line 1: unknown variable: A{40,60}…$"):
        render_report(replace(empty_request(), template=brand), renderer)
    with pytest.raises(BadInput, match="must be a folder"):
        render_report(replace(empty_request(), template=tmp_path / "nowhere"), renderer)


def test_report_replaces_the_file_in_one_step(renderer: PyqtgraphRenderer, tmp_path: Path) -> None:
    """The old report stays until the new one is complete; a folder that is not there is one clear sentence."""
    out = tmp_path / "report.pdf"
    out.write_bytes(b"old")
    write_report(empty_request(), renderer, out)
    assert out.read_bytes().startswith(b"%PDF-")
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]
    with pytest.raises(BadInput, match="cannot be written"):
        write_report(empty_request(), renderer, tmp_path / "nowhere" / "report.pdf")


def test_places_to_break_are_no_characters(renderer: PyqtgraphRenderer) -> None:
    """A name that may break in a narrow column is copied as it is written, and so is every other word."""
    session = full_session()
    moved = replace(session, runs=tuple(replace(run, target="lab:streams-2009") for run in session.runs))
    said = "".join(page.extract_text() for page in _read(replace(full_request(), session=moved), renderer).pages)
    assert "lab:streams-2009" in said
    assert "\u200b" not in said


def test_the_first_page_leads_to_the_trials_behind_each_decision(full: PdfReader) -> None:
    """Its links go to the evidence, where the trials are named; each decision has one, with words for a reader."""
    links = [note.get_object() for note in full.pages[0].get("/Annots", [])]
    links = [link for link in links if link["/Subtype"] == "/Link"]
    decisions = {f"decision-{decision.number}" for decision in full_request().advice.decisions}
    assert len(links) >= len(decisions)
    assert all(str(link.get("/Contents", "")).strip() for link in links)
    targets = [link["/Dest"] if "/Dest" in link else link["/A"]["/D"] for link in links]
    numbers = {
        page.indirect_reference.idnum: number for number, page in enumerate(full.pages) if page.indirect_reference
    }
    for target in targets:
        place = target if isinstance(target, ArrayObject) else full.named_destinations[str(target)].dest_array
        page = full.pages[numbers[place[0].idnum]]
        assert "Trials: " in page.extract_text()
