"""Agents whose jobs can never start again: told before any of them is stopped."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.lab.faults import Fault
from app.services.plan.checking import prepare_run
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.lab_server.happenings import JOB_OWNER_GONE
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import AGENT_FAMILIES, CASES, run_on_lab, small_plan
from tests.labs import open_lab

_SITE = """
[site]
offline_subscribers = []
refusing_subscribers = []
pull_subscriptions = []
stopped_agents = []
waiting_commands = 0
count_commands_per_s = 2000000.0
unreached_after_s = 0.0
{trouble}
"""
TROUBLES = {
    "jobs_without_owner = [1]": r"job of PUB1-Sales1-Sales1Orders-SUB1-1 can be started again” – The login that owns",
    "jobs_without_credential = [1]": r'can be started again” – The proxy "Replication" its step runs as .* credential',
    "jobs_without_subsystem = [1]": r'can be started again” – The proxy "Replication" its step runs as .* such steps',
}


def site_with(trouble: str, folder: Path) -> Path:
    """Return a scenario file like the default one, with jobs that are not in order."""
    path = folder / "jobs.toml"
    path.write_text(scenario_path("lan").read_text(encoding="utf-8") + _SITE.format(trouble=trouble), encoding="utf-8")
    return path


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_no_agent_is_stopped_whose_job_is_not_in_order(family_id: str, trouble: str, tmp_path: Path) -> None:
    """Before anything is changed, with what to do; where another pair's job is in trouble, nothing is said."""
    family = AGENT_FAMILIES[family_id]
    plan = small_plan(family)
    plan = replace(plan, load=plan.load.but(agent_pairs=1))
    with pytest.raises(BadInput, match=TROUBLES[trouble]):
        prepare_run(plan, family, open_lab(site_with(trouble, tmp_path)), "plan.toml")
    elsewhere = site_with(trouble.replace("[1]", "[2]"), tmp_path)
    assert all(
        check.passed or not check.blocking for check in prepare_run(plan, family, open_lab(elsewhere), "").checks
    )


@pytest.mark.parametrize(("family_id", "scenario"), [case for case in CASES if case[0] in AGENT_FAMILIES])
def test_a_job_that_can_no_longer_start_is_told_in_seconds(family_id: str, scenario: Scenario) -> None:
    """An owner that goes while a run stands ends it with the server's own message, not after twice five minutes."""
    family = AGENT_FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family, scenario), faults=(Fault("stop_job", 1, JOB_OWNER_GONE),))
    assert run.end.status is RunStatus.FAILED
    # where two agents are stopped, the second is not any more: delivery of the one that runs goes on
    is_second = "is not stopped. The login that owns the job is gone" in run.end.reason
    assert is_second or "could not be started, as its history says: The job failed." in run.end.reason
    assert is_second or "(Error 15404)" in run.end.reason
    asked = [record for record in run.records if record.name == "start_job"]
    waited = [record for record in run.records if record.name == "agent_session"]
    assert len(waited) < 10 * len(asked)
    assert run.end.not_restored
    assert any("Error 15404" in problem for problem in run.end.not_restored), run.end.not_restored


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_an_agent_that_runs_is_left_running_where_it_could_not_start_again(family_id: str) -> None:
    """An owner that goes while a trial is measured: the run ends, the originals are set, and delivery goes on."""
    family = AGENT_FAMILIES[family_id]
    sent = [record.name for record in run_on_lab(family, small_plan(family)).records]
    starts = [place for place, name in enumerate(sent) if name == "start_job"]
    last = starts[sent[: starts[0]].count("stop_job") - 1]  # a trial of log readers starts both agents, one by one
    measuring = sent[:last].count("distributor_sample") + 2
    run = run_on_lab(family, small_plan(family), faults=(Fault("distributor_sample", measuring, JOB_OWNER_GONE),))
    assert run.end.status is RunStatus.FAILED
    assert "is not stopped. The login that owns the job is gone" in run.end.reason
    # what shows that something is still changed here stays with it
    told = [problem for problem in run.end.not_restored if "it stays until the rest is undone" not in problem]
    assert all("The login that owns the job is gone" in problem for problem in told)
    names = [record.name for record in run.records]
    lost_at = [place for place, name in enumerate(names) if name == "distributor_sample"][measuring - 1]
    assert "stop_job" not in names[lost_at:]
