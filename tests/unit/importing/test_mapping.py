"""Files whose columns are called otherwise: shown as they are, guessed, and read as somebody says they are meant."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import (
    LEFT_OUT,
    UNDECIDED,
    ColumnMapping,
    PublishedSource,
    RowsRefused,
    column_choices,
    columns_of,
    guess_mapping,
    mapping_problems,
    published_sources,
    read_measurements,
    read_raw,
    template_text,
)
from app.services.explain.importing.columns import VALUE
from tests.labs import FAMILIES as ALL
from tests.unit.importing.files import FAMILIES

OWN = """\
Read batch size;Dauer (min);Server;Bemerkung
500;3,5;PUB1;
5000;2,75;PUB1;zweiter Lauf
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file as somebody keeps it for themselves."""
    path = tmp_path / "own.csv"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_a_file_is_shown_as_it_is_written(own: Path) -> None:
    """Headings and cells as they stand there, each row with its line."""
    raw = read_raw(own, FAMILIES)
    assert raw.headings == ("Read batch size", "Dauer (min)", "Server", "Bemerkung")
    assert raw.rows[1] == (3, ("5000", "2,75", "PUB1", "zweiter Lauf"))


def test_what_is_clear_is_guessed_and_what_is_not_is_asked(own: Path) -> None:
    """A parameter's words, a value with its unit, a remark; what is alike in all rows tells nothing apart."""
    raw = read_raw(own, FAMILIES)
    guess = guess_mapping(raw, FAMILIES)
    assert guess.columns == ("ReadBatchSize", "value", LEFT_OUT, "note")
    assert dict(guess.same) == {"family": "log_reader", "metric": "run_time", "unit": "min"}
    assert mapping_problems(guess, raw, FAMILIES) == ()


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("run_time_s", {"metric": "run_time", "unit": "s"}),
        ("Run time [ms]", {"metric": "run_time", "unit": "ms"}),
        ("throughput (commands/s)", {"metric": "throughput", "unit": "commands/s"}),
        ("Elapsed", {"metric": "run_time"}),
        ("Duration (fortnights)", None),
    ],
)
def test_a_heading_may_name_measure_and_unit(tmp_path: Path, heading: str, said: dict[str, str] | None) -> None:
    """Both are taken from it where they are known; an unknown unit makes it no value."""
    path = tmp_path / "own.csv"
    path.write_text(f"ReadBatchSize,{heading}\n500,1\n1000,2\n")
    guess = guess_mapping(read_raw(path, FAMILIES), FAMILIES)
    assert guess.columns[1] == (UNDECIDED if said is None else "value")
    assert dict(guess.same) == {"family": "log_reader", **(said or {})}


def test_it_is_read_as_it_is_meant(own: Path) -> None:
    """What is said once holds for every row; what is left out is not read; units are converted."""
    guess = guess_mapping(read_raw(own, FAMILIES), FAMILIES)
    mapping = ColumnMapping((*guess.columns[:2], LEFT_OUT, "note"), (*guess.same, ("metric", "run_time")))
    assert mapping_problems(mapping, read_raw(own, FAMILIES), FAMILIES) == ()
    imported = read_measurements(own, FAMILIES, mapping)
    assert imported.measurements == (
        Measurement("log_reader", "line 2", 1, "run_time", 210.0, "s", Setting.of(ReadBatchSize=500)),
        Measurement("log_reader", "line 3", 1, "run_time", 165.0, "s", Setting.of(ReadBatchSize=5000)),
    )
    assert "zweiter Lauf" in imported.notes


def test_errors_name_the_files_own_headings(own: Path) -> None:
    """The person looks for the column they see in their file."""
    own.write_text(OWN.replace("2,75", "fast"), encoding="utf-8")
    mapping = ColumnMapping(
        ("ReadBatchSize", "value", LEFT_OUT, LEFT_OUT),
        (("family", "log_reader"), ("metric", "run_time"), ("unit", "min")),
    )
    with pytest.raises(BadInput, match=r'own.csv, line 3, column "Dauer \(min\)": "fast" is not a number'):
        read_measurements(own, FAMILIES, mapping)


def test_all_that_is_wrong_with_a_mapping_is_told_at_once(own: Path) -> None:
    """Each column that is undecided, each that is there twice, and all that is missing."""
    raw = read_raw(own, FAMILIES)
    wrong = ColumnMapping(("note", UNDECIDED, UNDECIDED, "note"))
    assert mapping_problems(wrong, raw, FAMILIES) == (
        'no column holds measured values; present: "Read batch size", "Dauer (min)", "Server", "Bemerkung"',
        'no column holds a parameter that was varied (did you mean "ReadBatchSize"?), such as "ReadBatchSize", '
        '"CommitBatchSize", "SubscriptionStreams", …; present: "Read batch size", "Dauer (min)", '
        '"Server", "Bemerkung"',
        'say what the column "Dauer (min)" holds, or leave it out',
        'say what the column "Server" holds, or leave it out',
        'the columns "Read batch size" and "Bemerkung" mean the same; leave one out',
        "which experiment was measured is not said",
    )
    with pytest.raises(BadInput):
        read_measurements(own, FAMILIES, wrong)


