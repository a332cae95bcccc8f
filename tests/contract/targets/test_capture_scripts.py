"""Scripts of decisions on capture jobs, run on the lab as sqlcmd runs them: at each replica, and without a job."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import pytest

from app.systems.change_data_capture.lab_server import PRIMARY, REPLICA
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.contract.targets.script_client import ScriptClient
from tests.labs import build_lab
from tests.report.scripts import WORDS, apply_scripts, look_scripts, rollback_scripts
from tests.unit.reporting.test_streams import finding

FAMILY: Final = FAMILIES["cdc_capture"]


@dataclass
class CaptureBench:
    """The servers of a lab with Change Data Capture."""

    server: Any


def bench() -> CaptureBench:
    """Return servers of their own."""
    return CaptureBench(build_lab("capture"))


@cache
def scripts_by_replica() -> tuple[tuple[str, str, str, str], ...]:
    """Return apply, undo, before and verify for each replica, the primary first."""
    ran = run_on_lab(FAMILY, small_plan(FAMILY))
    session = ran.session()
    one = replace(finding("maxtrans", 500, 10000), family="cdc_capture", evidence=(ran.trials[0].trial_id,))
    looks = look_scripts([one], session)
    made = apply_scripts([one], session), rollback_scripts([one], session)
    return tuple(zip(*made, looks[::2], looks[1::2], strict=True))


def measured() -> tuple[tuple[str, str], ...]:
    """Return apply and undo for each replica, the primary first."""
    return tuple((apply, undo) for apply, undo, _before, _verify in scripts_by_replica())


def test_at_a_secondary_copy_the_script_says_to_run_it_after_a_failover() -> None:
    """There nobody is let in; once it is primary the same script sets the value."""
    primary, replica = measured()
    assert not any("after a failover" in script for script in primary)
    for script in replica:
        told = " ".join(line.removeprefix("--").strip() for line in script.splitlines() if line.startswith("--"))
        assert f"Run it after a failover to {REPLICA}, once it has the primary copy of Orders" in told
    lab = bench()
    early = ScriptClient(lab, REPLICA)
    early.run_script(replica[0], applies=True)
    assert (early.ran, early.code) == ([], 1)
    lab.server.state.primary = REPLICA
    late = ScriptClient(lab, REPLICA)
    late.run_script(replica[0], applies=True)
    assert (late.errors, late.code) == ([], 0)
    assert lab.server.state.jobs[REPLICA].values.maxtrans == 10000


@pytest.mark.parametrize("is_rollback", [False, True])
def test_without_its_job_nothing_is_said_to_be_done(is_rollback: bool) -> None:
    """The row of the job is gone: the script stops and says so."""
    lab = bench()
    del lab.server.state.jobs[PRIMARY]
    window = ScriptClient(lab, PRIMARY)
    window.run_script(measured()[0][is_rollback], applies=True)
    assert window.code == 1
    assert f"{PRIMARY} has no capture job for Orders any more" in window.error


def ended(lab: CaptureBench, server: str, script: str, *, applies: bool = False) -> tuple[int, str]:
    """Return the code that a script leaves sqlcmd with, and its last error."""
    window = ScriptClient(lab, server)
    window.run_script(script, applies=applies)
    return window.code, window.error


def values_at(lab: CaptureBench) -> dict[str, str]:
    """Return the four values of each replica's job."""
    return {server: job.text for server, job in lab.server.state.jobs.items()}


def test_every_system_has_scripts_that_read_before_and_after() -> None:
    """Whoever sets a value by a script reads by one what stood there, and what stands there then."""
    assert [type(one).__name__ for one in WORDS.writers if not (one.files().before and one.files().verify)] == []


def test_the_state_is_read_before_and_held_against_the_decision_afterwards() -> None:
    """Before the change the second one ends with an error, after it with 0, and again with one once it is undone."""
    lab, (apply, undo, before, verify) = bench(), scripts_by_replica()[0]
    found, not_set = values_at(lab), (1, "maxtrans reads differently than it was set")
    assert ended(lab, PRIMARY, before) == (0, "")
    assert ended(lab, PRIMARY, verify) == not_set
    assert values_at(lab) == found
    assert ended(lab, PRIMARY, apply, applies=True) == (0, "")
    assert ended(lab, PRIMARY, verify) == (0, "")
    assert ended(lab, PRIMARY, undo, applies=True) == (0, "")
    assert ended(lab, PRIMARY, verify) == not_set
    assert values_at(lab) == found


def test_at_a_secondary_copy_the_values_are_read_from_msdb_alone() -> None:
    """Its database may let nobody in: the newest sessions are read only where the job runs."""
    at_primary, at_replica = (before for _apply, _undo, before, _verify in scripts_by_replica())
    assert "dm_cdc_log_scan_sessions" in at_primary
    assert "USE [" not in at_replica
    assert ended(bench(), REPLICA, at_replica) == (0, "")


def test_at_another_server_what_reads_ends_with_an_error() -> None:
    """Its values are those of one server's msdb."""
    for script in scripts_by_replica()[0][2:]:
        code, error = ended(bench(), "OTHER", script)
        assert (code, error.startswith(f"this is not {PRIMARY}")) == (1, True)
