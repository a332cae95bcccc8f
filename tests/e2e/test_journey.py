"""From a plan to the PDF and back, through the program as a person calls it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdf
import pytest

from tests.e2e.program import SMALL_PLAN, Ended, call, run_alone, write
from tests.files import files_below

RESULTS = {
    "session.replitune",
    "report.pdf",
    "before-1-DIST1.sql",
    "apply-1-DIST1.sql",
    "verify-1-DIST1.sql",
    "undo-1-DIST1.sql",
    "rollback.sql",
    "measurements.csv",
}


@dataclass(frozen=True)
class Journey:
    """A finished run on the lab."""

    folder: Path
    plan: Path
    journal: Path
    ended: Ended


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory) -> Journey:
    """Run the small plan on the lab once, in a process of its own."""
    folder = tmp_path_factory.mktemp("journey")
    plan = write(folder / "plan.toml", SMALL_PLAN)
    journal = folder / "undo.journal"
    ended = run_alone("run", plan, "--target", "lab", "--out", folder / "out", "--journal", journal, "--json")
    return Journey(folder / "out", plan, journal, ended)


def pdf_text(path: Path) -> str:
    """Return the text of all pages, spaces made single."""
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(path).pages).split())


def test_a_dry_run_lists_everything_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """Trials in order, how long they take, each change with both scripts, every statement; no file is made."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    before = files_below(tmp_path)
    ended = call("run", plan, "--target", "lab", "--dry-run", "--out", tmp_path / "out", "--journal", tmp_path / "j")
    assert ended.code == 0
    assert ended.err == ""
    assert files_below(tmp_path) == before
    assert "nothing was changed" in ended.out
    assert "Trials: 6, about" in ended.out
    assert ended.out.count("\n  block ") == 3
    assert ended.out.count("-- Apply\n") == ended.out.count("-- Undo\n") == 4
    assert "Distribution Agent PUB1-Sales1-Sales1Orders-SUB1-1: running → stopped" in ended.out
    assert "Log Reader Agent PUB1-Sales1-1: running" not in ended.out
    assert "EXEC msdb.dbo.sp_update_jobstep" in ended.out
    listed = ended.out[ended.out.index("Statements that may be sent:") :]
    assert "-- set_job_step_token (changes): " in listed
    assert "-- distributor_sample (reads): " in listed
    assert "/* replitune set_job_step_token */" in listed


def test_a_dry_run_as_json_says_the_same(tmp_path: Path) -> None:
    """With --json the dry run is one document: the plan's trials, changes and statements."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    document = call("run", plan, "--target", "lab", "--dry-run", "--json").json()
    assert document["schema"] == 1
    assert document["baseline"] == {"SubscriptionStreams": 1}
    assert len(document["trials"]) == 6
    assert document["duration_s"] > 0
    assert all(change["apply_sql"] and change["undo_sql"] for change in document["changes"])
    assert {statement["access"] for statement in document["statements"]} == {"read", "change"}


def test_a_run_leaves_its_files_and_says_where(journey: Journey) -> None:
    """Session file, report, the scripts and the measurements; the result is JSON, progress goes to stderr."""
    assert journey.ended.code == 0
    assert {path.name for path in journey.folder.iterdir()} == RESULTS
    lines = journey.ended.err.splitlines()
    assert any(line.startswith("1. Change: SubscriptionStreams 8 instead of 1: ") for line in lines)
    assert lines[-2:] == [
        "Verdicts: 1 improved, 0 worse, 0 without a difference, 0 still open",
        f"Report: {journey.folder / 'report.pdf'} (scripts and session.replitune beside it)",
    ]
    document = journey.ended.json()
    assert document["schema"] == 1
    assert [c["phase"] for c in document["comparisons"]] == ["explore", "confirm"]
    raised = next(finding for finding in document["findings"] if finding["parameter"] == "SubscriptionStreams")
    assert (raised["from"], raised["to"]) == (1, 8)
    assert raised["evidence"] == [f"E1-T{number:03d}" for number in range(1, 13)]


def test_the_report_can_be_handed_over(journey: Journey) -> None:
    """It opens, names the verdict and the setting, holds the raw data, and says that the servers were simulated."""
    text = pdf_text(journey.folder / "report.pdf")
    for expected in ("Improvement shown", "SubscriptionStreams", "simulated servers", "E1-T001 to E1-T012"):
        assert expected in text
    attached = set(pypdf.PdfReader(journey.folder / "report.pdf").attachments)
    assert {"measurements.csv", "apply-1-DIST1.sql", "undo-1-DIST1.sql", "statements.csv", "changes.csv"} <= attached


def test_the_scripts_apply_and_take_back_the_recommendation(journey: Journey) -> None:
    """apply.sql sets the value found, undo.sql takes it back, and rollback.sql says that nothing of the run is left."""
    apply = (journey.folder / "apply-1-DIST1.sql").read_text(encoding="utf-8-sig")
    rollback = (journey.folder / "rollback.sql").read_text(encoding="utf-8-sig")
    assert "SubscriptionStreams 1 → 8" in apply
    assert "sp_update_jobstep" in apply
    assert "Nothing to undo." in rollback
    assert "sp_update_jobstep" not in rollback
    assert "sp_update_jobstep" in (journey.folder / "undo-1-DIST1.sql").read_text(encoding="utf-8-sig")


def test_a_redacted_report_holds_no_name_of_a_server(journey: Journey, tmp_path: Path) -> None:
    """--redact replaces the names of servers and databases, in the text and in what is attached."""
    out = tmp_path / "redacted.pdf"
    ended = call("report", journey.folder / "session.replitune", "--out", out, "--redact")
    assert (ended.code, ended.out) == (0, f"Report: {out}\n")
    reader = pypdf.PdfReader(out)
    content = pdf_text(out) + "".join(part.decode("utf-8") for parts in reader.attachments.values() for part in parts)
    for name in ("DIST1", "PUB1", "SUB1", "Sales1"):
        assert name in pdf_text(journey.folder / "report.pdf")
        assert name not in content


def test_own_measurements_can_be_read_again(journey: Journey, tmp_path: Path) -> None:
    """`advise measurements.csv` gives the ratio of the same trials, and the same recommendation."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN.replace("confirm_blocks = 1", "confirm_blocks = 0"))
    measured = call("run", plan, "--target", "lab", "--out", tmp_path / "o", "--journal", tmp_path / "j", "--json")
    (own,) = measured.json()["comparisons"]
    again = call("advise", tmp_path / "o" / "measurements.csv", "--json").json()
    read = next(c for c in again["comparisons"] if c["metric"] == own["metric"])
    assert (read["from"], read["to"]) == (own["from"], own["to"])
    assert read["ratio"] == pytest.approx(own["ratio"], rel=1e-9)
    assert read["conditions"] == own["conditions"]
    assert read["runs"] == own["runs"]
    with_confirmation = call("advise", journey.folder / "measurements.csv", "--json").json()
    assert [(f["from"], f["to"]) for f in with_confirmation["findings"] if f["to"] is not None] == [(1, 8)]


