"""What stands in an agent's job step wins over any profile: it is told, changed where it stands, or refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.plan import Factor, Plan
from app.domain.setting import Setting
from app.services.plan.checking import prepare_run
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.site import AgentSite
from tests.contract.families.lab_runs import AGENT_FAMILIES, run_on_lab, small_plan
from tests.contract.families.test_jobs_that_cannot_start import site_with
from tests.labs import open_lab, started_with

PROFILE = """own_profiles = [{ name = "Tuned by hand", parameter = "CommitBatchSize", value = "700" }]
steps = [{ pair = 1, switches = '-ProfileName "Tuned by hand"' }]"""


def step_of(switches: str) -> str:
    """Return a site whose first Distribution Agent has these switches in its step."""
    return f"steps = [{{ pair = 1, switches = '{switches}' }}]"


def plan_over(name: str, *levels: int) -> Plan:
    """Return a small plan of one pair over one parameter of the Distribution Agent."""
    plan = small_plan(AGENT_FAMILIES["distribution_agent"])
    baseline = Setting.of(**{name: levels[0]})
    return replace(plan, factors=(Factor(name, levels),), baseline=baseline, load=plan.load.but(agent_pairs=1))


def checks_of(trouble: str, plan: Plan, folder: Path) -> dict[str, tuple[bool, bool]]:
    """Return the checks of a plan at such a site: passed, and whether it forbids the run."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab(site_with(trouble, folder))
    rig = family.system.rig_kind(family.subject)
    site = family.system.read_site(target, family.subject)
    checks = family.preflight(plan, rig.complete_site(plan, site, target))
    return {check.title: (check.passed, check.blocking) for check in checks}


def test_a_profile_in_the_step_is_where_values_come_from(tmp_path: Path) -> None:
    """Shown as their origin; whatever is changed goes into the step, counts, and is taken out again."""
    path = site_with(PROFILE, tmp_path)
    target = open_lab(path)
    agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    found = {p.name: (p.value, p.origin) for p in agent_ports(target).agents.read_parameters(agent)}
    assert found["CommitBatchSize"] == ("700", "profile in the job step")
    assert found["PacketSize"] == ("4096", "profile in the job step")
    run = run_on_lab(AGENT_FAMILIES["distribution_agent"], plan_over("CommitBatchSize", 100, 1000), scenario=path)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    run.assert_restored("with a profile named in the step")
    changed = [record for record in run.records if record.name == "set_job_step_token"]
    assert changed
    assert not [record for record in run.records if record.name == "assign_profile"]
    assert "700" in str(started_with(run.target)[agent.name])


@pytest.mark.parametrize(
    ("switches", "refused"),
    [
        ("-DefinitionFile C:\\tuned.txt", "What .* starts with is known"),
        ("-CommitBatchSize 200 -CommitBatchSize 300", "names each value once, as a bare number” – -CommitBatchSize"),
        (
            "-ProfileName [Default agent profile.] -profilename B",
            "names each value once, as a bare number” – -ProfileName",
        ),
        ('-CommitBatchSize "200"', "names each value once, as a bare number” – -CommitBatchSize"),
        ("-ProfileName [not there]", "Nobody knows with which values"),
    ],
)
def test_what_cannot_be_changed_is_refused(switches: str, refused: str, tmp_path: Path) -> None:
    """Before anything is."""
    target = open_lab(site_with(step_of(switches), tmp_path))
    family = AGENT_FAMILIES["distribution_agent"]
    with pytest.raises(BadInput, match=refused):
        prepare_run(plan_over("CommitBatchSize", 100, 1000), family, target, "plan.toml")


@pytest.mark.parametrize("value", ["+700", '" 700 "', "0700", "0x2BC", "7e2", "-700", "700;", ""])
def test_a_value_that_is_no_plain_number_is_told_as_not_read(value: str, tmp_path: Path) -> None:
    """What an agent makes of it no page says: no other value is shown for it, and a run does not vary it."""
    path = site_with(step_of(f"-CommitBatchSize {value} -Other 1"), tmp_path)
    target = open_lab(path)
    agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    found = {p.name: (p.value, p.origin) for p in agent_ports(target).agents.read_parameters(agent)}
    assert found["CommitBatchSize"] == ("in a form that is not read", "job step")
    with pytest.raises(BadInput, match="no plain number such as 100"):
        prepare_run(plan_over("CommitBatchSize", 100, 1000), AGENT_FAMILIES["distribution_agent"], target, "plan.toml")


