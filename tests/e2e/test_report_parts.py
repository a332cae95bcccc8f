"""Page 1 as slides, run sheet and data as a workbook, steps for a calendar: read by other programs' readers."""

import csv
import io
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from pptx import Presentation
from pptx.util import Cm
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.foundation.spreadsheet import as_given
from app.reporting.render.workbook import render_workbook
from app.services.explain.imported_session import read_session
from tests.contract.families.lab_runs import FAMILIES
from tests.e2e.client_file import write_client_file
from tests.e2e.formats import plain
from tests.e2e.program import assert_one_sentence, call
from tests.report.sample import full_request

_SESSION = "S20261121-080000-a1b2c3"
_NAMES = ("contopub03", "salesledger", "contodist07")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a client's file with several sessions."""
    return write_client_file(tmp_path_factory.mktemp("client") / "freight.replitune")


@pytest.fixture(scope="module")
def pdf(client: Path) -> PdfReader:
    """Return the report as PDF, which the parts are held against."""
    return PdfReader(_written(client, client.with_name("report.pdf")))


def _written(client: Path, out: Path, *more: str) -> Path:
    ended = call("report", client, "--session", _SESSION, "--out", out, *more)
    assert ended.code == 0, ended.err
    return out


def _sheets(path: Path) -> dict[str, list[list[Any]]]:
    book = CalamineWorkbook.from_path(str(path))
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


def _slide_texts(path: Path) -> list[str]:
    texts = []
    for slide in Presentation(str(path)).slides:
        shapes = list(slide.shapes)
        told = [shape.text_frame.text for shape in shapes if shape.has_text_frame]
        told += [cell.text for s in shapes if s.has_table for row in s.table.rows for cell in row.cells]
        texts.append(plain("\n".join(told)))
    return texts


def _events(path: Path) -> list[Any]:
    return list(Calendar.from_ical(path.read_bytes()).walk("VEVENT"))


def test_the_workbook_holds_run_sheet_decisions_and_every_table_of_the_report(
    client: Path, pdf: PdfReader, tmp_path: Path
) -> None:
    """Its data are those of the PDF's attachments, numbers as numbers; the run sheet has boxes to sign in."""
    sheets = _sheets(_written(client, tmp_path / "report.xlsx"))
    tables = {name.removesuffix(".csv"): files[0] for name, files in pdf.attachments.items() if name.endswith(".csv")}
    assert [*sheets][:3] == ["Contents", "Run sheet", "Decisions"]
    assert sorted([*sheets][3:]) == sorted(tables)
    for name, content in tables.items():
        rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))
        assert len(rows) == len(sheets[name])
        for told, shown in zip(rows, sheets[name], strict=True):
            for text, cell in zip(told, shown, strict=True):
                assert (
                    (pytest.approx(float(text), rel=1e-15) == cell)
                    if isinstance(cell, float | int)
                    else (as_given(text) == cell)
                ), (
                    name,
                    text,
                )
    values = [row[sheets["measurements"][0].index("value")] for row in sheets["measurements"][1:]]
    assert all(isinstance(value, float) for value in values)
    head, *steps = sheets["Run sheet"]
    assert (head[1], head[-1]) == ("When", "Who, when")
    whens = [row[1] for row in steps]
    planned = [when for when in whens if plain(when) in ("T", "T + 15 min", "T + 1 h", "next day")]
    # each change is done, and looked at, in a row of its own
    assert list(dict.fromkeys(planned)) == ["T", "T\u00a0+\u00a015\u00a0min", "T\u00a0+\u00a01\u00a0h", "next day"]
    decisions = json.loads(pdf.attachments["session.json"][0])["decisions"]
    assert [row[0] for row in sheets["Decisions"][1:]] == [decision["number"] for decision in decisions]


def test_no_text_of_a_server_is_taken_for_a_formula(tmp_path: Path) -> None:
    """What begins like one is a text as it was given, and one that is too long for a cell is cut."""
    path = tmp_path / "text.csv"
    path.write_text(
        "family,run,block,metric,value,unit,ReadBatchSize\n"
        "log_reader,=1+1,1,throughput,100,commands/s,500\n"
        f"log_reader,{'x' * 40_000},1,throughput,120,commands/s,1000\n",
        "utf-8",
    )
    request = full_request()
    out = tmp_path / "out.xlsx"
    out.write_bytes(render_workbook(replace(request, session=read_session(path, FAMILIES, None))))
    rows = _sheets(out)["measurements"]
    assert rows[1][1] == "=1+1"
    assert all(len(cell) <= 32_767 for row in rows for cell in row if isinstance(cell, str))
    assert any(isinstance(cell, str) and cell.endswith("x…") for row in rows for cell in row)


