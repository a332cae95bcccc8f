"""`observe --until`: a watch through a night, told as it happens and reported in the morning."""

from pathlib import Path

from tests.e2e.program import call

LAB = "lab:busy-day"


def test_what_fell_behind_is_told_with_when_and_how_long(tmp_path: Path) -> None:
    """On the terminal as it happens, in JSON, and first in the report."""
    out = tmp_path / "morning.md"
    ended = call("observe", "--target", LAB, "--until", "08:30", "--json", "--out", out)
    assert ended.code == 0, ended.err
    watched = ended.json()["watched"]
    assert watched["readings"] >= 20
    assert watched["unread_s"] == 0
    behind = {each["where"]: each for each in watched["processes"] if each["seconds"]["behind"]}
    assert len(behind) == 4
    for where, each in behind.items():
        assert "behind" in each["worst"]
        assert each["at_the_end"].startswith("Nothing to do"), "the newest latency is that of its last batch"
        assert f"{where}: keeps up again, after " in ended.err
    first, *_others = [line for line in out.read_text("utf-8").splitlines() if line.startswith("## ")]
    assert first == "## What the watch saw"


def test_a_time_that_is_none_is_refused_in_a_sentence() -> None:
    """Exit code 2, and how it is written."""
    for text in ("25:00", "seven", ""):
        ended = call("observe", "--target", LAB, "--until", text)
        assert ended.code == 2
        assert ended.err.count("\n") == 1
        assert "write it as 07:00" in ended.err
