"""What a hand-over names is what a run changed: agents, replicas and processes, as its own records say."""

from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.domain.setting import Value
from app.drivers.sqlserver.scripts import literal
from app.lab.scenario_file import scenario_kind, shipped_scenarios
from app.reporting.wording import Vocabulary
from app.systems.availability_groups.hand_over.scripts import COMPRESSION
from app.systems.availability_groups.site import kept_groups
from app.systems.oracle_streams.site import kept_streams
from app.systems.oracle_streams.subjects import SYSTEM_ID as STREAMS
from app.systems.transactional_replication.site import Replication, kept_replication
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LabRun, run_on_lab, small_plan
from tests.contract.oracle.lab_bench import make_bench as make_streams_bench
from tests.contract.oracle.test_apply_scripts import run as run_block
from tests.contract.targets.checking import make_bench as make_agent_bench
from tests.contract.targets.test_apply_scripts import run as run_script
from tests.contract.targets.test_apply_scripts import state
from tests.report.sample import full_advice
from tests.report.scripts import (
    apply_script,
    apply_scripts,
    oracle_apply_script,
    oracle_apply_scripts,
    oracle_rollback_script,
    oracle_rollback_scripts,
    rollback_script,
    rollback_scripts,
)

KINDS: Final = {REPLICATION: "replication", STREAMS: "streams"}
WORDS: Final = Vocabulary(FAMILIES.values())
CASES: Final = [
    # as lan, but for a day that takes seconds to live through; an incident has no table that a load could be written to
    pytest.param(family_id, name, marks=pytest.mark.prove if name == "busy-day" else ())
    for family_id, family in FAMILIES.items()
    for name, path in shipped_scenarios().items()
    if name != "incident"
    if family.system.system_id in KINDS and (scenario_kind(path) or "replication") == KINDS[family.system.system_id]
]


@cache
def ended(family_id: str, scenario: str) -> LabRun:
    """Return a run of a family's own plan on a scenario."""
    family = FAMILIES[family_id]
    return run_on_lab(family, small_plan(family), scenario=scenario)


def recommended(run: LabRun, parameter: str = "", value: Value | None = None) -> Finding:
    """Return a finding of what a run varied, made from its trials."""
    factor = run.plan.factors[0]
    return replace(
        full_advice().findings[1],
        family=run.family.family_id,
        parameter=parameter or factor.name,
        from_value=factor.levels[0],
        to_value=factor.levels[-1] if value is None else value,
        evidence=(run.trials[0].trial_id,),
    )


def changed(session: SessionRecord, detail: str, kind: str = "") -> set[str]:
    """Return what the changes of a session are about, by one of their details."""
    return {
        str(entry.change.detail(detail))
        for entry in session.changes
        if entry.change.detail_or(detail, "") and kind in ("", entry.change.detail_or("agent_kind", ""))
    }


def read(session: SessionRecord) -> Replication:
    """Return what is kept of a Distributor."""
    kept = kept_replication(session.environments[0])
    assert kept is not None
    return kept


def agents_in(text: str, session: SessionRecord) -> set[str]:
    """Return the names of the agents a script names."""
    return {agent.name for agent in read(session).topology.agents if literal(agent.name) in text}


def assert_as_measured(finding: Finding, session: SessionRecord, agents: set[str]) -> None:
    """Check that everything said of agents is said of those, and that there are some."""
    assert agents
    for script in (apply_script([finding], session), rollback_script([finding], session)):
        assert agents_in(script, session) == agents
    change_effort = FAMILIES[finding.family].system.load_hand_over().change_effort(finding, session)
    assert {place.rpartition(" (")[0] for place in change_effort.places} == agents
    in_effect = {
        parameter.value
        for own in read(session).agents
        for parameter in own.parameters
        if own.agent in agents and parameter.name == finding.parameter and parameter.value
    }
    writer = next(writer for writer in WORDS.writers if writer.takes(finding))
    assert set(writer.values_in_effect(finding, session)) == in_effect


