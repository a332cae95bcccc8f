"""A Distributor of another language: its agents are measured; a fall-back nobody can read of is not counted as none."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.plan import Factor, Plan
from app.domain.target import Target
from app.services.plan.completing import read_site
from app.systems.transactional_replication.metrics import FALLBACKS
from app.systems.transactional_replication.site import AgentSite, complete_agent_site
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.labs import lab_file, open_lab

TITLE = "Fall-backs to one stream can be told"


def lab_of_language(folder: Path, language: str) -> Path:
    """Return a scenario whose agents write their messages in a language."""
    text = lab_file("lan").read_text(encoding="utf-8").replace('name = "lan"', 'name = "site"')
    path = folder / "site.toml"
    path.write_text(f'{text}\n[site]\nagents_speak = "{language}"\n', encoding="utf-8")
    return path


def site_of(target: Target, plan: Plan) -> AgentSite:
    """Return what a plan's preflight is made of."""
    site = read_site(target, FAMILIES["distribution_agent"])
    assert isinstance(site, AgentSite)
    return complete_agent_site(plan.load, site, target)


@pytest.mark.parametrize(("language", "is_told"), [("english", True), ("german", False)])
def test_a_fall_back_is_counted_where_its_message_can_be_read(tmp_path: Path, language: str, is_told: bool) -> None:
    """Of trials with one stream it is none in any language; everything else is measured as ever, and put back."""
    path = lab_of_language(tmp_path, language)
    run = run_on_lab(FAMILIES["distribution_agent"], small_plan(FAMILIES["distribution_agent"]), scenario=path)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    seen: dict[str, set[bool]] = {"one": set(), "several": set()}
    for trial in run.trials:
        kind = "one" if int(trial.setting.get("SubscriptionStreams", 1)) == 1 else "several"
        seen[kind].add(FALLBACKS.name in {m.metric for m in trial.measurements})
    assert seen["several"] == {is_told}
    assert seen["one"] <= {True}
    run.assert_restored()


@pytest.mark.parametrize(("language", "is_told"), [("english", True), ("german", False)])
def test_before_a_run_it_is_said_that_fall_backs_cannot_be_told(tmp_path: Path, language: str, is_told: bool) -> None:
    """A plan with several streams says so in one sentence that does not forbid the run; a plan without says nothing."""
    family = FAMILIES["distribution_agent"]
    target = open_lab(lab_of_language(tmp_path, language))
    plan = small_plan(family)
    told = [
        check
        for check in family.preflight(plan, site_of(target, plan))
        if check.title == "Fall-backs to one stream can be told"
    ]
    assert [check.passed for check in told] == ([] if is_told else [False])
    for check in told:
        assert not check.blocking
        assert "PUB1" in check.remedy
    batches = replace(plan, factors=(Factor("CommitBatchSize", (100, 1_000)),))
    titles = {check.title for check in family.preflight(batches, site_of(target, batches))}
    assert TITLE not in titles
