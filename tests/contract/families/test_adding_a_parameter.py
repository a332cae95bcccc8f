"""A parameter is one line in its system's list: form, check, dry run, script and lab know it from there."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from app.domain.errors import BadInput
from app.domain.plan import Factor, Plan
from app.domain.setting import Parameter, Setting, Value
from app.flows.plan.plan_form import plan_form
from app.services.plan.checking import check_run
from app.services.plan.dry_run import make_dry_run
from app.systems.oracle_streams.lab.parameter_values import SIMULATED as STREAMS_SIMULATED
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server import documented as streams_list
from app.systems.oracle_streams.server.documented import ValueKind, varied_parameters
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.agent import SIMULATED as AGENTS_SIMULATED
from app.systems.transactional_replication.server import documented as agents_list
from app.systems.transactional_replication.server.documented import varied_by
from tests.contract.families.lab_runs import FAMILIES, open_lab_of, small_plan
from tests.report.sample import full_advice, full_session
from tests.report.scripts import apply_script, oracle_apply_script, rollback_script
from tests.unit.reporting.test_streams import finding


@dataclass(frozen=True)
class New:
    """A parameter that its vendor documents and no family varies yet: its line, and what is expected of it."""

    family_id: str
    module: Any
    line: Any
    varied: Callable[[], tuple[Parameter, ...]]
    levels: tuple[Value, Value]
    unfit: Value
    simulated: Any


AGENT = New(
    "distribution_agent",
    agents_list,
    # replication-distribution-agent.md: -MultiSubnetFailover [0|1], 0 by default
    agents_list.DocumentedParameter(
        AgentKind.DISTRIBUTION,
        "MultiSubnetFailover",
        "",
        "0",
        0,
        1,
        varied=(agents_list.Varied("distribution_agent", 9, (0, 1), "Tries every address of a listener at once."),),
    ),
    lambda: varied_by("distribution_agent"),
    (0, 1),
    2,
    AGENTS_SIMULATED,
)
APPLY = New(
    "streams_apply",
    streams_list,
    # DBMS_APPLY_ADM.SET_PARAMETER: write_alert_log, Y by default
    streams_list.DocumentedParameter(
        "WRITE_ALERT_LOG",
        StreamsComponent.APPLY,
        ValueKind.FLAG,
        "",
        defaults=(((10, 2), "Y"),),
        varied=streams_list.Varied(99, "", "Y", ("Y", "N"), "Whether the apply writes why it ends.", "SET_PARAMETER"),
    ),
    varied_parameters,
    ("N", "Y"),
    "maybe",
    STREAMS_SIMULATED,
)
every_new = pytest.mark.parametrize("new", [AGENT, APPLY], ids=lambda new: new.line.name)


@pytest.fixture(name="added")
def _added(new: New, monkeypatch: pytest.MonkeyPatch) -> New:
    """Return a parameter that is added as its line alone, before the program starts."""
    monkeypatch.setattr(new.module, "PARAMETERS", (*new.module.PARAMETERS, new.line))
    monkeypatch.setattr(type(FAMILIES[new.family_id]), "parameters", new.varied())
    return new


def _plan(new: New, levels: tuple[Value, ...]) -> Plan:
    plan, name = small_plan(FAMILIES[new.family_id]), new.line.name
    return replace(plan, factors=(Factor(name, levels),), baseline=Setting.from_mapping({name: levels[0]}))


@every_new
def test_the_form_offers_it(added: New) -> None:
    """With its help and its levels, behind the others."""
    family, name = FAMILIES[added.family_id], added.line.name
    assert family.parameters[-1].name == name
    form = plan_form(family, None, _plan(added, added.levels))
    assert any(name in field.field_id for field in form.fields)
    made = form.to_plan()
    assert made is not None
    assert [factor.name for factor in made.factors] == [name]


@every_new
def test_a_lab_that_does_not_simulate_it_refuses(added: New) -> None:
    """Nobody had to tell the lab."""
    family = FAMILIES[added.family_id]
    target = open_lab_of(family.subject, lambda _record: None)
    with pytest.raises(BadInput, match=f"the lab does not simulate {added.line.name};"):
        check_run(_plan(added, added.levels), family, target, "plan.toml")


@every_new
def test_the_dry_run_sets_and_puts_it_back(added: New, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a target that has it: as a change with both scripts, made from its declaration."""
    family, name = FAMILIES[added.family_id], added.line.name
    monkeypatch.setitem(added.simulated, family.subject, added.simulated[family.subject] | {name})
    target = open_lab_of(family.subject, lambda _record: None)
    dry = make_dry_run(check_run(_plan(added, added.levels), family, target, "plan.toml"), target)
    [change, *_others] = [change for change in dry.changes if name in change.subject]
    assert name in change.apply_sql
    assert name in change.undo_sql


@every_new
def test_a_value_it_does_not_take_is_refused(added: New, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a run, in one sentence that names it."""
    family, name = FAMILIES[added.family_id], added.line.name
    monkeypatch.setitem(added.simulated, family.subject, added.simulated[family.subject] | {name})
    target = open_lab_of(family.subject, lambda _record: None)
    with pytest.raises(BadInput, match=name):
        check_run(_plan(added, (added.levels[0], added.unfit)), family, target, "plan.toml")


@pytest.mark.parametrize("new", [AGENT], ids=["MultiSubnetFailover"])
def test_a_recommendation_of_an_agent_parameter_becomes_a_script(added: New) -> None:
    """Set in the agent's own profile, and dropped with it."""
    wanted = replace(full_advice().findings[1], parameter=added.line.name, from_value=0, to_value=1)
    script = apply_script([wanted], full_session())
    assert f"DECLARE @parameter_name sysname = N'-{added.line.name}';" in script
    assert "sp_drop_agent_profile" in rollback_script([wanted], full_session())


@pytest.mark.parametrize("new", [APPLY], ids=["WRITE_ALERT_LOG"])
def test_a_recommendation_of_an_apply_parameter_becomes_a_script(added: New) -> None:
    """A block for SQL*Plus, of a pipeline that is not known a template."""
    script = oracle_apply_script(
        [finding(added.line.name, "Y", "N")], replace(full_session(), environments=(), runs=())
    )
    assert f"parameter => '{added.line.name}'" in script