@pytest.mark.parametrize(("family_id", "scenario"), CASES)
def test_scripts_name_what_the_run_changed(family_id: str, scenario: str) -> None:
    """Apply and undo script, places and values in effect are about the agents or processes of the run's changes."""
    run = ended(family_id, scenario)
    session = run.session()
    if family_id in AGENT_FAMILIES:
        assert_as_measured(recommended(run), session, changed(session, "agent_name", run.family.subject))
        return
    streams, finding = kept_streams(session.environments[0]), recommended(run, value=5)  # in effect nowhere
    assert streams is not None
    for script in (oracle_apply_script([finding], session), oracle_rollback_script([finding], session)):
        named = {process.name for process in streams.processes if f"'{process.name}'" in script}
        assert named == changed(session, "process") != set()


def test_trace_flags_are_for_the_replicas_of_the_group_the_run_changed() -> None:
    """Each replica may become primary; those of another group at the same instances are another's."""
    run = ended("commit_mode", "ag-2016")
    session = run.session()
    topology = kept_groups(session.environments[0])
    assert topology is not None
    groups = changed(session, "group") - {""}
    replicas = {r.server for group in topology.groups if group.name in groups for r in group.replicas}
    script = apply_script([recommended(run, COMPRESSION, "on")], session)
    servers = {server.name for server in topology.servers}
    assert {server for server in servers if f"N'{server}'" in script} == replicas


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_a_run_of_what_the_plan_names_is_told_apart_from_another_of_the_session(family_id: str) -> None:
    """Two runs of one session at one Distributor measured different agents: each finding is about its own."""
    family = AGENT_FAMILIES[family_id]
    plan = small_plan(family)
    other = run_on_lab(
        family, replace(plan, load=plan.load.but(publication="StockLevels")), scenario="several-publications"
    )
    first = ended(family_id, "several-publications")
    session, own = other.session(), changed(first.session(), "agent_name", family.subject)
    assert own.isdisjoint(changed(session, "agent_name", family.subject))
    [record], [before] = session.runs, first.session().runs
    later = record.started_utc.replace(hour=12)
    both = replace(
        session,
        runs=(before, replace(record, run_id="E2", started_utc=later, finished_utc=later, trials=())),
        changes=(*first.session().changes, *(replace(entry, recorded_utc=later) for entry in session.changes)),
    )
    assert_as_measured(recommended(first), both, own)


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_where_no_change_is_kept_it_is_what_the_plan_is_for(family_id: str) -> None:
    """A file of the first releases names nothing in its plan, one of a run that was killed has no changes yet."""
    run = ended(family_id, "on-site")
    session = run.session()
    agents = changed(session, "agent_name", run.family.subject)
    assert_as_measured(recommended(run), replace(session, changes=()), agents)
    unnamed = run.plan.load.but(publisher=None, database=None, publication=None, subscriber=None)
    older = replace(session.runs[0], plan=replace(run.plan, load=unnamed))
    assert_as_measured(recommended(run), replace(session, changes=(), runs=(older,)), agents)


@pytest.mark.parametrize(("family_id", "scenario"), CASES)
def test_scripts_do_on_their_own_scenario_what_they_say(family_id: str, scenario: str) -> None:
    """As handed over they change nothing; edited, they set the value where it was measured, and undo leaves nothing."""
    run = ended(family_id, scenario)
    session = run.session()
    if family_id in AGENT_FAMILIES:
        agents = make_agent_bench(scenario)
        before = state(agents)
        pairs = zip(*(make([recommended(run)], session) for make in (apply_scripts, rollback_scripts)), strict=True)
        for applying, back in pairs:
            checked = run_script(agents, applying, applies=False)
            assert (checked.ran, checked.code, state(agents)) == ([], 0, before), checked.error
            applied = run_script(agents, applying)
            assert (applied.code, applied.printed[-1][:5]) == (0, "Done."), applied.error
            assert state(agents) != before
            assert (run_script(agents, back).code, state(agents)) == (0, before)
        return
    streams = make_streams_bench(scenario)
    untouched, finding = streams.snapshot(), recommended(run, value=5)
    pairs = zip(*(make([finding], session) for make in (oracle_apply_scripts, oracle_rollback_scripts)), strict=True)
    for applying, back in pairs:
        checked_only = run_block(streams, applying, applies=False)
        assert (checked_only.ran, checked_only.code, streams.snapshot()) == ([], 0, untouched), checked_only.error
        assert run_block(streams, applying).code == 0
        assert streams.snapshot() != untouched
        assert (run_block(streams, back).code, streams.snapshot()) == (0, untouched)
