"""Measurements made elsewhere, through `advise`."""

import csv
import io
import json
import random
from pathlib import Path

import pypdf
import pytest

from app.foundation.paths import resource_path
from tests.e2e.program import ROOT, call, run_alone, write
from tests.files import files_below

PUBLISHED = ("replication-agents-2018.csv", "subscription-streams-wan-2007.csv")
EXPECTED = ROOT / "tests" / "golden" / "verdicts_published.json"
HEADINGS = ("family", "run", "block", "metric", "value", "unit", "SubscriptionStreams")
RUN_TIMES_S = {1: 554.79, 2: 535.58, 4: 347.63, 8: 304.06, 16: 439.24}


def table(rows: int, delimiter: str = ",", decimal: str = ".", line_end: str = "\n") -> str:
    """Return a file of measurements with 3 % noise, as a spreadsheet of one country or another writes it."""
    draw = random.Random(1)
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=line_end)
    writer.writerow(HEADINGS)
    levels = tuple(RUN_TIMES_S)
    for number in range(rows):
        level = levels[number % len(levels)]
        value = f"{RUN_TIMES_S[level] * draw.lognormvariate(0, 0.03):.3f}".replace(".", decimal)
        row = ("distribution_agent", f"r{number}", number // len(levels) + 1, "run_time", value, "s", level)
        writer.writerow(row)
    return stream.getvalue()


def test_published_verdicts_are_those_of_the_checked_in_table() -> None:
    """Both published studies at 3 % noise: all comparisons, no more and no fewer, with the expected verdicts."""
    found = []
    for name in PUBLISHED:
        document = call("advise", resource_path("published", name), "--noise-cv", "0.03", "--json").json()
        keys = ("family", "factor", "conditions", "metric", "from", "to", "verdict")
        found += [{"file": name, **{key: c[key] for key in keys}} for c in document["comparisons"]]
    assert found == json.loads(EXPECTED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PUBLISHED)
def test_single_runs_without_a_noise_level_tell_nothing(name: str) -> None:
    """One run for each setting and no known noise: every verdict is open, with the runs it takes."""
    document = call("advise", resource_path("published", name), "--json").json()
    assert {c["verdict"] for c in document["comparisons"]} == {"cannot_tell"}
    assert all(c["runs_needed"] >= 2 and c["ci95"] == [0.0, None] for c in document["comparisons"])
    assert not any(finding["to"] for finding in document["findings"])


@pytest.mark.parametrize(("slow_s", "noise"), [("408", "493 %"), ("1.03", "0.88 %")])
def test_of_single_runs_the_noise_is_told_that_would_explain_them(tmp_path: Path, slow_s: str, noise: str) -> None:
    """408-fold is not 1.03-fold, though neither has a verdict: how noisy the server would have to be says which is."""
    source = tmp_path / "site.csv"
    rows = (f"distribution_agent,a,run_time,{slow_s},s,1", "distribution_agent,b,run_time,1,s,8")
    source.write_text("\n".join(("family,run,metric,value,unit,SubscriptionStreams", *rows)), "utf-8")
    document = call("advise", source, "--json").json()
    assert [c["verdict"] for c in document["comparisons"]] == ["cannot_tell"]
    assert any(f"only where equal runs vary by {noise};" in warning for warning in document["warnings"])
    stated = call("advise", source, "--noise-cv", "0.03", "--json").json()
    assert not any("ran once each" in warning for warning in stated["warnings"])


def test_published_means_with_their_scatter_need_no_stated_noise(tmp_path: Path) -> None:
    """Mean, standard deviation and number of runs tell what single means do not, and count as those runs."""
    source, rows = tmp_path / "site.csv", ((1, 550, 12), (2, 500, 10), (8, 305, 9))
    cells = [f"distribution_agent,run_time,{mean},s,{streams},{sd},5" for streams, mean, sd in rows]
    write(source, "\n".join(("family,metric,value,unit,SubscriptionStreams,sd,n", *cells)))
    document = call("advise", source, "--out", tmp_path / "out", "--json").json()
    (first, _second) = document["comparisons"]
    assert (first["verdict"], first["runs"]) == ("improvement", {"from": 5, "to": 5})
    assert first["trials"] == {"from": ["line 2"], "to": ["line 4"]}
    assert [s["unit"] for s in document["comparisons"]] == ["s", "s"]
    again = call("advise", tmp_path / "out" / "measurements.csv", "--json").json()
    assert again["comparisons"] == [
        {**c, "trials": a["trials"]} for c, a in zip(document["comparisons"], again["comparisons"], strict=True)
    ]


def test_numbers_that_contradict_each_other_are_told(tmp_path: Path) -> None:
    """On screen and in the JSON, once for each run."""
    rows = ("commit_mode,a,shape_time,100,s,sync,100000,5", "commit_mode,b,shape_time,90,s,async,100000,5")
    source = write(
        tmp_path / "site.csv", "\n".join(("family,run,metric,value,unit,availability_mode,inserts,rtt_ms", *rows))
    )
    ended = call("advise", source, "--out", tmp_path / "out", "--json")
    (warning,) = [w for w in ended.json()["warnings"] if "round trip" in w]
    assert warning.startswith("a (availability_mode sync): a synchronous commit in 1")
    assert f"Note: {warning}\n" in ended.err


def test_the_contradiction_of_the_2007_study_is_pointed_out(tmp_path: Path) -> None:
    """Text and chart disagree about one point: a warning says so, on screen, in the JSON and in the report."""
    source = resource_path("published", "subscription-streams-wan-2007.csv")
    ended = call("advise", source, "--noise-cv", "0.03", "--out", tmp_path / "out", "--json")
    (warning, assumed) = ended.json()["warnings"]
    assert assumed.startswith("Which value is in effect is not said: SubscriptionStreams 1, the documented default")
    assert "6.86" in warning
    assert "31.54" in warning
    assert f"Note: {warning}\n" in ended.err
    text = " ".join(" ".join(p.extract_text() for p in pypdf.PdfReader(tmp_path / "out" / "report.pdf").pages).split())
    assert "31.54" in text
    assert "most likely swapped" in text


def test_advise_hands_over_like_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --out the results stand in a folder named after the file; the same five files, and three lines."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "site.csv", table(15))
    ended = call("advise", "site.csv")
    assert ended.code == 0
    assert {path.name for path in (tmp_path / "site-advice").iterdir()} == {
        "session.replitune",
        "report.pdf",
        "apply-1.sql",
        "undo-1.sql",
        "measurements.csv",
    }
    heads = [line.split(":")[0] for line in ended.out.splitlines()]
    assert (*heads[:2], *heads[-2:]) == ("Note", "Decisions", "Verdicts", "Report")
    again = call("report", tmp_path / "site-advice" / "session.replitune", "--out", tmp_path / "again.pdf")
    assert again.code == 0
    assert (tmp_path / "again.pdf").stat().st_size > 10_000


def test_json_without_a_folder_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`advise FILE --json` only answers."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "site.csv", table(15))
    before = files_below(tmp_path)
    assert call("advise", "site.csv", "--json").json()["comparisons"]
    assert files_below(tmp_path) == before


@pytest.mark.parametrize(
    ("content", "mark"),
    [
        ("\ufeff" + table(15), ""),
        (table(15, delimiter=";"), "point"),
        (table(15, delimiter=";", decimal=","), ""),
        (table(15, line_end="\r\n"), ""),
        ("\ufeff" + table(15, delimiter=";", decimal=",", line_end="\r\n"), ""),
        (table(15, delimiter="\t", decimal=","), "comma"),
    ],
    ids=["BOM", "semicolons", "decimal commas", "CRLF", "all of them", "tabs"],
)
def test_files_of_any_spreadsheet_give_the_same_comparisons(tmp_path: Path, content: str, mark: str) -> None:
    """How a file is written makes no difference to what it says; three decimals may be asked about."""
    plain = call("advise", write(tmp_path / "plain.csv", table(15)), "--json").json()
    path = write(tmp_path / "other.csv", content)
    asked = call("advise", path, "--json")
    assert (f"--say decimal_mark={mark} (" in asked.err) == bool(mark)
    other = call("advise", path, "--json", *(("--say", f"decimal_mark={mark}") if mark else ())).json()
    assert other["comparisons"] == plain["comparisons"]
    assert other["warnings"] == plain["warnings"]
    assert not any("not" in warning for warning in other["warnings"] if "is in effect" not in warning)


@pytest.mark.parametrize("rows", [20_000, pytest.param(200_000, marks=pytest.mark.prove)])
def test_a_large_file_gives_a_report_of_a_readable_size(tmp_path: Path, rows: int) -> None:
    """Report and JSON stay as short as those of a few rows; the result is written in a process of its own."""
    path = write(tmp_path / "large.csv", table(rows, delimiter=";", decimal=",", line_end="\r\n"))
    ended = run_alone("advise", path, "--out", tmp_path / "out", "--json")
    assert ended.code == 0
    assert len(ended.out) < 200_000
    document = ended.json()
    assert {(c["from"], c["to"], c["verdict"]) for c in document["comparisons"]} == {
        (level, 8, "improvement") for level in (1, 2, 4, 16)
    }
    assert {c["runs"]["from"] for c in document["comparisons"]} == {rows // 5}
    assert {finding["evidence_runs"] for finding in document["findings"]} == {rows}
    assert len(pypdf.PdfReader(tmp_path / "out" / "report.pdf").pages) < 40