@pytest.mark.parametrize("agent", ["distribution", "log_reader"])
def test_an_agent_that_ends_by_itself_is_refused(agent: str, tmp_path: Path) -> None:
    """Whichever of a pair it is, as it ends in the middle of a trial."""
    trouble = f"steps = [{{ pair = 1, agent = '{agent}', is_continuous = false }}]"
    target = open_lab(site_with(trouble, tmp_path))
    family = AGENT_FAMILIES["distribution_agent"]
    with pytest.raises(BadInput, match="goes on once nothing waits"):
        prepare_run(plan_over("CommitBatchSize", 100, 1000), family, target, "plan.toml")


def test_skipped_errors_in_the_step_are_seen(tmp_path: Path) -> None:
    """They block a plan that varies streams, and are told to any other."""
    title = "No errors are skipped silently (SkipErrors)"
    step = step_of("-SkipErrors 2601:2627:20598")
    assert checks_of(step, plan_over("CommitBatchSize", 100, 1000), tmp_path)[title] == (False, False)
    assert checks_of(step, plan_over("SubscriptionStreams", 1, 8), tmp_path)[title] == (False, True)
    profile = """own_profiles = [{ name = "Default agent profile.", parameter = "SkipErrors", value = "20598" }]"""
    assert checks_of(profile, plan_over("CommitBatchSize", 100, 1000), tmp_path)[title] == (True, False)


@pytest.mark.parametrize(
    "switches", ['-SkipErrors "2601, 2627;20598"', "-SKIPERRORS all", "-SkipErrors [2601] -Other 1"]
)
def test_errors_skipped_in_any_form_are_told(switches: str, tmp_path: Path) -> None:
    """A list that nobody reads skips errors all the same."""
    checks = checks_of(step_of(switches), plan_over("SubscriptionStreams", 1, 8), tmp_path)
    assert checks["No errors are skipped silently (SkipErrors)"] == (False, True)


@pytest.mark.parametrize(
    "switches", ["\N{EN DASH}SkipErrors 2601", "/SkipErrors 2601", "\N{MINUS SIGN}CommitBatchSize 7"]
)
def test_a_switch_behind_another_sign_is_one_that_is_not_known(switches: str, tmp_path: Path) -> None:
    """What an agent makes of it no page says: it is counted, and never passed over as a value."""
    checks = checks_of(step_of(switches), plan_over("CommitBatchSize", 100, 1000), tmp_path)
    [unknown] = [title for title in checks if title.startswith("Every switch in the job step")]
    assert checks[unknown] == (False, False)


def test_a_job_without_a_step_of_the_agent_is_told(tmp_path: Path) -> None:
    """One may call a batch file: what it starts with is not known, which is never shown as all being well."""
    plan = plan_over("CommitBatchSize", 100, 1000)
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab(site_with(step_of("-Turbo 9"), tmp_path))
    site = family.system.read_site(target, family.subject)
    whole = family.system.rig_kind(family.subject).complete_site(plan, site, target)
    assert isinstance(whole, AgentSite)
    titles = [c.title for c in family.preflight(plan, replace(whole, steps=dict.fromkeys(whole.steps)))]
    assert sum(title.startswith("Could not be checked: the job step of") for title in titles) == 2


def test_other_switches_are_counted_and_never_shown(tmp_path: Path) -> None:
    """What is unknown is a number, quotes around a password end nothing, and no text of the step leaves the server."""
    step = step_of("-SubscriberPassword [-Secret1 -Streams 4] -Turbo 9 -Fast")
    checks = checks_of(step, plan_over("CommitBatchSize", 100, 1000), tmp_path)
    [unknown] = [title for title in checks if title.startswith("Every switch in the job step")]
    assert checks[unknown] == (False, False)
    target = open_lab(site_with(step, tmp_path))
    agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    read = agent_ports(target).agents.read_job_step(agent)
    assert read is not None
    assert read.unknown == 2
    assert read.repeated == ("SubscriberPassword",)
    assert "Secret" not in repr(read)
    assert "Turbo" not in repr(read)
