"""Nothing a file may hold raises anything but a refusal, and large files cost as much as they are long."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.services.explain.importing import describe, experiments, read_measurements
from tests.unit.importing.files import FAMILIES, FIRST, HEADINGS, REPEATABLE, SECOND, calls_made, csv_text


def outcome(content: bytes, name: str) -> str:
    """Return the sentence a file was refused with, or an empty text where it was read and described."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            imported = read_measurements(path, FAMILIES)
        except BadInput as error:
            return str(error)
    describe(imported)
    assert experiments(imported.measurements)
    return ""


def check(content: bytes, name: str) -> None:
    """Fail unless the content is read, or refused in one sentence that begins with the file."""
    sentence = outcome(content, name)
    assert "\n" not in sentence
    assert name in sentence or not sentence


NAMES = st.sampled_from(["site.csv", "site.json", "site.txt"])


@REPEATABLE
@given(st.binary(max_size=300), NAMES)
def test_any_bytes_are_read_or_refused(content: bytes, name: str) -> None:
    """Bytes of any kind never raise anything else."""
    check(content, name)


@REPEATABLE
@given(st.text(max_size=200), NAMES, st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]))
def test_any_text_is_read_or_refused(text: str, name: str, encoding: str) -> None:
    """Text of any kind never raises anything else."""
    check(text.encode(encoding, "surrogatepass"), name)


CELLS = st.one_of(
    st.sampled_from([*HEADINGS, *FIRST, *SECOND, "", "1,5", "1.234", "-", "nan", "1e309", "_", "\u0663", "5-10", "²"]),
    st.text(max_size=5),
)


@REPEATABLE
@given(st.lists(st.lists(CELLS, max_size=11), max_size=4), st.sampled_from([",", ";", "\t"]))
def test_any_rows_below_good_headings_are_read_or_refused(rows: list[list[str]], delimiter: str) -> None:
    """Rows of wrong cells, too many or too few, never raise anything else."""
    text = csv_text([HEADINGS, FIRST, *rows, SECOND], delimiter)
    check(text.encode("utf-8", "surrogatepass"), "site.csv")


@REPEATABLE
@given(
    st.sampled_from(HEADINGS),
    st.one_of(CELLS, st.text("0123456789.,-+eE _'\u00a0", max_size=12)),
    st.sampled_from([",", ";"]),
)
def test_any_cell_is_read_or_refused(heading: str, cell: str, delimiter: str) -> None:
    """One odd cell in an otherwise good row never raises anything else."""
    row = tuple(cell if name == heading else given_cell for name, given_cell in zip(HEADINGS, FIRST, strict=True))
    text = csv_text([HEADINGS, row, SECOND], delimiter)
    check(text.encode("utf-8", "surrogatepass"), "site.csv")


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), CELLS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from([*HEADINGS, "measurements", "notes"]), st.text(max_size=3)), inner),
    ),
    max_leaves=12,
)


@REPEATABLE
@given(JSON_VALUES)
def test_any_json_is_read_or_refused(value: object) -> None:
    """JSON of any shape never raises anything else, nor does it as the list of measurements."""
    text = json.dumps(value)
    for content in (text, f'{{"measurements": {text}}}', f'{{"measurements": [{text}]}}'):
        check(content.encode("utf-8", "surrogatepass"), "site.json")


def calls_to_read(rows: int) -> int:
    """Return how many calls reading a file of so many rows makes."""
    sizes, streams = (100, 150, 200, 250, 500, 1000), (1, 2, 4, 8, 16)
    lines = ["family,run,block,metric,value,unit,CommitBatchSize,SubscriptionStreams,scenario"] + [
        f"distribution_agent,T{at},{at // 30 + 1},run_time,{500 + at / 997:.4f},s,"
        f"{sizes[at % 6]},{streams[at // 6 % 5]},drained"
        for at in range(rows)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        path.write_text("\n".join(lines), encoding="utf-8")
        calls, found = calls_made(lambda: experiments(read_measurements(path, FAMILIES).measurements))
    assert [len(entry.measurements) for entry in found] == [rows]
    return calls


def test_the_work_grows_with_the_length_of_the_file_only() -> None:
    """Ten times as many rows take ten times as many calls."""
    assert calls_to_read(20_000) <= 10.5 * calls_to_read(2_000)
