"""An agent that a batch file or a service runs: it is told, never taken for stopped, and no second one started."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.drivers.sqlserver.errors import JobProblem
from app.services.plan.checking import prepare_run
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.families.lab_runs import AGENT_FAMILIES, small_plan
from tests.contract.families.test_jobs_that_cannot_start import site_with
from tests.labs import lab_behind, open_lab

FIRST = "agents_elsewhere = [1]"
SENTENCE = "PUB1-Sales1-Sales1Orders-SUB1-1 runs outside SQL Server Agent"


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_a_run_at_it_is_refused_and_one_beside_it_is_not(family_id: str, tmp_path: Path) -> None:
    """Before anything is changed, with what to do."""
    family = AGENT_FAMILIES[family_id]
    plan = small_plan(family)
    plan = replace(plan, load=plan.load.but(agent_pairs=1))
    with pytest.raises(BadInput, match=f"is run by its job” – {SENTENCE}.*stop it where it was started"):
        prepare_run(plan, family, open_lab(site_with(FIRST, tmp_path)), "plan.toml")
    elsewhere = site_with("agents_elsewhere = [2]", tmp_path)
    assert not [
        check
        for check in prepare_run(plan, family, open_lab(elsewhere), "").checks
        if check.blocking and not check.passed
    ]


def test_discovery_tells_it_and_its_job_is_not_started(tmp_path: Path) -> None:
    """Whoever asks for the start, also to put back what an earlier session left."""
    target = open_lab(site_with(FIRST, tmp_path))
    found = agent_ports(target).agents.discover()
    [told] = found.cautions
    assert told.startswith(SENTENCE)
    agent = found.agents_of(AgentKind.DISTRIBUTION)[0]
    assert not agent_ports(target).agents.is_running(agent)
    with pytest.raises(JobProblem, match=SENTENCE):
        agent_ports(target).agents.start(agent)
    assert lab_behind(target).state.failures == []
