"""An incident as a consultant meets it: a plan of four lines, a backlog that falls, a report that says it as it was."""

import re
from pathlib import Path

import pytest

from tests.e2e.program import Ended, call, run_alone
from tests.writers import incident, streams_incident

PLAN = """
family = "distribution_agent"
[factors]
SubscriptionStreams = [1, 8]
[design]
stop = "model"
"""


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Ended, Path]:
    """What a dry run said, and a run that has ended, with its folder."""
    folder = tmp_path_factory.mktemp("incident")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    how = ("run", folder / "plan.toml", "--target", f"lab:{incident(folder, outage_h=1.0, moving=True)}")
    places = ("--out", folder / "out", "--journal", folder / "undo.journal")
    return call(*how, "--dry-run", *places), call(*how, *places), folder


def test_a_dry_run_says_that_nothing_is_written(met: tuple[Ended, Ended, Path]) -> None:
    """It names the agent that is farthest behind, the windows there may be, and how long it takes at most."""
    dry, _ended, _folder = met
    assert dry.code == 0, dry.err
    assert "ERP_Orders" in dry.out
    assert "commands wait for the agent; nothing is written" in dry.out
    steps = dry.out.split("-- ")[0]
    assert "measure them on the work that waits" in steps
    assert "Write" not in steps
    assert "ReplituneLoad" not in steps
    assert "Steps of each window:" in steps
    assert "\nWindows: " in steps
    for never_sent in ("write_load", "load_table", "post_tracer_token"):
        assert never_sent not in dry.out


def test_the_faster_setting_is_found_and_told_as_it_was(met: tuple[Ended, Ended, Path]) -> None:
    """The report speaks of windows on the client's work, and of no rows of this program's."""
    _dry, ended, folder = met
    assert ended.code == 0, ended.err
    assert "Change: SubscriptionStreams 8 instead of 1: " in ended.out
    assert call("report", folder / "out/session.replitune", "--out", folder / "report.md").code == 0
    told = (folder / "report.md").read_text(encoding="utf-8")
    assert "the client's own work, of which nothing was written: the backlog that waits already" in told
    assert "pairs of windows of the chosen setting and the baseline" in told
    for untrue in ("30 % inserts", "a backlog is loaded", "a backlog of 1,000,000 commands", "confirmation blocks of"):
        assert untrue not in told
    assert " s windows, because " in told
    assert "The backlog, and the setting at work" in told, "drawn as it fell"


def test_no_text_calls_a_window_a_trial(met: tuple[Ended, Ended, Path]) -> None:
    """Dry run, run, list of runs and report, in both languages."""
    dry, ended, folder = met
    file = folder / "out/session.replitune"
    told = [*dry.out.splitlines(), *ended.out.splitlines()]
    for language in ("en", "de"):
        report = folder / f"words-{language}.md"
        assert run_alone("--language", language, "report", file, "--out", report).code == 0
        listed = run_alone("--language", language, "engagement", "list", file)
        assert listed.code == 0, listed.err
        told += [*report.read_text(encoding="utf-8").splitlines(), *listed.out.splitlines()]
    assert [line for line in told if re.search(r"\b[Tt]rials?\b(?!\.csv)|\b[Vv]ersuche?[ns]?\b", line)] == []


def test_a_plan_that_allows_half_an_hour_is_told_what_fits(tmp_path: Path) -> None:
    """The lines it names, written into its file, make a plan that ends in time, guided by a model as before."""
    how = (tmp_path / "plan.toml", "--target", f"lab:{incident(tmp_path)}", "--dry-run", "--out", tmp_path / "out")
    limited = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 2, 4, 8, 16]\n'
    limited += "[limits]\nrun_duration_s = 1800\n"
    (tmp_path / "plan.toml").write_text(limited, encoding="utf-8")
    dry = call("run", *how)
    assert dry.code == 0, dry.err
    _before, told = dry.out.split("of that, 30 min are allowed. Designs that fit:\n")
    offered = re.findall(r"^  At most .* confirming pairs: 5 settings, .*\n((?:      .*\n)+)", told, re.MULTILINE)
    assert offered
    for lines in offered:
        (tmp_path / "plan.toml").write_text(limited + lines, encoding="utf-8")
        again = call("run", *how)
        assert again.code == 0, again.err
        assert "Designs that fit" not in again.out
        assert "The run ends after 30 min at the latest" in again.out
        assert "× what the model learns most from" in again.out


STREAMS_PLAN = """
family = "streams_apply"
[factors]
PARALLELISM = [1, 4]
"""


def test_an_apply_process_that_is_behind_is_tuned_while_it_catches_up(tmp_path: Path) -> None:
    """The same of Oracle Streams: from a plan of three lines to a decision, and a report that says it as it was."""
    (tmp_path / "plan.toml").write_text(STREAMS_PLAN, encoding="utf-8")
    lab = f"lab:{streams_incident(tmp_path, outage_h=1.0, moving=True)}"
    how = ("run", tmp_path / "plan.toml", "--target", lab, "--journal", tmp_path / "undo.journal")
    dry = call(*how, "--dry-run", "--out", tmp_path / "dry")
    assert dry.code == 0, dry.err
    assert "messages wait in the queues" in dry.out
    assert "measure it on the work that waits" in dry.out.split("-- ")[0]
    assert "test table" not in dry.out.split("Statements")[0]
    ended = call(*how, "--out", tmp_path / "out")
    assert ended.code == 0, ended.err
    assert "Change: PARALLELISM 4 instead of 1" in ended.out
    assert call("report", tmp_path / "out/session.replitune", "--out", tmp_path / "report.md").code == 0
    told = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "the client's own work, of which nothing was written: the backlog that waits already" in told
    assert "pairs of windows of the chosen setting and the baseline" in told
    for untrue in ("the rows are written at the source", "300,000", "confirmation blocks of"):
        assert untrue not in told
    assert " s windows, because " in told
