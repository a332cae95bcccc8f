"""Tables as people and tools write them: found, turned into single values, and asked about where that is open."""

import random
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.flows.explain.import_view import look_at, sample_text, understand, with_common_value
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import Asked, ImportedFile, read_measurements
from tests.e2e.program import call
from tests.labs import FAMILIES

IMPORTS = Path(__file__).parent / "imports"
COLUMNS = accepted_columns(FAMILIES)


class Case(NamedTuple):
    """A table, what is answered about it, and what it says: values by setting, and a part of a note."""

    text: str
    values: dict[str, list[float]]
    answers: tuple[str, ...] = ()
    note: str = ""


RUN_TIME = ("metric=run_time",)
TIMES = {"SubscriptionStreams 1": [199.1, 201.3], "SubscriptionStreams 4": [64.2, 66.0]}
ONCE = {"SubscriptionStreams 1": [199.1], "SubscriptionStreams 4": [64.2]}
RATES = {"SubscriptionStreams 1": [5023.0], "SubscriptionStreams 4": [15583.0]}

CASES = {
    # shape
    "runs as columns": Case(
        "SubscriptionStreams,Run 1,Run 2,Median,Min,Max,Speedup\n1,199.1,201.3,200.2,199.1,201.3,1\n"
        "4,64.2,66.0,65.1,64.2,66.0,3.1\n",
        TIMES,
        RUN_TIME,
        'worked out from others are left out: "Median", "Min", "Max", "Speedup"',
    ),
    "runs as columns with unit": Case(
        "SubscriptionStreams;Lauf 1 (s);Lauf 2 (s);Mittelwert\n1;199,1;201,3;200,2\n4;64,2;66,0;65,1\n", TIMES, RUN_TIME
    ),
    "a mean that is none": Case(
        "SubscriptionStreams,Run 1,Run 2,Mean,Median\n1,199.1,201.3,200.2,200.2\n4,64.2,66.0,70.1,65.1\n",
        TIMES,
        RUN_TIME,
        'line 3: "70.1" in column "Mean" is not 65.1 as the values beside it give',
    ),
    "settings as columns": Case(
        "Run,SubscriptionStreams 1,SubscriptionStreams 4\n1,199.1,64.2\n2,201.3,66.0\nAverage,200.2,65.1\n",
        TIMES,
        RUN_TIME,
        "rows that are worked out from others are left out: 1",
    ),
    "settings as columns with equals signs": Case(
        "Run\tSubscriptionStreams=1\tSubscriptionStreams=4\n1\t199.1\t64.2\n2\t201.3\t66.0\n", TIMES, RUN_TIME
    ),
    "settings in words": Case(
        "Setting,Duration (s)\n1 stream,199.1\n4 streams,64.2\n".replace("stream,", "streams,"), ONCE
    ),
    "grid": Case(
        ",CommitBatchSize 100,CommitBatchSize 500\nStreams 1,199.1,180.2\nStreams 4,64.2,60.1\n",
        {
            "CommitBatchSize 100, SubscriptionStreams 1": [199.1],
            "CommitBatchSize 500, SubscriptionStreams 1": [180.2],
            "CommitBatchSize 100, SubscriptionStreams 4": [64.2],
            "CommitBatchSize 500, SubscriptionStreams 4": [60.1],
        },
        RUN_TIME,
    ),
    "grid with a corner": Case(
        "SubscriptionStreams \\ CommitBatchSize,100,500\n1,199.1,180.2\n4,64.2,60.1\n",
        {
            "CommitBatchSize 100, SubscriptionStreams 1": [199.1],
            "CommitBatchSize 500, SubscriptionStreams 1": [180.2],
            "CommitBatchSize 100, SubscriptionStreams 4": [64.2],
            "CommitBatchSize 500, SubscriptionStreams 4": [60.1],
        },
        RUN_TIME,
    ),
    "measures as rows": Case(
        "Measure\tStreams = 1\tStreams = 4 (new)\nrun time\t199.1 s\t64.2 s\nthroughput\t5,023 cmds/s\t15,583 cmds/s\n"
        "moon\tfull\tnew\n",
        {"SubscriptionStreams 1": [199.1, 5023.0], "SubscriptionStreams 4": [64.2, 15583.0]},
        note='rows that are not read: "moon"',
    ),
    "percentiles as rows": Case(
        "\tStreams 1\tStreams 4\np50 latency\t33,869 ms\t16,548 ms\np95 latency\t62,176.5 ms\t42,016.5 ms\n"
        "max latency\t64,417 ms\t44,163 ms\n",
        {"SubscriptionStreams 1": [33869.0], "SubscriptionStreams 4": [16548.0]},
    ),
    "measures as columns": Case(
        "Streams,Duration (s),Cmds/s\n1,199.1,5023\n4,64.2,15583\n",
        {"SubscriptionStreams 1": [199.1, 5023.0], "SubscriptionStreams 4": [64.2, 15583.0]},
    ),
    "means only": Case(
        "SubscriptionStreams,Avg duration (s),Max duration (s)\n1,199.1,250\n4,64.2,90\n", ONCE, note="are a avg of"
    ),
    "a condition of its own": Case(
        "SubscriptionStreams,Rack,Duration (s)\n1,A,199.1\n4,A,64.2\n1,B,201.3\n4,B,66\n",
        TIMES,
        note='"Rack" was taken for a condition',
    ),
    "times of day and machine": Case(
        "Started,Machine,SubscriptionStreams,Duration (s)\n2024-01-02 10:00,SRV1,1,199.1\n"
        "2024-01-02 10:10,SRV1,4,64.2\n",
        ONCE,
        note='columns that are not read: "Started", "Machine"',
    ),
    # container
    "fixed width of sqlcmd": Case(
        "SubscriptionStreams duration_s  remark\n------------------- ----------- ----------\n"
        "                  1       199.1 first run\n                  4        64.2 NULL\n\n(2 rows affected)\n",
        ONCE,
    ),
    "runs of blanks": Case(
        "SubscriptionStreams   Duration (s)\n1                     199.1\n4                      64.2\n", ONCE
    ),
    "single blanks": Case("SubscriptionStreams duration_s\n1 199.1\n4 64.2\n", ONCE),
    "box of psql": Case(
        " subscriptionstreams | duration_s \n---------------------+------------\n                   1 |      199.1\n"
        "                   4 |       64.2\n(2 rows)\n",
        ONCE,
    ),
    "box of mysql": Case(
        "+---------------------+------------+\n| SubscriptionStreams | duration_s |\n"
        "+---------------------+------------+\n"
        "|                   1 |      199.1 |\n|                   4 |       64.2 |\n"
        "+---------------------+------------+\n"
        "2 rows in set (0.00 sec)\n",
        ONCE,
    ),
    "PowerShell's type": Case(
        '#TYPE System.Data.DataRow\n"SubscriptionStreams","duration_s"\n"1","199.1"\n"4","64.2"\n', ONCE
    ),
    "PowerShell's list": Case(
        "SubscriptionStreams : 1\nDuration            : 00:03:19.1\n\n"
        "SubscriptionStreams : 4\nDuration            : 00:01:04.2\n",
        ONCE,
    ),
    "pairs on a line": Case(
        "streams: 1, duration: 199.1 s, errors: 0\nstreams: 4, duration: 64.2 s, errors: 0\n", ONCE
    ),
    "lines of JSON": Case(
        '{"SubscriptionStreams": 1, "duration_s": 199.1}\n{"SubscriptionStreams": 4, "duration_s": 64.2}\n', ONCE
    ),
    "title, units below, footnote": Case(
        "Drained backlog, site 1\n\nSubscriptionStreams;Duration;Throughput\n;(s);(commands/s)\n"
        "1;199,1;5023\n4;64,2;15583\n"
        "* warm cache;;\nSource: own measurements\n",
        {"SubscriptionStreams 1": [199.1, 5023.0], "SubscriptionStreams 4": [64.2, 15583.0]},
        note="* warm cache",
    ),
    "sqlcmd in German": Case(
        "Datenbankkontext wurde in 'distribution' geändert.\n"
        "SubscriptionStreams Laufzeit_s Kommentar\n"
        "------------------- ---------- -------------\n"
        "                  1     199,10 NULL\n"
        "                  4      64,20 zweiter Lauf\n\n(2 Zeilen betroffen)\n",
        ONCE,
        note="Datenbankkontext wurde in 'distribution' geändert.",
    ),
    "heads of a wiki": Case("||SubscriptionStreams||Duration||\n|1|199.1 s|\n|4|64.2 s|\n", ONCE),
    "vertical rows of mysql": Case(
        "".join(
            f"*************************** {n}. row ***************************\n"
            f"SubscriptionStreams: {streams}\nduration_s: {value}\n"
            for n, streams, value in ((1, 1, 199.1), (2, 4, 64.2))
        ),
        ONCE,
    ),
    "units below without brackets": Case(
        "SubscriptionStreams;Dauer;Durchsatz\nAnzahl;s;commands/s\n1;199,1;5023\n4;64,2;15583\n",
        {"SubscriptionStreams 1": [199.1, 5023.0], "SubscriptionStreams 4": [64.2, 15583.0]},
    ),
    "a list of JSON by another name": Case(
        '{"results": [{"SubscriptionStreams": 1, "duration_s": 199.1}, '
        '{"SubscriptionStreams": 4, "duration_s": 64.2}]}',
        ONCE,
    ),
    "before and after": Case(
        "Metric,Before (SubscriptionStreams 1),After (SubscriptionStreams 4),Change\nDuration (s),199.1,64.2,-68%\n",
        ONCE,
        note='worked out from others are left out: "Change"',
    ),
    "a measure the family does not know": Case(
        "SubscriptionStreams,duration_s,Network (MB/s)\n1,199.1,40\n4,64.2,71\n",
        ONCE,
        note='not read: "Network (MB/s)"',
    ),
    "headings again": Case(
        "SubscriptionStreams,duration_s\n1,199.1\nSubscriptionStreams,duration_s\n4,64.2\n",
        ONCE,
        note="are left out: 1",
    ),
    # cells
    **{
        f"time {one} and {two}": Case(
            f"SubscriptionStreams;Duration\n1;{one}\n4;{two}\n",
            {"SubscriptionStreams 1": [751.0], "SubscriptionStreams 4": [331.0]},
        )
        for one, two in (
            ("12:31", "5:31"),
            ("00:12:31", "00:05:31"),
            ("12m31s", "5m31s"),
            ("12'31''", "5'31''"),
            ("PT12M31S", "PT5M31S"),
            ("12 min 31 s", "5 min 31 s"),
            ("0 h 12 min 31 s", "0 h 5 min 31 s"),
            ("751 sec", "331 sec"),
            ("~751 s", "≈331 s"),
            ("751000 ms", "331000 ms"),
        )
    },
    "thousands": Case("SubscriptionStreams;throughput\n1;5.023 cmds/s\n4;15.583,0 cmds/s\n", RATES),
    "K": Case("SubscriptionStreams;throughput\n1;5.023k cmds/s\n4;15.583k cmds/s\n", RATES, ("decimal_mark=point",)),
    "bounds": Case(
        "SubscriptionStreams,Duration (s)\n1,199.1\n4,64.2\n4,<60\n", ONCE, note="rows without a value are left out: 1"
    ),
    "ranges with a unit": Case(
        "SubscriptionStreams,latency\n1,45-55 ms\n4,20-30 ms\n",
        {"SubscriptionStreams 1": [50.0], "SubscriptionStreams 4": [25.0]},
    ),
}


