"""JSON files of measurements hold the same keys as the columns of CSV."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import BadInput
from app.domain.setting import Setting
from app.services.explain.importing import read_measurements
from tests.unit.importing.files import FAMILIES

FIRST: dict[str, Any] = {
    "family": "log_reader",
    "run": "r1",
    "metric": "run_time",
    "value": 199.08,
    "unit": "s",
    "ReadBatchSize": 500,
}
SECOND: dict[str, Any] = {**FIRST, "run": "r2", "value": 163_810, "unit": "ms", "ReadBatchSize": 5000}


def write(folder: Path, content: object, name: str = "site.json") -> Path:
    """Write content as JSON, or as it is where it is a text already."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_reads_entries_as_rows(tmp_path: Path) -> None:
    """Values, settings and the notes of the file come out as from CSV."""
    path = write(tmp_path, {"measurements": [FIRST, SECOND], "notes": ["measured at night"]})
    imported = read_measurements(path, FAMILIES)
    assert [(m.trial_id, m.value, m.setting) for m in imported.measurements] == [
        ("r1", 199.08, Setting.of(ReadBatchSize=500)),
        ("r2", 163.81, Setting.of(ReadBatchSize=5000)),
    ]
    assert imported.notes == ("measured at night",)
    assert imported.layout == ("JSON", "utf-8")


def test_json_is_known_by_its_content_too(tmp_path: Path) -> None:
    """A file with another ending that begins with a brace is JSON."""
    path = write(tmp_path, {"measurements": [FIRST, SECOND]}, "site.txt")
    assert len(read_measurements(path, FAMILIES).measurements) == 2


def test_absent_keys_are_empty_cells(tmp_path: Path) -> None:
    """Entries may have different keys; null is the same as absent, and a list of two ends is a range."""
    entries = [{**FIRST, "commands_per_transaction": [500, 1000]}, SECOND, {**FIRST, "run": None, "ReadBatchSize": 700}]
    imported = read_measurements(write(tmp_path, {"measurements": entries}), FAMILIES)
    assert imported.measurements[0].conditions == Setting.of(commands_per_transaction=750)
    assert [m.trial_id for m in imported.measurements] == ["r1", "r2", "entry 3"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"measurements": [', "line 1, column 19: this is no JSON"),
        ('{"measurements": [\n{"a" 1}]}', "line 2, column 6: this is no JSON"),
        ([FIRST], "holds one setting only"),
        ("7", "has another shape"),
        ({"measurements": {}}, "has another shape"),
        ({"measurements": []}, "holds no measurements"),
        ({"measurements": [FIRST, 7]}, "entry 2: a measurement must be an object"),
        ({"measurements": [FIRST], "comment": 1}, 'the key "comment" is not known at the top'),
        ({"measurements": [FIRST], "notes": "x"}, '"notes" must be a list of texts'),
        ('{"measurements": [{"value": 1, "value": 2}]}', 'the key "value" occurs twice'),
        ("[" * 100_000, "nested too deep"),
        ({"measurements": [{**FIRST, "value": "fast"}, SECOND]}, 'entry 1, key "value": "fast" is not a number'),
        ({"measurements": [{**FIRST, "value": "1,5"}, SECOND]}, 'does not have the decimal mark "."'),
        ({"measurements": [FIRST, {**SECOND, "value": True}]}, 'entry 2, key "value": "True" is not a number'),
        ({"measurements": [FIRST, {**SECOND, "value": {}}]}, "a list or an object is not allowed here"),
        ({"measurements": [FIRST, {**SECOND, "value": float("nan")}]}, '"nan" is not a number'),
        ({"measurements": [FIRST, {**SECOND, "value": float("inf")}]}, "must be a finite number greater than zero"),
        ({"measurements": [FIRST, {**SECOND, "value": 10**400}]}, "must be a finite number greater than zero"),
        ('{"measurements": [{"value": ' + "9" * 5000 + "}]}", "a number is too long"),
        ({"measurements": [FIRST, FIRST]}, 'entry 2: run "r1" already has a run_time for ReadBatchSize 500 in entry 1'),
        ({"measurements": [{"family": "log_reader"}]}, 'no column holds measured values; present: "family"'),
    ],
)
def test_says_what_is_wrong_and_where(tmp_path: Path, content: object, expected: str) -> None:
    """Each mistake gives one sentence that names the file, the place and what to do."""
    path = write(tmp_path, content)
    with pytest.raises(BadInput) as caught:
        read_measurements(path, FAMILIES)
    sentence = str(caught.value)
    assert expected in sentence
    assert sentence.startswith(str(path))
    assert "\n" not in sentence
