"""What a file says once for several rows, or not at all: filled in, asked, given for all rows, or told as assumed."""

from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.flows.explain.import_view import Understanding, look_at, understand, with_common_value
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import Asked, read_measurements
from tests.e2e.program import call
from tests.labs import FAMILIES

COLUMNS = accepted_columns(FAMILIES)
GROUPED = "SubscriptionStreams,Lauf,Dauer (s)\n1,1,751\n,2,722\n,3,740\n4,1,331\n,2,312\n,3,320\n"
GRID = "CommitBatchSize;1;2;4\n100;540;401;276\n1000;420;310;205\n"


def _written(folder: Path, text: str) -> Path:
    path = folder / "site.csv"
    path.write_text(text, encoding="utf-8")
    return path


def _said(understood: Understanding, path: Path, name: str, text: str) -> Understanding:
    return understand(path, understood.raw, with_common_value(understood.mapping, name, text), build_program())


def test_a_first_column_that_says_something_once_for_several_rows_is_filled_down(tmp_path: Path) -> None:
    """As tables for people are grouped; a note says so, and how many cells."""
    imported = read_measurements(_written(tmp_path, GROUPED), COLUMNS)
    assert [m.setting["SubscriptionStreams"] for m in imported.measurements] == [1, 1, 1, 4, 4, 4]
    note = 'site.csv, line 3: empty cells of "SubscriptionStreams" were read as the one above them: 4'
    assert note in imported.notes


def test_groups_within_groups_are_filled_down(tmp_path: Path) -> None:
    """The second column is filled within a group of the first."""
    text = (
        "CommitBatchSize;SubscriptionStreams;duration_s\n"
        "100;1;751\n;;722\n;4;331\n;;312\n1000;1;651\n;;622\n;4;231\n;;212\n"
    )
    imported = read_measurements(_written(tmp_path, text), COLUMNS)
    settings = [m.setting.label() for m in imported.measurements]
    assert settings[1] == "CommitBatchSize 100, SubscriptionStreams 1"
    assert settings[-1] == "CommitBatchSize 1000, SubscriptionStreams 4"


def test_one_empty_cell_is_no_group(tmp_path: Path) -> None:
    """It is rather forgotten, or stands before a sum."""
    with pytest.raises(BadInput, match="no parameter has a value"):
        read_measurements(_written(tmp_path, "SubscriptionStreams,duration_s\n1,751\n4,331\n,1082\n"), COLUMNS)


def test_of_several_families_that_fit_the_one_taken_is_told(tmp_path: Path) -> None:
    """How another is named stands beside it; nothing is said where somebody named one."""
    path = _written(tmp_path, "SubscriptionStreams,throughput (cmds/s)\n1,100\n4,150\n")
    note = "taken for the family distribution_agent; wan_delivery would fit as well: --family"
    assert note in call("advise", path, "--json").out
    looked = look_at(str(path), build_program())
    assert looked.preview is not None
    assert any(note in told for told in looked.preview.notes)
    assert "would fit as well" not in call("advise", path, "--json", "--family", "wan_delivery").out
    chosen = _said(looked, path, "family", "wan_delivery").preview
    assert chosen is not None
    assert not any("would fit as well" in told for told in chosen.notes)


def test_a_unit_that_nobody_gave_is_told(tmp_path: Path) -> None:
    """Every way to leave it out."""
    imported = read_measurements(_written(tmp_path, "SubscriptionStreams,duration\n1,751\n4,331\n"), COLUMNS)
    assert "site.csv: no unit of run_time is given; its values were taken as s" in imported.notes
    empty = "metric,value,unit,SubscriptionStreams\nrun_time,751,,1\nrun_time,331,,4\n"
    imported = read_measurements(_written(tmp_path, empty), COLUMNS)
    assert "site.csv: no unit of run_time is given; its values were taken as s" in imported.notes


def test_conditions_of_all_rows_are_typed_in_the_window(tmp_path: Path) -> None:
    """Several, with what is wrong told above the columns."""
    path = _written(tmp_path, "SubscriptionStreams,duration_s\n1,751\n4,331\n")
    looked = look_at(str(path), build_program())
    (field,) = [one for one in looked.common if one.name == "conditions"]
    assert (field.choices, field.chosen) == ((), "")
    typed = _said(looked, path, "conditions", "rtt_ms=20, concurrency=4")
    assert typed.preview is not None
    assert "at concurrency 4, rtt_ms 20" in typed.preview.experiments[0]
    assert "has no value" in _said(looked, path, "conditions", "rtt_ms").problems[0]
    assert 'no condition "rtt"' in _said(looked, path, "conditions", "rtt=20").problems[0]


def test_of_levels_in_the_headings_the_parameter_is_asked(tmp_path: Path) -> None:
    """Once, by the command line and in the window."""
    path = _written(tmp_path, GRID)
    with pytest.raises(Asked, match=r'the columns "1", "2", "4" are headed by levels'):
        read_measurements(path, COLUMNS)
    answers = {"parameter": "SubscriptionStreams", "metric": "run_time"}
    imported = read_measurements(path, COLUMNS, answers=answers)
    assert len({m.setting for m in imported.measurements}) == 6
    looked = look_at(str(path), build_program())
    assert "parameter" in [one.name for one in looked.common]
    for name, answer in (*answers.items(), ("family", "distribution_agent")):
        looked = _said(looked, path, name, answer)
    assert looked.problems == ()
    assert looked.preview is not None
