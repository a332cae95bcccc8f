"""Import: what may be entered, what is missing, and the session made of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.session import BASELINE_FACT
from app.flows.explain.import_view import (
    ImportForm,
    can_import,
    check_form,
    look_at,
    make_session,
    missing_entry,
    noise_share,
    preview_text,
    problems_text,
    published_titles,
    raw_table,
    sample_text,
    understand,
    with_column,
    with_common_value,
)
from app.flows.shell.recent_view import read_recent_lines
from app.foundation.paths import resource_path
from app.services.explain.imported_session import read_session, save_template
from app.services.explain.importing import LEFT_OUT, published_sources
from app.services.hand_over.past_sessions import summarise_session

PUBLISHED = resource_path("published", "replication-agents-2018.csv")


@pytest.fixture(scope="module")
def filled() -> ImportForm:
    """A form with a file that was understood."""
    understood = look_at(str(PUBLISHED), build_program())
    return ImportForm(file=str(PUBLISHED), folder=str(Path("/somewhere/new").absolute()), understood=understood)


@pytest.mark.parametrize(
    ("text", "share"), [("3", 0.03), (" 2,5 % ", 0.025), ("2.5", 0.025), ("", None), ("  ", None), ("99.9", 0.999)]
)
def test_noise_is_a_percentage(text: str, share: float | None) -> None:
    """Point or comma, with or without the sign; empty is unknown."""
    assert noise_share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["0", "100", "-1", "abc", "%%"])
def test_other_noise_is_refused(text: str) -> None:
    """Nothing outside 0 to 100 % and nothing that is no number."""
    with pytest.raises(BadInput):
        noise_share(text)


def test_what_is_missing_is_said_in_order(filled: ImportForm, tmp_path: Path) -> None:
    """The file first, then its reading, then the folder; a mistake goes before all."""
    assert missing_entry(ImportForm()) == "Choose a file of measurements."
    assert missing_entry(ImportForm(file="/x.csv")) == "The file is being read."
    assert "folder" in missing_entry(replace(filled, folder=" "))
    assert missing_entry(filled) == ""
    assert "beside the fields" in missing_entry(replace(filled, noise_percent="0"))
    assert "above 0" in check_form(replace(filled, noise_percent="0")).noise
    (tmp_path / "file").write_text("")
    assert "give a folder" in check_form(replace(filled, folder=str(tmp_path / "file"))).folder
    assert "whole path" in check_form(replace(filled, folder="here")).folder


def test_a_session_can_be_made_only_of_a_complete_form(filled: ImportForm) -> None:
    """File understood, noise right or empty, folder given."""
    assert can_import(filled)
    assert not can_import(replace(filled, understood=None))
    assert not can_import(replace(filled, folder=""))
    assert not can_import(replace(filled, noise_percent="x"))
    assert not can_import(replace(filled, file_problem="wrong"))


def test_the_preview_names_every_experiment(filled: ImportForm) -> None:
    """Before a file was read there is nothing to say."""
    assert preview_text(None) == ""
    assert len(preview_text(filled.understood).splitlines()) >= 4
    assert problems_text(filled) == problems_text(ImportForm()) == ""


def test_the_file_is_shown_as_it_is_written(filled: ImportForm) -> None:
    """A column for each of its own and their lines; columns of numbers are sorted as numbers."""
    assert raw_table(None).rows == ()
    assert filled.understood is not None
    table = raw_table(filled.understood.raw)
    assert [column.title for column in table.columns][:5] == ["Line", "family", "run", "metric", "value"]
    assert [column.is_number for column in table.columns][:5] == [True, False, False, False, True]
    assert [cell.text for cell in table.rows[0].cells][:5] == ["2", "log_reader", "R500", "run_time", "199.08"]
    assert sample_text(filled.understood, 3) == "199.08 · 186.15 · 181.54 …"
    assert sample_text(filled.understood, 0) == "log_reader · distribution_agent"


OWN = "Read batch size,Figure,Server\n500,3.5,PUB1\n5000,2.75,PUB1\n"


def test_a_persons_own_file_is_asked_about_and_read(tmp_path: Path) -> None:
    """What is missing is said at once; with each answer less is, and what is offered follows from what was said."""
    program = build_program()
    path = tmp_path / "own.csv"
    path.write_text(OWN)
    understood = look_at(str(path), program)
    form = ImportForm(file=str(path), folder=str(tmp_path / "new"), understood=understood)
    assert problems_text(form).splitlines() == [
        "2 values were found, and what they are is not said.",
    ]
    assert "above the columns" in missing_entry(form)
    assert not can_import(form)
    chosen = {said.name: said.chosen for said in understood.common}
    assert chosen == {"family": "log_reader", "metric": "", "unit": "", "conditions": ""}
    mapping = with_common_value(with_column(understood.mapping, 2, LEFT_OUT), "metric", "run_time")
    half = understand(path, understood.raw, mapping, program)
    (unit,) = (said for said in half.common if said.name == "unit")
    assert ("min", "min") in unit.choices
    assert ("MB", "MB") not in unit.choices
    whole = understand(path, understood.raw, with_common_value(mapping, "unit", "min"), program)
    assert whole.problems == ()
    assert can_import(replace(form, understood=whole))
    kept = make_session(replace(form, understood=whole, folder=str(tmp_path / "study")), program)
    assert summarise_session(kept).imported_from == "own.csv"


def test_all_rows_that_are_wrong_are_told_at_once(tmp_path: Path) -> None:
    """A line for each."""
    path = tmp_path / "own.csv"
    path.write_text(PUBLISHED.read_text().replace("199.08", "fast").replace("163.81", ""))
    form = ImportForm(file=str(path), understood=look_at(str(path), build_program()))
    first, second = problems_text(form).splitlines()
    assert first.startswith('Line 2, column "value": "fast" is not a number')
    assert second.startswith('Line 5, column "value": the value is missing')


def test_the_published_studies_are_offered() -> None:
    """All of them, by their titles; each is understood as it stands."""
    titles = published_titles()
    assert len(titles) == len(published_sources())
    assert "(2018-06-26, again 2019-03-23)" in titles[0][1]
    for path, _title in titles:
        assert look_at(str(path), build_program()).problems == ()


def test_a_template_can_be_saved_where_there_is_a_folder(tmp_path: Path) -> None:
    """Where there is none it is said what to do."""
    family = build_program().families["log_reader"]
    save_template(tmp_path / "template.csv", family)
    assert "ReadBatchSize" in (tmp_path / "template.csv").read_text()
    with pytest.raises(BadInput, match="choose another folder"):
        save_template(tmp_path / "missing" / "template.csv", family)


def test_the_session_made_holds_the_measurements(filled: ImportForm, tmp_path: Path) -> None:
    """The file stands in the folder chosen and says where its measurements came from."""
    path = make_session(replace(filled, folder=str(tmp_path / "study"), noise_percent="3"), build_program())
    assert path == tmp_path / "study" / "session.replitune"
    assert summarise_session(path).imported_from == PUBLISHED.name
    assert read_recent_lines([str(path)], build_program())[0].trials is None  # none was run here


def test_the_setting_the_others_are_compared_with_can_be_chosen(tmp_path: Path) -> None:
    """Of those measured; without a choice it is the vendor's default, or the lowest."""
    program, path = build_program(), tmp_path / "own.csv"
    path.write_text("Read batch size,Duration (s)\n500,9\n1000,8\n5000,7\n")
    looked = look_at(str(path), program)
    (baseline,) = (value for value in looked.common if value.name == "baseline")
    assert baseline.choices[1] == ("ReadBatchSize=1000", "ReadBatchSize 1000")
    assert (baseline.chosen, baseline.blank) == ("", "Default or lowest")
    again = understand(path, looked.raw, with_common_value(looked.mapping, "baseline", "ReadBatchSize=1000"), program)
    record = read_session(path, program.families, None, again.mapping)
    assert record.environments[0].facts == ((BASELINE_FACT, "ReadBatchSize 1000", ""),)