def _by_setting(imported: ImportedFile) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    for m in imported.measurements:
        values.setdefault(m.setting.label(), []).append(round(m.value, 6))
    return values


def _answers(texts: tuple[str, ...]) -> dict[str, str]:
    return dict(text.split("=") for text in texts)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_table_says_what_it_says(tmp_path: Path, case: Case) -> None:
    """Each value at its setting, in the unit of its measure; what was left out stands in a note."""
    path = tmp_path / "site.txt"
    path.write_text(case.text, encoding="utf-8")
    imported = read_measurements(path, COLUMNS, answers=_answers(case.answers))
    assert _by_setting(imported) == case.values
    assert case.note in "\n".join(imported.notes)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_window_understands_what_the_command_line_does(tmp_path: Path, case: Case) -> None:
    """By its guess and the same answers; each is a list beside the columns."""
    path, program = tmp_path / "site.txt", build_program()
    path.write_text(case.text, encoding="utf-8")
    looked = look_at(str(path), program)
    for name, answer in _answers(case.answers).items():
        assert answer in dict(next(one.choices for one in looked.common if one.name == name))
        looked = understand(path, looked.raw, with_common_value(looked.mapping, name, answer), program)
    assert looked.problems == ()
    assert looked.preview is not None


# Workbooks


def test_a_workbook_with_merged_headings_and_formulas_is_read() -> None:
    """Durations of Excel are seconds; a mean without a value is left out; title and footnote are notes."""
    imported = read_measurements(IMPORTS / "two_heads.xlsx", COLUMNS)
    times = [m.value for m in imported.measurements if m.metric == "run_time"]
    assert times == [751, 722, 331, 312, 190, 199]
    assert sum(m.metric == "throughput" for m in imported.measurements) == 6
    assert "Distribution agent, drained backlog 1 million" in imported.notes
    assert "* run 2 while the nightly backup ran" in imported.notes
    assert any('left out: "Mean · Duration"' in note for note in imported.notes)


