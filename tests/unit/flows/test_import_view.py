"""Import: what may be entered, what is missing, and the session made of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.flows.explain.import_view import (
    ImportForm,
    can_import,
    check_form,
    make_session,
    noise_share,
    preview_table,
    preview_text,
    what_is_missing,
)
from app.flows.shell.recent_view import read_recent_lines
from app.foundation.paths import resource_path
from app.services.explain.imported_session import preview_file
from app.services.hand_over.past_sessions import summarise_session

PUBLISHED = resource_path("published", "replication-agents-2018.csv")


@pytest.fixture(scope="module")
def filled() -> ImportForm:
    """A form with a file that was understood."""
    preview = preview_file(PUBLISHED, build_program().families)
    return ImportForm(file=str(PUBLISHED), folder="/somewhere/new", preview=preview)


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
    assert what_is_missing(ImportForm()) == "Choose a file of measurements."
    assert what_is_missing(ImportForm(file="/x.csv")) == "The file is being read."
    assert "folder" in what_is_missing(replace(filled, folder=" "))
    assert what_is_missing(filled) == ""
    assert "beside the fields" in what_is_missing(replace(filled, noise_percent="0"))
    assert "above 0" in check_form(replace(filled, noise_percent="0")).noise
    (tmp_path / "file").write_text("")
    assert "give a folder" in check_form(replace(filled, folder=str(tmp_path / "file"))).folder
    assert "whole path" in check_form(replace(filled, folder="here")).folder


def test_a_session_can_be_made_only_of_a_complete_form(filled: ImportForm) -> None:
    """File understood, noise right or empty, folder given."""
    assert can_import(filled)
    assert not can_import(replace(filled, preview=None))
    assert not can_import(replace(filled, folder=""))
    assert not can_import(replace(filled, noise_percent="x"))
    assert not can_import(replace(filled, file_problem="wrong"))


def test_the_preview_names_every_column_and_experiment(filled: ImportForm) -> None:
    """Before a file was read the table is empty."""
    assert preview_table(None).rows == ()
    assert preview_text(None) == ""
    assert len(preview_table(filled.preview).rows) == 10
    assert len(preview_text(filled.preview).splitlines()) >= 4


def test_the_session_made_holds_the_measurements(filled: ImportForm, tmp_path: Path) -> None:
    """The file stands in the folder chosen and says where its measurements came from."""
    path = make_session(replace(filled, folder=str(tmp_path / "study"), noise_percent="3"), build_program())
    assert path == tmp_path / "study" / "session.replitune"
    assert summarise_session(path).imported_from == PUBLISHED.name
    assert read_recent_lines([str(path)], build_program())[0].trials is None  # none was run here
