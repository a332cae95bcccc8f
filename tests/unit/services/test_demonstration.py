"""The demonstration's runs: known families, plans that pass the checks, scenarios that ship."""

import pytest

from app.bootstrap import open_lab
from app.domain.family import DemoRun
from app.services.plan.demonstration import demo_runs
from app.services.plan.plan_file import check_factors
from app.services.target.target_spec import LabSpec, parse_target
from tests.contract.families.lab_runs import FAMILIES
from tests.labs import ignore

RUNS = demo_runs(FAMILIES, FAMILIES, 1)


def test_every_family_is_demonstrated_in_the_order_of_the_pipeline() -> None:
    """Log Reader Agent first, then delivery and the link, then availability groups."""
    assert set(FAMILIES) == {run.plan.family for run in RUNS}
    order = ["log_reader", "distribution_agent", "wan_delivery", "commit_mode"]
    assert [family for family in dict.fromkeys(run.plan.family for run in RUNS) if family in order] == order


@pytest.mark.parametrize("run", RUNS, ids=[f"{i}-{r.plan.family}" for i, r in enumerate(RUNS, start=1)])
def test_each_run_can_be_run(run: DemoRun) -> None:
    """Its plan passes the checks against a complete baseline, and its lab exists."""
    check_factors(run.plan, FAMILIES[run.plan.family], {}, "the demonstration")
    assert set(run.plan.baseline) == {factor.name for factor in run.plan.factors}
    assert run.plan.design.confirm_blocks > 0 or FAMILIES[run.plan.family].compares_all
    spec = parse_target(run.target)
    assert isinstance(spec, LabSpec)
    assert open_lab(spec, 1, ignore).is_lab


def test_families_can_be_chosen_and_the_seed_reaches_every_plan() -> None:
    """One family alone, none for a name nobody knows, and the same seed in all designs."""
    assert {run.plan.family for run in demo_runs(FAMILIES, ("wan_delivery",), 1)} == {"wan_delivery"}
    assert demo_runs(FAMILIES, ("unheard_of",), 1) == ()
    assert {run.plan.design.seed for run in demo_runs(FAMILIES, FAMILIES, 7)} == {7}
    assert [run.plan.factors for run in demo_runs(FAMILIES, FAMILIES, 7)] == [run.plan.factors for run in RUNS]
