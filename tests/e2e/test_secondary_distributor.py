"""A Distributor reached by its own name while its distribution database is a secondary replica of a group."""

from functools import partial
from pathlib import Path

import pytest

from app.systems.transactional_replication.lab.scenario import scenario_path
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.program import SMALL_PLAN, Ended, assert_one_sentence, call, write
from tests.prove.agent_happenings import DISTRIBUTOR_FAILS_OVER, IN_GROUPS, served_agents
from tests.prove.happenings import Strike, cases_of
from tests.prove.wire_faults import installed_drivers

ROLES = ("closed secondary", "readable secondary")
WHAT = "the distribution database distribution is a secondary replica of its availability group at DIST1 now"
WHERE = "connect to its primary replica, which is reached as DIST2 / DIST-AG"


def site(folder: Path, role: str) -> Path:
    """Write a site whose distribution database has this role at its Distributor."""
    text = scenario_path("lan").read_text(encoding="utf-8")
    return write(folder / "site.toml", f'{text}\n{IN_GROUPS}distribution_role = "{role}"\n')


def commands(folder: Path, target: str) -> dict[str, Ended]:
    """Run every command that reads a target."""
    plan = write(folder / "plan.toml", SMALL_PLAN)
    return {
        "doctor": call("doctor", "--target", target),
        "discover": call("discover", "--target", target),
        "observe": call("observe", "--target", target),
        "run": call("run", plan, "--target", target, "--out", folder / "out"),
    }


@pytest.mark.parametrize("role", ROLES)
def test_every_command_says_what_it_is_and_where_to_connect(tmp_path: Path, role: str) -> None:
    """In this process, and over TDS, where nobody who asks for such a database is let in."""
    path = site(tmp_path, role)
    told = commands(tmp_path, f"lab:{path}")
    with posed_lab(Pose(scenario=path)) as lab:
        before = lab.ask(PosedLab.truth)
        over_tds = commands(tmp_path, lab.key(installed_drivers()[0]))
        assert lab.ask(PosedLab.truth) == before
    for name, ended in (*told.items(), *over_tds.items()):
        assert_one_sentence(ended)
        assert WHAT in ended.err, name
        assert WHERE in ended.err, name
    assert not (tmp_path / "out" / "session.replitune").exists()


def _lose(role: str, lab: PosedLab) -> None:
    lab.happenings.lose_distribution(role)


@pytest.mark.parametrize("role", ROLES)
def test_what_a_run_changed_there_is_put_back_or_told(tmp_path: Path, role: str) -> None:
    """It becomes one in mid-trial: job steps are put back, no agent is started where none runs, and the rest is told.

    A later restore says so again, with exit code 4, until the database is primary there again.
    """
    plan, out, journal = write(tmp_path / "plan.toml", SMALL_PLAN), tmp_path / "out", tmp_path / "undo.journal"
    ground = served_agents(installed_drivers()[0], site(tmp_path, "primary"))
    ticks = cases_of(ground, "distribution_agent", [DISTRIBUTOR_FAILS_OVER])
    numbers = [case.number for case in ticks if case.call.name == "distributor_sample"]
    with ground.make_lab() as lab:
        before = lab.truth()
        lab.strike = Strike(numbers[len(numbers) // 2], partial(_lose, role))
        ended = call("run", plan, "--target", lab.key, "--out", out, "--journal", journal)
        assert (ended.code, "Traceback" in ended.err) == (4, False), ended
        assert WHAT in ended.err + ended.out
        left = lab.truth()
        assert left.steps == before.steps
        assert not any(left.running.values())
        again = call("restore", "--journal", journal)
        assert (again.code, "Traceback" in again.err) == (4, False), again
        assert "agent" in again.err
        assert WHAT in again.err
        assert not any(lab.truth().running.values())
        lab.ask(partial(_lose, "primary"))
        lab.settle(60.0)
        whole = call("restore", "--journal", journal)
        assert whole.code == 0, whole
        lab.settle(60.0)
        assert lab.truth() == before