def test_all_rows_that_are_wrong_are_told_at_once(tmp_path: Path) -> None:
    """In the file's order, and once where many rows are wrong alike; as one sentence it is the first."""
    path = tmp_path / "own.csv"
    lines = ["family,metric,value,unit,ReadBatchSize", "log_reader,run_time,fast,s,500"]
    lines += [f"log_reader,run_time,{value},tick,1000" for value in range(1, 500)]
    lines += ["log_reader,run_time,,s,5000", "log_reader,run_time,12,s,5000"]
    path.write_text("\n".join(lines))
    with pytest.raises(RowsRefused) as caught:
        read_measurements(path, FAMILIES)
    first, second, third = caught.value.sentences
    assert (
        first
        == str(caught.value)
        == f'{path}, line 2, column "value": "fast" is not a number; write digits only, without a unit'
    )
    assert f'{path}, line 3, column "unit": the unit "tick" does not exist' in second
    assert second.endswith("(498 more rows alike)")
    assert third == f'{path}, line 502, column "value": the value is missing; fill it in or remove the row'


def test_a_row_may_be_wrong_in_two_cells(tmp_path: Path) -> None:
    """Its value is looked at, too, where something before it is refused; what is told once is not told again."""
    path = tmp_path / "own.csv"
    path.write_text("family,metric,value,unit,ReadBatchSize\nlog_reader,run_time,fast,tick,500\nlog_reader,,slow,s,5\n")
    with pytest.raises(RowsRefused) as caught:
        read_measurements(path, FAMILIES)
    places = [sentence.split(": ")[0].removeprefix(f"{path}, ") for sentence in caught.value.sentences]
    assert places == [
        f'line {line}, column "{name}"' for line, name in ((2, "unit"), (2, "value"), (3, "metric"), (3, "value"))
    ]


def test_so_many_mistakes_are_told_and_no_more(tmp_path: Path) -> None:
    """A file of another kind does not fill the screen."""
    path = tmp_path / "own.csv"
    rows = "".join(f"log_reader,run_time,{'x' * n},s,500\n" for n in range(1, 31))
    path.write_text("family,metric,value,unit,ReadBatchSize\n" + rows)
    with pytest.raises(RowsRefused) as caught:
        read_measurements(path, FAMILIES)
    assert len(caught.value.sentences) == 20


@pytest.mark.parametrize("source", published_sources(), ids=lambda source: source.path.stem)
def test_a_file_with_known_headings_is_read_alike_by_its_guess(source: PublishedSource) -> None:
    """The published studies need nobody's help, and a guess changes nothing of them."""
    families = {name: columns_of(family) for name, family in build_program().families.items()}
    path = source.path
    raw = read_raw(path, FAMILIES)
    guess = guess_mapping(raw, families)
    assert mapping_problems(guess, raw, families) == ()
    assert read_measurements(path, families, guess) == read_measurements(path, families)


def test_keys_of_json_can_be_mapped_too(tmp_path: Path) -> None:
    """They are columns like those of CSV."""
    path = tmp_path / "own.json"
    path.write_text(
        '{"measurements": [{"ReadBatchSize": 500, "run_time_s": 9}, {"ReadBatchSize": 1000, "run_time_s": 8}]}'
    )
    raw = read_raw(path, FAMILIES)
    measurements = read_measurements(path, FAMILIES, guess_mapping(raw, FAMILIES)).measurements
    assert [m.value for m in measurements] == [9.0, 8.0]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("family", sorted(build_program().families))
def test_a_template_lacks_its_values_only(
    tmp_path: Path, family: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With values in it, a template of any family is read without a mapping, in English and German alike."""
    accepted = {name: columns_of(found) for name, found in build_program().families.items()}
    path = tmp_path / "template.csv"
    with monkeypatch.context() as spoken:
        spoken.setattr("app.foundation.texts.LANGUAGE", language)
        text = template_text(accepted[family])
    path.write_text(text)
    with pytest.raises(RowsRefused, match=r"the value is missing.*1 more row"):
        read_measurements(path, accepted)
    unit = accepted[family].metrics[0].unit
    mark = ";" if language == "de" else ","
    path.write_text(text.replace(f"{mark}{mark}{unit}{mark}", f"{mark}7{mark}{unit}{mark}"))
    assert [m.value for m in read_measurements(path, accepted).measurements] == [7.0, 7.0]


def test_every_column_can_be_chosen_in_words() -> None:
    """Standard columns first, then parameters, then conditions, each once."""
    choices = column_choices(FAMILIES)
    assert len(dict(choices)) == len(choices)
    assert dict(choices)["value"] == "Measured value"
    assert dict(choices)["ReadBatchSize"] == "Parameter ReadBatchSize"
    assert dict(choices)["rtt_ms"] == "Condition rtt_ms"


def test_what_a_column_says_comes_before_what_is_said_for_all() -> None:
    """Somebody may give a column the meaning that was said once before."""
    mapping = ColumnMapping(("unit", "value"), (("unit", "s"), ("metric", "run_time")))
    assert (mapping.common_value("unit"), mapping.common_value("metric")) == ("", "run_time")
    assert replace(mapping, columns=("note", "value")).common_value("unit") == "s"


def test_runs_that_stand_side_by_side_are_runs() -> None:
    """Each column of a run holds values; what was worked out from them is left out."""
    path = Path(__file__).parent / "imports" / "runs_side_by_side.csv"
    accepted = accepted_columns(ALL)
    raw = read_raw(path, accepted)
    guess = guess_mapping(raw, accepted)
    assert guess.columns == ("SubscriptionStreams", VALUE, VALUE, VALUE, LEFT_OUT, LEFT_OUT, LEFT_OUT)
    said = (("family", "distribution_agent"), ("metric", "run_time"), ("unit", "s"))
    mapping = replace(guess, same=said)
    assert mapping_problems(mapping, raw, accepted) == ()
    measured = read_measurements(path, accepted, mapping).measurements
    assert len(measured) == 12
    assert len({m.setting for m in measured}) == 4
    assert len({m.trial_id for m in measured}) == 12
    assert measured[0].value == 199.08