def test_discover_lists_what_is_in_effect_and_where_it_comes_from() -> None:
    """Servers, agents and every parameter with value, origin, default and limits."""
    document = call("discover", "--target", "lab", "--json").json()
    assert document["schema"] == 1
    assert {server["role"] for server in document["topology"]["servers"]} == {
        "Publisher",
        "Distributor",
        "Subscriber",
    }
    parameters: dict[str, Any] = {p["name"]: p for p in document["agents"][0]["parameters"]}
    assert parameters["ReadBatchSize"]["value"] == "500"
    assert parameters["ReadBatchSize"]["origin"] == "profile"
    assert (parameters["ReadBatchSize"]["low"], parameters["ReadBatchSize"]["high"]) == (1, 10_000)
    text = call("discover", "--target", "lab:wan-512k").out
    assert re.search(r"DIST1 +Distributor +14\.0", text)
    assert re.search(r"ReadBatchSize +500 +transactions +agent profile +500 +1 +10,000", text)


def test_rules_are_valid_and_hold_on_their_own_cases() -> None:
    """`rules check` and `rules test` pass on the shipped packs and count them."""
    checked, tested = call("rules", "check"), call("rules", "test")
    assert (checked.code, tested.code) == (0, 0)
    assert checked.out == tested.out
    assert checked.out.endswith("cases: all valid\n")


def test_after_a_run_there_is_nothing_to_restore(journey: Journey, tmp_path: Path) -> None:
    """`restore` finds every change of the run put back, and its script undoes nothing."""
    assert call("restore", "--journal", journey.journal).out == "Nothing to restore.\n"
    script = tmp_path / "undo.sql"
    assert call("restore", "--journal", journey.journal, "--script", script).code == 0
    assert "Nothing to undo." in script.read_text(encoding="utf-8")


def test_a_complete_run_has_nothing_to_resume(journey: Journey) -> None:
    """`run --resume` says so in one sentence."""
    ended = call("run", "--resume", "--out", journey.folder, "--journal", journey.journal)
    assert ended.code == 2
    assert "holds no interrupted run" in ended.err


def test_a_second_run_joins_the_first_in_its_folder(journey: Journey, tmp_path: Path) -> None:
    """The session file takes another session; its report lies below, and the first's stays."""
    folder = tmp_path / "out"
    folder.mkdir()
    for path in journey.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    plan = write(tmp_path / "plan.toml", SMALL_PLAN.replace("[1, 8]", "[1, 4]"))
    first = (folder / "report.pdf").read_bytes()
    assert call("run", plan, "--target", "lab", "--out", folder, "--journal", tmp_path / "j").code == 0
    (report,) = folder.glob("*/report.pdf")
    assert "SubscriptionStreams 4" in pdf_text(report)
    assert (folder / "report.pdf").read_bytes() == first