def test_the_slides_say_what_page_1_says(client: Path, pdf: PdfReader, tmp_path: Path) -> None:
    """The headline is the title; its tiles, its figure with a text, and every decision in a table follow."""
    out = _written(client, tmp_path / "report.pptx")
    first, *others = _slide_texts(out)
    page = plain(pdf.pages[0].extract_text())
    slide = Presentation(str(out)).slides[0]
    title = slide.shapes.title
    assert title is not None
    assert plain(title.text_frame.text) in page
    for word in ("Gain", "Effort", "Interruption", "Risk", "Before the change", "Your servers are as they were"):
        assert word in first, word
    [picture] = [shape for shape in slide.shapes if shape.shape_type is not None and "PICTURE" in str(shape.shape_type)]
    assert picture._element._nvXxPr.cNvPr.get("descr")
    decisions = json.loads(pdf.attachments["session.json"][0])["decisions"]
    assert sum(text.count("Change: ") for text in others) == sum(one["kind"] == "change" for one in decisions)
    wide, high = (Presentation(str(out)).slide_width, Presentation(str(out)).slide_height)
    for shape in (shape for one in Presentation(str(out)).slides for shape in one.shapes):
        assert shape.left >= 0
        assert not shape.has_table or shape.table.columns[0].width >= Cm(1.2)  # two digits beside a cell's margins
        assert shape.left + shape.width <= wide
        assert shape.top + shape.height <= high, shape.name


def test_the_calendar_has_the_steps_of_the_run_sheet(client: Path, tmp_path: Path) -> None:
    """Each dated row once, at its time from the window; what has no date stands with the window."""
    sheet = _sheets(_written(client, tmp_path / "report.xlsx"))["Run sheet"]
    events = _events(_written(client, tmp_path / "report.ics", "--window", "2026-12-05 22:00"))
    begins = datetime.fromisoformat("2026-12-05T22:00")  # by the clock there, without a zone
    assert [event["dtstart"].dt for event in events] == [
        datetime.fromisoformat("2026-12-04T10:00"),
        begins - timedelta(minutes=5), begins, begins + timedelta(minutes=15), begins + timedelta(hours=1),
        datetime.fromisoformat("2026-12-06T10:00"),
    ]  # fmt: skip
    assert {str(event["status"]) for event in events} == {"CONFIRMED"}
    assert len({str(event["uid"]) for event in events}) == len(events)
    told = " ".join(plain(str(event["description"])) for event in events)
    steps = [row[2] for row in sheet[1:] if row[1]]
    assert steps
    assert not [step for step in steps if plain(step) not in told]


def test_a_window_without_a_date_is_provisional_and_says_so(client: Path, tmp_path: Path) -> None:
    """Every event is tentative, and none is to be had where nothing is to be changed."""
    events = _events(_written(client, tmp_path / "report.ics"))
    assert {str(event["status"]) for event in events} == {"TENTATIVE"}
    assert all("no date yet" in str(event["description"]) for event in events)


@pytest.mark.parametrize("end", ["pptx", "xlsx", "ics"])
def test_every_part_is_redacted(client: Path, tmp_path: Path, end: str) -> None:
    """`--redact` replaces names in each of them."""
    out = _written(client, tmp_path / f"report.{end}", "--redact", "--keep-rest")
    if end == "pptx":
        said = " ".join(_slide_texts(out))
    else:
        said = str(_sheets(out)) if end == "xlsx" else " ".join(str(event["description"]) for event in _events(out))
    assert "apply" in said or end == "pptx"
    assert not [name for name in _NAMES if name in said.lower()]


def test_nothing_to_change_is_told(client: Path, tmp_path: Path) -> None:
    """A calendar without a step is no file."""
    path = tmp_path / "flat.csv"
    means = ((500, 100.0), (1000, 100.0), (500, 101.0), (1000, 101.0), (500, 99.0), (1000, 99.0))
    rows = [f"log_reader,r{run},1,throughput,{mean},commands/s,{size}" for run, (size, mean) in enumerate(means)]
    path.write_text("\n".join(["family,run,block,metric,value,unit,ReadBatchSize", *rows]) + "\n", "utf-8")
    assert call("advise", path, "--out", tmp_path / "advised").code == 0
    [session] = (tmp_path / "advised").rglob("*.replitune")
    refused = call("report", session, "--out", tmp_path / "report.ics")
    assert_one_sentence(refused)
    assert "nothing is to be changed" in refused.err
    assert not (tmp_path / "report.ics").exists()
