"""`replitune observe` over TDS: availability groups by their views, and a Distributor that has none."""

from pathlib import Path

import pytest

from app.foundation.paths import resource_path
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.program import assert_one_sentence, call, write
from tests.prove.group_session import PosedGroups, pose_groups
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

INSTALLED = [value for name, value in sorted(DRIVERS.items()) if has_driver(name)]
# One driver in every test run, all of them in the long proof.
DRIVEN = [INSTALLED[0], *(pytest.param(driver, marks=pytest.mark.prove) for driver in INSTALLED[1:])]
BACKUPS = "log_backup_every_s = 60.0"
LOAD = f"{BACKUPS}\nbackground_statements_per_s = 200.0\nbackground_rows_per_statement = 20"


@pytest.mark.parametrize("driver", DRIVEN, ids=lambda driver: Path(driver).name)
def test_groups_are_observed_as_in_process(tmp_path: Path, driver: str) -> None:
    """Queues, rates and commit delay, with what they do not say; nothing is changed."""
    text = resource_path("lab", "ag-2016.toml").read_text(encoding="utf-8").replace(BACKUPS, LOAD)
    scenario = write(tmp_path / "busy.toml", text)
    with posed_lab(Pose(scenario=scenario, build=pose_groups, home="SQLNODE1")) as lab:
        before = lab.ask(PosedGroups.truth)
        ended = call("observe", "--target", lab.key(driver), "--watch", 10, "--json")
        told = call("observe", "--target", lab.key(driver), "--watch", 10)
        assert lab.ask(PosedGroups.truth) == before
    assert (ended.code, told.code) == (0, 0), ended
    groups = ended.json()["groups"]
    by_group = {found["group"]: found for found in groups["databases"]}
    assert 1.0 < by_group["AG_SYNC"]["commit_delay_ms"] < 10.0
    assert by_group["AG_ASYNC"]["commit_delay_ms"] is None
    assert by_group["AG_SYNC"]["log_kb_per_s"] > 1_000
    assert (by_group["AG_SYNC"]["readings"], groups["unread"]) == (7, [])
    for words in (
        "Commit delay: ",
        "To redo (KiB)",
        "To send (KiB)",
        "These views keep no history",
        "all of them reading",
    ):
        assert words in told.out
    assert "replication agents" not in told.out


def test_a_login_that_may_only_read_can_observe_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Observing needs no right to change anything, through a server's own address and its own time."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    with posed_lab(Pose(build=pose_groups, home="SQLNODE1")) as lab:
        ended = call("observe", "--target", lab.url(INSTALLED[0], user="monitor"), "--watch", 1, "--json")
    assert ended.code == 0, ended
    assert len(ended.json()["groups"]["databases"]) == 2


def test_a_distributor_without_groups_has_none_to_tell() -> None:
    """Discovery and observation find the agents, and no group; that is no problem to tell."""
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        observed = call("observe", "--target", lab.key(), "--json").json()
        found = call("discover", "--target", lab.key())
        run = call("discover", "--target", lab.key(), "--json").json()
        assert lab.ask(PosedLab.truth) == before
    assert (observed["groups"], observed["unread"], len(observed["agents"])) == (None, [], 6)
    assert found.code == 0
    assert "Invalid object name" not in found.out + found.err
    assert len(run["agents"]) == 6


def test_an_experiment_on_groups_at_a_distributor_says_that_there_is_none(tmp_path: Path) -> None:
    """Where no group is, the sentence says where to connect."""
    plan = write(tmp_path / "plan.toml", 'family = "commit_mode"\n[factors]\navailability_mode = ["async", "sync"]\n')
    with posed_lab(Pose()) as lab:
        ended = call("run", plan, "--target", lab.key(), "--out", tmp_path / "out", "--journal", tmp_path / "journal")
    assert_one_sentence(ended)
    assert "has no availability group; connect to the primary replica of one" in ended.err
