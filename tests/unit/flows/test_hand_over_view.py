"""The fields of the report, what is wrong with them, and the files of a hand-over."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.hand_over import common_files
from app.domain.own_words import OwnWords
from app.flows.hand_over.hand_over_view import (
    LONGEST_NAME,
    Kind,
    ReportForm,
    check_form,
    failed_text,
    files_of,
    files_table,
    fill_form,
    format_titles,
    options_of,
    page_text,
    read_sizes,
    redact_hint,
    remember_form,
    report_path,
    words_to_keep,
    writing_text,
    written_text,
)
from app.reporting.numbers import size_text
from app.services.hand_over.report_and_scripts import ReportFormat, WrittenFile
from app.services.preferences import Preferences
from app.services.workplace import Workplace
from tests.report.sample import empty_session


def test_fields_begin_with_what_is_known(tmp_path: Path) -> None:
    """Names come from the session, else consultant and logo from the settings; a lost logo is left out."""
    logo = tmp_path / "logo.png"
    logo.write_bytes(b"x")
    kept = Preferences(consultant="Jo Doe", logo=str(logo))
    session = replace(empty_session(), client="ACME", consultant="")
    assert fill_form(session, kept) == ReportForm("ACME", "Jo Doe", str(logo))
    assert fill_form(replace(session, consultant="Ann"), kept).consultant == "Ann"
    logo.unlink()
    assert fill_form(session, kept).logo == ""


def test_mistakes_stand_beside_their_fields(tmp_path: Path) -> None:
    """A name too long, a name that is no line of letters, and a logo that is none: each has its sentence."""
    assert check_form(ReportForm("ACME", "Jo", "")).is_right
    assert check_form(ReportForm("x" * (LONGEST_NAME + 1))).client.startswith("At most 120")
    assert check_form(ReportForm(consultant="a\tb")).consultant == "A name is one line of letters."
    assert check_form(ReportForm(logo="notes.txt")).logo == "A logo is a PNG, JPEG or SVG file."
    assert check_form(ReportForm(logo=str(tmp_path / "no.png"))).logo == "There is no such file."
    assert not check_form(ReportForm(logo="notes.txt")).is_right


def test_the_wish_is_what_stands_in_the_fields(tmp_path: Path) -> None:
    """Spaces around names do not count; an empty logo is none."""
    options = options_of(ReportForm(" ACME ", " Jo ", " ", redact=True))
    assert (options.client, options.consultant, options.logo, options.redact) == ("ACME", "Jo", None, True)
    assert options_of(ReportForm(logo=str(tmp_path / "a.svg"))).logo == tmp_path / "a.svg"


def test_a_redacted_report_does_not_overwrite_the_other(tmp_path: Path) -> None:
    """Both reports can lie side by side, and the page says what replacing names means."""
    place = Workplace(tmp_path)
    assert report_path(place, ReportForm()) == tmp_path / "report.pdf"
    assert report_path(place, ReportForm(redact=True)) == tmp_path / "report-redacted.pdf"
    assert "as they are" in redact_hint(ReportForm())
    assert "Scripts and data files keep them" in redact_hint(ReportForm(redact=True))


@pytest.mark.parametrize(
    ("written_as", "plain", "redacted"),
    [
        (ReportFormat.HTML, "report.html", "report-redacted.html"),
        (ReportFormat.MARKDOWN, "report.md", "report-redacted.md"),
        (ReportFormat.CSV, "findings.csv", "findings-redacted.csv"),
    ],
)
def test_every_format_has_a_name_of_its_own(
    tmp_path: Path, written_as: ReportFormat, plain: str, redacted: str
) -> None:
    """What is written is listed with its purpose; a format nobody chose is not asked for."""
    place = Workplace(tmp_path)
    for redact, name in ((False, plain), (True, redacted)):
        path = report_path(place, ReportForm(redact=redact, written_as=written_as))
        assert path == tmp_path / name
        assert path not in files_of(place)
        path.write_bytes(b"x")
        assert path in files_of(place)
    assert [kind for kind, _title in format_titles()] == list(ReportFormat)


def test_a_template_is_a_folder(tmp_path: Path) -> None:
    """It is remembered for the next report, and left out once it is gone."""
    form = ReportForm("ACME", template=f" {tmp_path} ")
    assert check_form(form).is_right
    assert options_of(form).template == tmp_path
    assert options_of(ReportForm()).template is None
    kept = remember_form(Preferences(), form)
    assert fill_form(empty_session(), kept).template == str(tmp_path)
    gone = ReportForm(template=str(tmp_path / "none"))
    assert check_form(gone).template == "There is no such folder."
    assert not check_form(gone).is_right
    assert fill_form(empty_session(), remember_form(Preferences(), gone)).template == ""


def test_consultant_and_logo_are_remembered() -> None:
    """The next report begins with the same consultant and logo; the client is not kept."""
    kept = remember_form(Preferences(), ReportForm("ACME", " Jo ", " /a.png "))
    assert (kept.consultant, kept.logo) == ("Jo", "/a.png")


def test_the_files_say_how_large_they_are_or_that_they_are_not_written(tmp_path: Path) -> None:
    """Every file of a hand-over is listed with its purpose; unknown ones are left out."""
    place = Workplace(tmp_path)
    place.report.write_bytes(b"x" * 1_500)
    table = files_table(place, (*read_sizes(place), (tmp_path / "other.txt", 3)))
    assert [cell.text for cell in table.rows[0].cells] == ["report.pdf", "1.5\u00a0KB", "for the client"]
    assert table.rows[0].cells[1].copied == "1500"
    assert table.rows[1].cells[1].text == "not written"
    assert len(table.rows) == 7
    assert table.rows[-1].cells[0].text == "session.replitune"


def test_a_rollback_script_is_the_journal_s_alone(tmp_path: Path) -> None:
    """What a run leaves beside its file undoes that run; what takes the advice back is a script of its own."""
    place = Workplace(tmp_path)

    def told() -> dict[str, str]:
        return {row.cells[0].text: row.cells[2].text for row in files_table(place, read_sizes(place)).rows}

    assert "rollback.sql" not in told()
    place.rollback_script.write_bytes(b"-- Nothing to undo")
    assert told()["rollback.sql"] == "undoes what a run left changed"
    assert told()["undo.sql"] == "undoes apply.sql"
    for name in ("apply-DIST1.sql", "undo-DIST1.sql"):
        (tmp_path / name).write_bytes(b"-- values")
    assert (told()["apply-DIST1.sql"], told()["undo-DIST1.sql"]) == ("sets the values", "undoes apply-DIST1.sql")
    assert "undo.sql" not in told()


def test_scripts_are_called_what_they_will_be_called(tmp_path: Path) -> None:
    """Before any is written the list names those of each server, as the run sheet of the report does."""
    place, to_come = Workplace(tmp_path), tuple(common_files().at(server) for server in ("DIST1", "DIST2"))
    table = files_table(place, read_sizes(place, (), to_come), (), to_come)
    told = {row.cells[0].text: row.cells[2].text for row in table.rows if row.cells[0].text.endswith(".sql")}
    assert told == {
        "apply-DIST1.sql": "sets the values",
        "undo-DIST1.sql": "undoes apply-DIST1.sql",
        "apply-DIST2.sql": "sets the values",
        "undo-DIST2.sql": "undoes apply-DIST2.sql",
    }


@pytest.mark.parametrize(("size_bytes", "text"), [(0, "0 B"), (999, "999 B"), (4_200, "4.2 KB"), (1_300_000, "1.3 MB")])
def test_sizes_are_written_as_a_person_reads_them(size_bytes: int, text: str) -> None:
    """Bytes, thousands and millions of them."""
    assert size_text(size_bytes).replace("\u00a0", " ") == text


def test_what_is_written_is_said_before_and_after() -> None:
    """While writing and afterwards the page says what."""
    assert len({writing_text(kind) for kind in Kind}) == len(Kind)
    text = written_text([WrittenFile(Path("/a/apply.sql"), 10), WrittenFile(Path("/a/undo.sql"), 2_000)])
    assert text.replace("\u00a0", " ") == "Written: apply.sql (10 B), undo.sql (2.0 KB)."


def test_failures_are_told_in_a_sentence() -> None:
    """A known error is its own sentence; a mistake of the program points to its report."""
    assert failed_text(BadInput("the disk is full")) == "The disk is full."
    assert "mistake in this program" in failed_text(ValueError("x"))


def test_pages_are_counted_from_one() -> None:
    """No page, one page, and the second of many."""
    assert (page_text(0, 0), page_text(0, 1), page_text(1, 25)) == ("", "1 page", "Page 2 of 25")


def test_only_words_that_were_changed_are_kept() -> None:
    """Title and foreword as they stand in the session are not written again; an emptied one is taken away."""
    kept = OwnWords(title="Streams", foreword="You asked.")
    assert words_to_keep(ReportForm(title="Streams ", foreword="You asked."), kept) == {}
    assert words_to_keep(ReportForm(title="", foreword="You asked why."), kept) == {
        "title": "",
        "foreword": "You asked why.",
    }
