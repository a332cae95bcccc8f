"""A site that is not whole, over TDS, through every driver."""

from pathlib import Path

import pytest

from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.program import call, write
from tests.e2e.wire_results import run_plan
from tests.labs import lab_file
from tests.on_site import AGENTS, SERVERS, UNREACHED
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

pytestmark = pytest.mark.prove

PLANS = {"log_reader": "ReadBatchSize = [500, 5000]", "distribution_agent": "CommitBatchSize = [100, 1000]"}
PLAN = """
family = "{family}"
[factors]
{factors}
[workload]
commands = 4_000
[design]
blocks = 1
confirm_blocks = 1
"""


@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_what_is_there_is_named_and_sessions_leave_it_as_it_was(tmp_path: Path, name: str) -> None:
    """Discovery is the table by hand; both agents' experiments run beside what is missing, and put all back."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    with posed_lab(Pose(scenario=lab_file("on-site"))) as lab:
        before = lab.ask(PosedLab.truth)
        unsaid = call("discover", "--target", lab.key(DRIVERS[name]))
        assert unsaid.code == 3
        assert "Distribution Archiv, distr_eu, distribution; say which one is meant" in unsaid.err
        key = f"{lab.key(DRIVERS[name])}&database=distribution"
        topology = call("discover", "--target", key, "--json").json()["topology"]
        assert {(server["role"], server["name"]) for server in topology["servers"]} == SERVERS
        agents = {(a["name"], a["subscription_type"], bool(a["job_id"])) for a in topology["agents"]}
        assert agents == AGENTS
        assert {server["name"] for server in topology["unreached"]} == set(UNREACHED)
        for family, factors in PLANS.items():
            plan = write(tmp_path / f"{family}.toml", PLAN.format(family=family, factors=factors))
            ended = run_plan(plan, key, tmp_path / family)
            assert ended.code == 0, ended
            assert lab.ask(PosedLab.truth) == before
