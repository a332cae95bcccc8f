"""What a file leaves open is asked, not guessed: decimal mark, samples or runs, what n counts, odd shares."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.comparison import Verdict
from app.domain.decision import DecisionKind
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.flows.explain.import_view import look_at, preview_text, understand, with_common_value
from app.services.explain.imported_session import accepted_columns, read_session
from app.services.explain.importing import (
    QUESTIONS,
    Asked,
    ImportedFile,
    RowsRefused,
    answers_of,
    describe,
    read_measurements,
)
from tests.e2e.program import call
from tests.shipped_rules import ADVISOR

IMPORTS = Path(__file__).parent / "imports"
COLUMNS = accepted_columns(ADVISOR.families)
HEADINGS = ("family", "run", "metric", "value", "unit", "SubscriptionStreams")


def _read(path: Path, *said: str) -> ImportedFile:
    return read_measurements(path, COLUMNS, answers=answers_of(list(said)))


def _write(folder: Path, rows: Sequence[Sequence[str]], delimiter: str = ",", name: str = "site.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(delimiter.join(row) for row in rows) + "\n", encoding="utf-8")
    return path


def _file(folder: Path, values: Sequence[str], delimiter: str, *, run: bool = True) -> Path:
    half = len(values) // 2
    rows = [
        ("distribution_agent", f"r{at}" if run else "", "throughput", value, "commands/s", "1" if at < half else "4")
        for at, value in enumerate(values)
    ]
    return _write(folder, [HEADINGS, *rows], delimiter)


# Decimal mark


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
@pytest.mark.parametrize("mark", [".", ","])
def test_numbers_without_a_mark_tell_what_groups_of_three_are(tmp_path: Path, mark: str, delimiter: str) -> None:
    """987 beside 1.012 is one size only where 1.012 is a thousand and twelve, whatever stands between the fields."""
    if mark == delimiter:
        return
    path = _file(tmp_path, ("987", "995", "991", f"1{mark}012", f"1{mark}043", f"1{mark}021"), delimiter)
    imported = _read(path)
    assert [m.value for m in imported.measurements] == [987, 995, 991, 1012, 1043, 1021]
    assert any("with a thousands separator" in note for note in imported.notes)


@pytest.mark.parametrize("mark", [".", ","])
def test_small_numbers_without_a_mark_keep_three_decimals(tmp_path: Path, mark: str) -> None:
    """2 beside 1.125 is no thousand: both are of one size as decimals."""
    path = _file(tmp_path, ("2", f"1{mark}125", f"3{mark}375", f"2{mark}250"), ";")
    assert [m.value for m in _read(path).measurements] == [2, 1.125, 3.375, 2.25]


@pytest.mark.parametrize("count", [2, 10, 40])
@pytest.mark.parametrize(("delimiter", "mark"), [("\t", ","), ("\t", "."), (";", ".")])
def test_groups_of_three_alone_are_asked_about(tmp_path: Path, delimiter: str, mark: str, count: int) -> None:
    """However many there are: 34,266 everywhere is 34 or 34 thousand; the answer is kept to."""
    path = _file(tmp_path, [f"{34 + at}{mark}26{at % 10}" for at in range(count)], delimiter)
    with pytest.raises(Asked) as asked:
        _read(path)
    assert asked.value.question is QUESTIONS["decimal_mark"]
    for answer, factor in (("point", 1000 if mark == "," else 1), ("comma", 1000 if mark == "." else 1)):
        assert _read(path, f"decimal_mark={answer}").measurements[0].value == pytest.approx(34.26 * factor)


def test_thousands_in_a_column_do_not_turn_a_verdict_round() -> None:
    """Four streams carry 3.6 % more, not a thousandth."""
    (decision,) = ADVISOR.advise(
        read_session(IMPORTS / "groups_of_three_semicolons.csv", ADVISOR.families, None)
    ).decisions
    assert decision.gain is not None
    assert decision.gain.comparison.ratio == pytest.approx(1.036, abs=0.001)
    assert (decision.kind, decision.notes) == (DecisionKind.LEAVE, ())


def test_the_preview_shows_numbers_as_they_were_understood() -> None:
    """The smallest and the largest value of each experiment, in its unit."""
    path = IMPORTS / "groups_of_three_tabs.txt"
    for answer, shown in (("point", "16,450 to 34,548 ms"), ("comma", "16.45 to 34.548 ms")):
        assert shown in describe(_read(path, f"decimal_mark={answer}")).experiments[0]


# Samples


@pytest.mark.parametrize("name", ["samples_each_second.csv", "samples_with_zeros.csv"])
def test_a_series_without_names_of_runs_is_asked_about(name: str) -> None:
    """Many values of one setting, or a zero among them, look like samples; averaged, they are one run each."""
    path = IMPORTS / name
    with pytest.raises(Asked) as asked:
        _read(path)
    assert asked.value.question is QUESTIONS["rows_are"]
    session = read_session(path, ADVISOR.families, None, answers={"rows_are": "samples"})
    assert [m.runs for m in session.imported] == [1, 1]
    advice = ADVISOR.advise(session)
    assert [c.verdict for c in advice.comparisons] == [Verdict.CANNOT_TELL]
    assert any("samples averaged" in note for note in session.notes)


def test_zeros_count_in_the_mean_of_their_run() -> None:
    """Nobody is told to remove what was measured."""
    imported = _read(IMPORTS / "samples_with_zeros.csv", "rows_are=samples")
    assert [m.value for m in imported.measurements] == [pytest.approx(1173.32), pytest.approx(2370)]
    with pytest.raises(RowsRefused) as refused:
        _read(IMPORTS / "samples_with_zeros.csv", "rows_are=runs")
    assert "remove" not in str(refused.value)


@pytest.mark.parametrize("family", list(ADVISOR.families.values()), ids=lambda family: family.family_id)
def test_samples_of_named_runs_never_become_runs(tmp_path: Path, family: ExperimentFamily) -> None:
    """Whatever the family: rows that share a run are one value of it, however many there are."""
    accepted = COLUMNS[family.family_id]
    parameter, metric, draw = accepted.parameters[0], accepted.metrics[0], random.Random(7)
    levels = (parameter.levels[0], parameter.levels[-1])
    rows = [
        (accepted.family, f"{level}", metric.name, f"{1000 * draw.uniform(0.8, 1.2):.1f}", metric.unit, f"{level}")
        for level in levels
        for _second in range(60)
    ]
    path = _write(tmp_path, [(*HEADINGS[:5], parameter.name), *rows])
    session = read_session(path, ADVISOR.families, None)
    assert len(session.imported) == len(levels)
    assert {c.verdict for c in ADVISOR.advise(session).comparisons} == {Verdict.CANNOT_TELL}


def test_equal_repeats_of_whole_minutes_are_repeats() -> None:
    """What comes in whole minutes comes up again; nobody is told to remove it."""
    assert len(_read(IMPORTS / "whole_minutes.csv").measurements) == 6


# What n counts, odd standard deviations and shares


def test_n_in_thousands_is_asked_about() -> None:
    """Nine thousand transactions are one run of each setting."""
    path = IMPORTS / "n_of_transactions.csv"
    with pytest.raises(Asked) as asked:
        _read(path)
    assert asked.value.question is QUESTIONS["n_counts"]
    advice = ADVISOR.advise(read_session(path, ADVISOR.families, None, answers={"n_counts": "samples"}))
    assert [c.verdict for c in advice.comparisons] == [Verdict.CANNOT_TELL]
    assert [m.runs for m in _read(path, "n_counts=runs").measurements] == [9000, 9000]


def test_a_standard_deviation_above_its_mean_is_asked_about(tmp_path: Path) -> None:
    """Twenty times the mean is another unit, or another column."""
    rows = ("distribution_agent,run_time,200,s,1,4000,5", "distribution_agent,run_time,100,s,4,3,5")
    path = tmp_path / "site.csv"
    path.write_text("\n".join(("family,metric,value,unit,SubscriptionStreams,sd,n", *rows)), "utf-8")
    with pytest.raises(
        Asked, match="standard deviation 4000 s is larger than the mean 200 s; correct the cell"
    ) as asked:
        _read(path)
    assert asked.value.question is QUESTIONS["sd_holds"]
    assert _read(path, "sd_holds=yes").measurements[0].sd == 4000


def test_a_share_of_seventy_is_asked_about() -> None:
    """No processor is used 7,000 %."""
    path = IMPORTS / "share_in_percent.csv"
    with pytest.raises(Asked, match="a share of 70 is more than there is of primary_cpu"):
        _read(path)
    used = [m.value for m in _read(path, "shares_are=percent").measurements if m.metric == "primary_cpu"]
    assert used == [0.7, 0.35]


# How it is answered


def test_the_command_line_says_how_to_answer(tmp_path: Path) -> None:
    """The refusal names the option and its answers; one that answers nothing is refused."""
    path = IMPORTS / "groups_of_three_tabs.txt"
    refused = call("advise", path, "--json")
    assert (refused.code, "--say decimal_mark=point (" in refused.err) == (2, True)
    assert call("advise", path, "--json", "--say", "decimal_mark=point").code == 0
    wrong = call("advise", path, "--json", "--say", "decimal_mark=dot")
    assert (wrong.code, "known are decimal_mark=point" in wrong.err) == (2, True)
    with pytest.raises(BadInput):
        answers_of(["rows_are"])


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("groups_of_three_tabs.txt", "decimal_mark", "point"),
        ("samples_each_second.csv", "rows_are", "samples"),
        ("n_of_transactions.csv", "n_counts", "samples"),
        ("share_in_percent.csv", "shares_are", "percent"),
    ],
)
def test_the_window_asks_beside_the_columns(name: str, question: str, answer: str) -> None:
    """A question is a list beside the columns; once answered the file is read, and the answer can be changed."""
    program = build_program()
    looked = look_at(str(IMPORTS / name), program)
    assert looked.preview is None
    assert "--say" not in " ".join(looked.problems)
    (asked,) = (said for said in looked.common if said.name == question)
    assert (asked.chosen, answer in dict(asked.choices)) == ("", True)
    again = understand(IMPORTS / name, looked.raw, with_common_value(looked.mapping, question, answer), program)
    assert again.problems == ()
    assert preview_text(again)
    assert next(said.chosen for said in again.common if said.name == question) == answer


def test_a_refusal_knows_what_was_left_out_before() -> None:
    """Of two settings one is computed: the file is not said to hold one only."""
    with pytest.raises(BadInput, match="since the value of ReadBatchSize 4,000 is computed and left out"):
        _read(IMPORTS / "one_measured_one_computed.csv")
