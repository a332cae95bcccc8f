"""An incident as a consultant meets it: a plan of four lines, a backlog that falls, a report that says it as it was."""

from pathlib import Path

import pytest

from tests.e2e.program import Ended, call
from tests.writers import incident

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


def test_the_faster_setting_is_found_and_told_as_it_was(met: tuple[Ended, Ended, Path]) -> None:
    """The report speaks of windows on the client's work, and of no rows of this program's."""
    _dry, ended, folder = met
    assert ended.code == 0, ended.err
    assert "Change: SubscriptionStreams 8 instead of 1" in ended.out
    assert call("report", folder / "out/session.replitune", "--out", folder / "report.md").code == 0
    told = (folder / "report.md").read_text(encoding="utf-8")
    assert "the client's own work, of which nothing was written: the backlog that waits already" in told
    assert "pairs of windows of the chosen setting and the baseline" in told
    for untrue in ("30 % inserts", "a backlog is loaded", "a backlog of 1,000,000 commands", "confirmation blocks of"):
        assert untrue not in told
    assert " s windows, because " in told