def test_an_old_workbook_is_read() -> None:
    """Numbers are numbers, whatever the language of the spreadsheet."""
    imported = read_measurements(IMPORTS / "runs.xls", COLUMNS, answers={"metric": "run_time"})
    assert [m.value for m in imported.measurements] == [199.5, 201.25, 180.5, 181.0, 178.0, 179.5]


def test_of_several_sheets_with_tables_one_is_chosen() -> None:
    """Asked on the command line; in the window the first is shown, and the list offers the others."""
    path, program = IMPORTS / "two_sheets.ods", build_program()
    with pytest.raises(Asked, match="several sheets hold a table; answer with --say sheet=LAN"):
        read_measurements(path, COLUMNS)
    assert [m.value for m in read_measurements(path, COLUMNS, answers={"sheet": "WAN"}).measurements] == [501, 1601]
    looked = look_at(str(path), program)
    sheet = next(one for one in looked.common if one.name == "sheet")
    assert (sheet.chosen, list(dict(sheet.choices))) == ("LAN", ["LAN", "WAN"])
    other = understand(path, looked.raw, with_common_value(looked.mapping, "sheet", "WAN"), program)
    assert [texts[1] for _line, texts in other.raw.rows] == ["501", "1601"]
    wrong = call("advise", path, "--json", "--say", "sheet=VPN")
    assert (wrong.code, 'has no sheet "VPN" with a table; sheets with one are "LAN", "WAN"' in wrong.err) == (2, True)


