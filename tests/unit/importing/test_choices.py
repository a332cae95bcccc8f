"""Parameters that are words, and conditions that vary within one run."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.setting import Setting
from app.services.explain.importing import FamilyColumns, ImportedFile, columns_of, read_measurements
from app.systems.availability_groups.families.commit_mode import FAMILY
from app.systems.transactional_replication.families.log_reader import FAMILY as AGENT_FAMILY
from tests.unit.importing.files import FAMILIES

KNOWN: dict[str, FamilyColumns] = {**FAMILIES, "commit_mode": columns_of(FAMILY)}
HEADINGS = "family,run,block,metric,value,unit,availability_mode,inserts,rows_per_insert,server_version\n"
ROWS = (
    "commit_mode,a,1,shape_time,7.5,s,ASYNC,1,1000000,2016\n"
    "commit_mode,a,1,shape_time,8.5,s,async,100,10000,2016\n"
    "commit_mode,b,1,shape_time,14,s,sync,1,1000000,2016\n"
    "commit_mode,b,1,shape_time,17,s,sync,100,10000,2016\n"
)


def read(folder: Path, text: str) -> ImportedFile:
    """Return what a file with this text holds."""
    path = folder / "site.csv"
    path.write_text(text, encoding="utf-8")
    return read_measurements(path, KNOWN)


def test_words_are_taken_in_any_case_and_units_are_converted(tmp_path: Path) -> None:
    """Settings hold the family's own words, conditions numbers, values the metric's unit."""
    found = read(tmp_path, HEADINGS + ROWS).measurements
    assert {m.setting for m in found} == {Setting.of(availability_mode=mode) for mode in ("async", "sync")}
    assert {m.value for m in found} == {7_500.0, 8_500.0, 14_000.0, 17_000.0}
    assert found[0].conditions == Setting.of(inserts=1, rows_per_insert=1_000_000, server_version="2016")


def test_rows_of_one_run_may_differ_in_what_varies_within_a_run(tmp_path: Path) -> None:
    """Two shapes of one run keep its name; another mode under the same name is another run, and is said to be."""
    found = read(tmp_path, HEADINGS + ROWS)
    assert [m.trial_id for m in found.measurements] == ["a", "a", "b", "b"]
    assert found.notes == ()
    same = read(tmp_path, HEADINGS + ROWS.replace(",b,", ",a,"))
    assert len({m.trial_id for m in same.measurements}) == 3
    assert "covers several settings" in same.notes[0]


def test_a_word_nobody_knows_is_refused_with_its_place(tmp_path: Path) -> None:
    """The sentence names line, column, and the words there are."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, HEADINGS + ROWS.replace("sync,1,", "synch,1,"))
    assert 'line 4, column "availability_mode"' in str(caught.value)
    assert 'availability_mode must be one of standalone, async, sync, not "synch"' in str(caught.value)


def test_a_condition_of_other_families_is_refused(tmp_path: Path) -> None:
    """A group knows no commands per transaction."""
    text = (HEADINGS.strip() + ",commands_per_transaction\n") + "".join(f"{row},5\n" for row in ROWS.splitlines())
    with pytest.raises(BadInput, match='"commit_mode" has no condition commands_per_transaction'):
        read(tmp_path, text)


def test_a_family_says_under_which_conditions_it_is_measured() -> None:
    """Its own conditions are columns, then what varies within its runs, then those of any server."""
    assert [column.name for column in columns_of(AGENT_FAMILY).conditions] == [
        "commands_per_transaction",
        "agent_pairs",
        "scenario",
        "commands",
        "network_kbps",
        "rtt_ms",
        "server_version",
        "concurrency",
    ]
    assert [column.name for column in columns_of(FAMILY).conditions][:2] == ["inserts", "rows_per_insert"]
