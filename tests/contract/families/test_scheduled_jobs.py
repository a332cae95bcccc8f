"""Agents whose jobs a schedule starts every minute: their jobs are disabled while a run needs them to stand."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.plan import Plan
from app.lab.faults import Fault
from app.services.plan.checking import prepare_run
from app.systems.transactional_replication.lab_server.happenings import AGENT_STOPPED
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.job_enabled import JOB_ENABLED
from tests.contract.families.lab_runs import AGENT_FAMILIES, CASES, run_on_lab, small_plan
from tests.contract.families.test_jobs_that_cannot_start import site_with
from tests.labs import jobs_disabled, open_lab

EVERY_MINUTE = "restarted_jobs = [1]"


def long_plan(family_id: str, scenario: Scenario = Scenario.DRAINED) -> Plan:
    """Return a plan whose agents stand for longer than a minute."""
    plan = small_plan(AGENT_FAMILIES[family_id], scenario)
    return replace(plan, load=plan.load.but(agent_pairs=1, commands=400_000))


@pytest.mark.parametrize(("family_id", "scenario"), [case for case in CASES if case[0] in AGENT_FAMILIES])
def test_a_schedule_starts_nothing_that_must_stand(family_id: str, scenario: Scenario, tmp_path: Path) -> None:
    """A run as long as several of its starts ends well, and the job is enabled again."""
    family, path = AGENT_FAMILIES[family_id], site_with(EVERY_MINUTE, tmp_path)
    run = run_on_lab(family, long_plan(family_id, scenario), scenario=path)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    run.assert_restored("though a schedule starts the agent each minute")
    assert jobs_disabled(run.target) == frozenset()
    sent = [record.name for record in run.records]
    if family_id == "log_reader" and scenario in (Scenario.CONTINUOUS, Scenario.WINDOWS):
        assert "set_job_enabled" not in sent  # its Distribution Agents are never stopped
        return
    assert sent.count("set_job_enabled") == 2
    assert sent.index("add_profile") < sent.index("set_job_enabled")


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_a_run_that_breaks_enables_the_job_again(family_id: str, tmp_path: Path) -> None:
    """Whatever ends it."""
    family, path = AGENT_FAMILIES[family_id], site_with(EVERY_MINUTE, tmp_path)
    fault = Fault("distributor_sample", 6, AGENT_STOPPED)
    run = run_on_lab(family, long_plan(family_id), scenario=path, faults=(fault,))
    assert jobs_disabled(run.target) == frozenset()
    assert not run.end.not_restored


def test_the_change_is_listed_before_and_told(tmp_path: Path) -> None:
    """A dry run lists it with both scripts; the checks say that it is done; a job without a schedule has none."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab(site_with(EVERY_MINUTE, tmp_path))
    prepared = prepare_run(long_plan("distribution_agent"), family, target, "")
    told = [check for check in prepared.checks if 'schedule "Every minute" starts, is disabled' in check.title]
    assert [check.passed for check in told] == [True]
    planned = family.system.rig_kind(family.subject).planned_changes(prepared.plan, family, prepared.site, target)
    changes = [change for change in planned if change.kind == JOB_ENABLED]
    assert len(changes) == 1
    assert "sp_update_job" in changes[0].apply_sql
    assert "sp_update_job" in changes[0].undo_sql
    ports = agent_ports(target)
    second = ports.agents.discover().agents[1]
    assert ports.agent_changes.plan_disabled(second) == ()
