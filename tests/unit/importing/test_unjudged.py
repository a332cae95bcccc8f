"""A parameter no family knows: its numbers are put side by side, and nothing is advised."""

import json
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.flows.explain.import_view import ImportForm, can_import, compared_table, look_at, missing_entry, preview_text
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import read_measurements
from tests.e2e.program import call
from tests.labs import FAMILIES

COLUMNS = accepted_columns(FAMILIES)
KINDS = {
    "arms side by side": (
        "Measure\tSeed = 100,000\tSeed = 0 (control)\nMix\t70-20-10\t70-20-10\n"
        "p50 latency\t33,869 ms\t34,548 ms\nthroughput\t383.8 rows/s\t387.9 rows/s\n",
        ("100,000 against 0 (control)", "33,869 ms", "34,548 ms", "2 % lower", "one run each: cannot tell"),
    ),
    "once each": (
        "innodb_flush_log_at_trx_commit,TPS\n1,2026\n2,3926\n",
        ("2 against 1", "3,926 transactions/s", "2,026 transactions/s", "94 % higher", "one run each: cannot tell"),
    ),
    "a difference": (
        "GROUPTRANSOPS,run_time_s\n1000,751\n1000,722\n1000,740\n5000,331\n5000,312\n5000,320\n",
        ("5,000 against 1,000", "320.9 s", "737.6 s", "56 % lower", "they differ"),
    ),
    "no difference to be seen": (
        "SDU,run_time_s\n8192,100\n8192,121\n8192,140\n65535,141\n65535,99\n65535,122\n",
        ("65,535 against 8,192", "119.4 s", "119.2 s", "0.2 % higher", "cannot tell"),
    ),
    "a value column": (
        "GROUPTRANSOPS,metric,value,unit\n1,throughput,100,commands/s\n4,throughput,150,commands/s\n",
        ("4 against 1", "150 commands/s", "100 commands/s", "50 % higher", "one run each: cannot tell"),
    ),
    "runs side by side": (
        "NET_TIMEOUT;Run 1 (s);Run 2 (s);Run 3 (s);Average\n10;12:31;12:02;12:20;12:18\n30;5:31;5:12;5:20;5:21\n",
        ("30 against 10", "320.9 s", "737.6 s", "56 % lower", "they differ"),
    ),
    "a rate of something": (
        "GROUPTRANSOPS  Lag (s)  Ops/s\n1  120.5  1200.5\n500  14.1  9800.5\n",
        ("500 against 1", "14.1 s", "120.5 s", "88 % lower", "9,800", "1,200"),
    ),
    "a measure that nothing is known of": (
        "rep_threads;score\n1;10,5\n1;10,6\n8;12,5\n8;12,6\n",
        ("8 against 1", "12.55", "10.55", "19 % higher", "they differ"),
    ),
}


@pytest.mark.parametrize(("text", "said"), KINDS.values(), ids=list(KINDS))
def test_the_numbers_of_an_unknown_parameter_are_compared_without_advice(
    text: str, said: tuple[str, ...], tmp_path: Path
) -> None:
    """A table with the numbers and what they show or leave open, in the terminal and in the window."""
    path = tmp_path / ("table.tsv" if "\t" in text else "table.csv")
    path.write_text(text, encoding="utf-8")
    told, understood = call("advise", path), look_at(str(path), build_program())
    assert told.code == 0
    assert "There is no rule for" in told.out
    cells = [cell.text for row in compared_table(ImportForm(understood=understood)).rows for cell in row.cells]
    for words in said:
        assert words in told.out.replace("\u00a0", " ")
        assert words in [cell.replace("\u00a0", " ") for cell in cells]


def test_no_session_is_made_of_them(tmp_path: Path) -> None:
    """The window says what there is instead, and that no rule speaks of it."""
    path = tmp_path / "table.csv"
    path.write_text(KINDS["a difference"][0], encoding="utf-8")
    form = ImportForm(file=str(path), folder=str(tmp_path / "new"), understood=look_at(str(path), build_program()))
    assert not can_import(form)
    assert missing_entry(form) == "No session is made of numbers without a rule; the comparison stands above."
    assert 'There is no rule for "GROUPTRANSOPS"' in preview_text(form.understood)


def test_programs_read_the_comparisons_and_that_no_rule_speaks_of_them(tmp_path: Path) -> None:
    """The verdict names no better side; `--out` writes the table, `--baseline` names what is compared with."""
    path, out = tmp_path / "table.csv", tmp_path / "out"
    path.write_text(KINDS["a difference"][0], encoding="utf-8")
    document = json.loads(call("advise", path, "--baseline", "GROUPTRANSOPS=5000", "--json", "--out", out).out)
    assert (document["no_rule_for"], document["findings"]) == ("GROUPTRANSOPS", [])
    (found,) = document["comparisons"]
    assert (found["from"], found["to"], found["verdict"]) == ("5000", "1000", "differs")
    assert found["ratio"] == pytest.approx(737.57 / 320.91, rel=1e-3)
    assert "differs" in (out / "comparisons.csv").read_text(encoding="utf-8")


def test_hundreds_of_values_are_samples_or_runs_as_anywhere(tmp_path: Path) -> None:
    """What is open of a file is asked, whatever its parameter; averaged samples are one run each."""
    path = tmp_path / "table.csv"
    path.write_text("SDU,TPS\n" + "".join(f"{level},{100 + n}\n" for level in (1, 2) for n in range(30)))
    assert "--say rows_are=samples" in call("advise", path).err
    assert "one run each: cannot tell" in call("advise", path, "--say", "rows_are=samples").out


@pytest.mark.parametrize(
    "text",
    [
        "name,TPS\nonly,100\nonly,101\n",
        "SubscriptionStrems,run_time_s\n1,100\n4,50\n",
        "SDU,run_time_s\n1,0\n2,10\n",
        "(PDH-CSV 4.0),cmds/sec\n11/29/2026 10:00:01,5012.3\n11/29/2026 10:00:02,5100.1\n",
    ],
    ids=["one level", "a slip in a name", "nothing was measured", "times when something was measured"],
)
def test_where_nothing_can_be_compared_it_is_said_what_is_missing(text: str, tmp_path: Path) -> None:
    """No comparison of what is no level, no quantity, or rather a name with a slip in it."""
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_measurements(path, COLUMNS)
    assert "there is no rule" not in str(refused.value)