# What is open


@pytest.mark.parametrize("name", ["runs_side_by_side.csv", "grid.csv"])
def test_a_measure_nobody_names_is_asked(name: str) -> None:
    """Run time or throughput turns the verdict round."""
    refused = call("advise", IMPORTS / name, "--json")
    assert refused.code == 2
    assert "values were found, and what they are is not said; answer with --say metric=run_time" in refused.err
    assert call("advise", IMPORTS / name, "--json", "--say", "metric=run_time").code == 0


@pytest.mark.parametrize("name", ["format_list.txt", "brackets.log"])
def test_a_table_without_a_parameter_is_refused_in_one_sentence(name: str) -> None:
    """It is understood as rows, and says nothing of a setting."""
    refused = call("advise", IMPORTS / name, "--json")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "no column holds a parameter that was varied" in refused.err


def test_the_window_shows_how_each_column_was_read(tmp_path: Path) -> None:
    """12:31 is 751 s, before anything is made of it."""
    path = tmp_path / "site.csv"
    path.write_text("SubscriptionStreams;Duration\n1;12:31\n4;5:31\n")
    assert sample_text(look_at(str(path), build_program()), 1) == "12:31 → 751 s · 5:31 → 331 s"


# What holds for all rows


def test_family_condition_and_baseline_are_said_once(tmp_path: Path) -> None:
    """What no column says is an option; the baseline is what the others are compared with."""
    path = IMPORTS / "runs_side_by_side.csv"
    said = ("--family", "wan_delivery", "--say", "metric=run_time", "--condition", "rtt_ms=20")
    told = call("advise", path, *said, "--baseline", "SubscriptionStreams=4", "--out", tmp_path / "out")
    assert told.code == 0
    assert "SubscriptionStreams 8 instead of 4" in told.out
    assert "20 ms round trip" in told.out


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        (
            "--baseline",
            "SubscriptionStreams=5",
            "the baseline SubscriptionStreams 5 was not measured; measured are Sub",
        ),
        ("--baseline", "SubscriptionStream=4", '(did you mean "SubscriptionStreams"?); give it as name=value'),
        ("--baseline", "SubscriptionStreams=x", "SubscriptionStreams must be a whole number"),
        ("--condition", "rtt=20", 'there is no condition "rtt"'),
        ("--condition", "rtt_ms", 'condition "rtt_ms" has no value'),
        ("--condition", "rtt_ms=far", '"far" is not a number'),
        ("--family", "distribution", 'family "distribution" is not known'),
    ],
)
def test_what_is_said_wrongly_is_refused_in_one_sentence(option: str, text: str, sentence: str) -> None:
    """With what is known."""
    refused = call("advise", IMPORTS / "runs_side_by_side.csv", "--json", "--say", "metric=run_time", option, text)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert sentence in refused.err


@pytest.mark.parametrize("name", ["two_heads.xlsx", "runs.xls", "two_sheets.ods"])
def test_a_damaged_workbook_is_read_or_refused(tmp_path: Path, name: str) -> None:
    """Whatever byte is wrong: nothing but a refusal, or the values."""
    whole, path, draw = (IMPORTS / name).read_bytes(), tmp_path / name, random.Random(3)
    for _again in range(60):
        spoiled = bytearray(whole)
        for _byte in range(draw.choice((1, 3, 30))):
            spoiled[draw.randrange(8, len(spoiled))] = draw.randrange(256)
        path.write_bytes(spoiled)
        with suppress(BadInput):
            read_measurements(path, COLUMNS, answers={"metric": "run_time"})
