"""A site that is not whole, over TDS, through every driver."""

from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.statement import Access
from tests.e2e.posed_lab import Kind, Pose, PosedLab, posed_lab
from tests.e2e.program import call, write
from tests.e2e.scripted_dba import ScriptedDba
from tests.e2e.test_wire_guided import run_guided
from tests.e2e.wire_results import run_plan
from tests.labs import lab_file
from tests.on_site import AGENTS, CAUTIONS, DATABASE, SERVERS, UNREACHED
from tests.prove.shares import Share
from tests.prove.wire_faults import cases_of, run_cases, stratum_of
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

pytestmark = pytest.mark.prove

ON_SITE = Pose(scenario=lab_file("on-site"), database=DATABASE)
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
    with posed_lab(ON_SITE) as lab:
        before = lab.ask(PosedLab.truth)
        key = lab.key(DRIVERS[name])
        unsaid = call("discover", "--target", key.removesuffix(f"&database={DATABASE}"))
        assert unsaid.code == 3
        assert "Distribution Archiv, distr_eu, distribution; say which one is meant" in unsaid.err
        topology = call("discover", "--target", key, "--json").json()["topology"]
        assert {(server["role"], server["name"]) for server in topology["servers"]} == SERVERS
        agents = {(a["name"], a["subscription_type"], bool(a["job_id"])) for a in topology["agents"]}
        assert agents == AGENTS
        assert {server["name"] for server in topology["unreached"]} == set(UNREACHED)
        assert [said.startswith(start) for said, start in zip(topology["cautions"], CAUTIONS, strict=True)]
        for family, factors in PLANS.items():
            plan = write(tmp_path / f"{family}.toml", PLAN.format(family=family, factors=factors))
            ended = run_plan(plan, key, tmp_path / family)
            assert ended.code == 0, ended
            assert lab.ask(PosedLab.truth) == before


@pytest.mark.parametrize("family", sorted(PLANS))
def test_a_dba_makes_every_change_there_with_the_printed_scripts(tmp_path: Path, family: str) -> None:
    """Guided mode: names in quotes, brackets and other scripts go through the scripts as they are."""
    plan = write(tmp_path / "plan.toml", PLAN.format(family=family, factors=PLANS[family]))
    with posed_lab(ON_SITE) as lab:
        dba = ScriptedDba(lab.ports)
        before = lab.ask(PosedLab.truth)
        outcome = run_guided(plan, lab, tmp_path / "out", dba.answer)
        assert (outcome.status, outcome.not_restored) == (RunStatus.SUCCEEDED, ())
        assert lab.ask(PosedLab.truth) == before
        assert {"stop_job", "start_job"} <= set(dba.ran)
        dba.close()


@pytest.mark.parametrize("family", sorted(PLANS))
def test_whatever_goes_wrong_there_the_servers_come_out_as_they_were(tmp_path: Path, family: str, share: Share) -> None:
    """At changes, each kind in turn: as they were, or listed at next start and put back by `restore`."""
    plan = write(tmp_path / "plan.toml", PLAN.format(family=family, factors=PLANS[family]))
    cases = [case for case in cases_of(plan, list(Kind), pose=ON_SITE) if case.call.access is Access.CHANGE]
    assert len(cases) > 100
    tally = run_cases(share.of(cases, stratum_of)[:: 2 * len(PLANS)], tmp_path, ON_SITE)
    print(f"{family}, {share}: {tally}")
    assert tally.failures == ()
