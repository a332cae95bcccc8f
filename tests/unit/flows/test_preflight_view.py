"""Preflight in words: checks, changes, servers, undo, folder; and what leaving the step takes."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from app.domain.family import PreflightCheck
from app.domain.plan import Design, Plan, Stop
from app.domain.server import ServerInfo
from app.domain.system import rig_of
from app.flows.plan.dry_run_view import (
    change_sentence,
    changes_table,
    changes_text,
    dry_run_heading,
    statements_text,
    step_lines,
    trials_table,
)
from app.flows.plan.plan_form import plan_form
from app.flows.plan.preflight_view import (
    CheckState,
    changes_heading,
    check_lines,
    checks_heading,
    consent_lines,
    simulation_note,
    undo_places,
)
from app.flows.shell.wizard import (
    Choices,
    Step,
    choose_folder,
    choose_plan,
    consent,
    drop_plan,
    keep_dry_run,
    servers_to_consent,
    why_not_leave,
)
from app.reporting.tables.changes import change_values, value_now
from app.services.look.reading import read_dry_run
from app.services.plan.dry_run import DryRun
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.topology import Topology
from tests.unit.flows.sites import LAB, choices, family, program, site


def _plan(family_id: str = "log_reader") -> Plan:
    plan = plan_form(family(family_id), site(family_id)).to_plan()
    assert plan is not None
    return plan


@cache
def _dry() -> DryRun:
    return read_dry_run(_plan(), family("log_reader"), LAB, program().parts.open_target)


def _checked() -> Choices:
    return keep_dry_run(choices(_plan()), _dry())


_CHECKS = (
    PreflightCheck("fine", True, "never shown"),
    PreflightCheck("odd", False, "look there"),
    PreflightCheck("broken", False, "mend it", blocking=True),
    PreflightCheck("blocking and fine", True, "never shown", blocking=True),
)


def test_checks_that_forbid_the_run_come_first_with_their_remedy() -> None:
    """Forbidding, then to look at, then passed; a remedy stands only where there is something to do."""
    lines = check_lines(replace(_dry(), checks=_CHECKS))
    assert [(line.title, line.state, line.word, line.remedy) for line in lines] == [
        ("broken", CheckState.FORBIDS, "not met", "mend it"),
        ("odd", CheckState.LOOK, "check this", "look there"),
        ("fine", CheckState.PASSED, "passed", ""),
        ("blocking and fine", CheckState.PASSED, "passed", ""),
    ]


def test_checks_are_summed_up() -> None:
    """The heading says at a glance whether it may start."""
    assert checks_heading(replace(_dry(), checks=_CHECKS)) == "Checks: 1 is not met and prevents the run"
    assert checks_heading(replace(_dry(), checks=_CHECKS[:2])) == "Checks: the run may start; 1 to look at"
    assert checks_heading(replace(_dry(), checks=_CHECKS[:1])) == "Checks: all passed"


def test_a_check_that_forbids_the_run_is_read_and_shown() -> None:
    """Reading a plan that may not run tells which check forbids it instead of failing."""
    plan = replace(_plan(), load=_plan().load.but(agent_pairs=3))
    dry = read_dry_run(plan, _Strict(), LAB, program().parts.open_target)
    chosen = keep_dry_run(choices(plan), dry)
    assert check_lines(dry)[0].state is CheckState.FORBIDS
    assert why_not_leave(Step.PREFLIGHT, chosen) == "Check not met: may never run. choose another"


class _Strict(type(family("log_reader"))):  # type: ignore[misc]  # the class of a family is known at run time only
    """A family whose plans are never allowed to run."""

    def preflight(self, plan: Plan, site: object) -> tuple[PreflightCheck, ...]:
        """Return one check that forbids the run."""
        return (PreflightCheck("may never run", False, "choose another", blocking=True),)


def test_every_change_is_listed_with_both_scripts() -> None:
    """Each change stands in the table, in a sentence with its consequence, and in the text with apply and undo."""
    dry = _dry()
    table, text = changes_table(dry), changes_text(dry)
    assert [row.key for row in table.rows] == [str(place) for place in range(len(dry.changes))]
    for change, row in zip(dry.changes, table.rows, strict=True):
        assert row.cells[0].text == change.subject
        assert [cell.text for cell in row.cells[1:3]] == [change_values(change)[0], value_now(change)]
        assert change.needs_consent in change_sentence(change)
        assert change.apply_sql.strip() in text
        assert change.undo_sql.strip() in text
    assert changes_heading(dry) == f"{len(dry.changes)} changes, each undone and checked at the end"
    assert "No parameter" in changes_heading(replace(dry, changes=()))
    assert "–" not in change_sentence(replace(dry.changes[0], needs_consent=""))


def test_trials_steps_and_statements_are_told_in_order() -> None:
    """The dry run lists trials as they would run, steps by number, and statements that change something first."""
    dry = _dry()
    rows = trials_table(dry).rows
    assert [row.cells[0].text for row in rows] == [str(n) for n in range(1, len(dry.trials) + 1)]
    assert {row.cells[2].text for row in rows} == {"exploring", "confirming"}
    assert step_lines(dry)[0].startswith("1. Stop the Log Reader Agents")
    text = statements_text(dry)
    assert all(statement.text.strip() in text for statement in dry.statements)
    assert text.rindex("(changes)") < text.index("(reads)")
    told, _full_stop, further = dry_run_heading(dry, LAB).partition(" If ")
    assert told == "21 trials on lab, about 4 h 20 min. Nothing was changed."
    assert f"up to {dry.further_trials} more follow" in further
    race = replace(dry, plan=replace(dry.plan, design=Design(stop=Stop.RACE)))
    assert dry_run_heading(race, LAB).startswith("At most 21 trials")


def test_only_servers_that_take_part_are_to_be_agreed_to() -> None:
    """One pair of agents: its Publisher, its Subscriber and the Distributor, and what happens on each."""
    chosen = _checked()
    assert servers_to_consent(chosen) == ("Publisher PUB1", "Distributor DIST1", "Subscriber SUB1")
    lines = consent_lines(chosen, family("log_reader"))
    assert [line.is_ticked for line in lines] == [False, False, False]
    assert "37,000,000 commands" in lines[0].consequence
    assert "its rows stay" in lines[0].consequence
    assert "10 changes" in lines[1].consequence
    assert [
        line.is_ticked for line in consent_lines(consent(chosen, frozenset({"Subscriber SUB1"})), family("log_reader"))
    ][2]
    assert consent_lines(drop_plan(chosen), family("log_reader")) == ()


def test_a_steady_load_is_told_as_one() -> None:
    """A continuous trial has no fixed number of commands."""
    dry = _dry()
    steady = replace(dry, plan=replace(dry.plan, load=dry.plan.load.but(scenario=Scenario.CONTINUOUS)))
    line = consent_lines(keep_dry_run(choices(_plan()), steady), family("log_reader"))[0]
    assert line.consequence.startswith("A steady load runs")


def touched(agent_pairs: int, topology: Topology | None = None) -> tuple[ServerInfo, ...]:
    """Return the servers that so many agent pairs touch."""
    found = site("log_reader")
    plan = replace(_plan(), load=_plan().load.but(agent_pairs=agent_pairs))
    touching = found if topology is None else replace(found, topology=topology)
    return rig_of(family("log_reader")).servers(plan, touching)


def test_three_pairs_touch_all_servers() -> None:
    """More pairs, more Subscribers."""
    names = [server.name for server in touched(3)]
    assert names == ["PUB1", "DIST1", "SUB1", "SUB2", "SUB3"]


def test_where_it_is_not_clear_every_server_is_agreed_to() -> None:
    """Too few agents, or an agent that names a server the topology does not list: rather one too many."""
    topology = site("log_reader").topology
    assert touched(9) == topology.servers
    unlisted = replace(topology, servers=tuple(s for s in topology.servers if s.name != "SUB1"))
    assert touched(1, unlisted) == unlisted.servers


def test_leaving_takes_checks_every_tick_and_a_folder(tmp_path: Path) -> None:
    """One thing after the other is missing, and then nothing."""
    chosen = choices(_plan())
    assert "not run yet" in why_not_leave(Step.PREFLIGHT, chosen)
    chosen = keep_dry_run(chosen, _dry())
    assert "Subscriber SUB1" in why_not_leave(Step.PREFLIGHT, chosen)
    chosen = consent(chosen, frozenset(servers_to_consent(chosen)[:2]))
    assert why_not_leave(Step.PREFLIGHT, chosen).endswith("continue: Subscriber SUB1")
    chosen = consent(chosen, frozenset(servers_to_consent(chosen)))
    assert why_not_leave(Step.PREFLIGHT, chosen) == "Choose a folder for the results."
    assert why_not_leave(Step.PREFLIGHT, choose_folder(chosen, tmp_path)) == ""


def test_consent_holds_for_the_same_changes_only() -> None:
    """Reading again keeps ticks where the changes are the same, and drops them where one differs."""
    chosen = consent(_checked(), frozenset({"Publisher PUB1"}))
    assert keep_dry_run(chosen, replace(_dry())).consented == {"Publisher PUB1"}
    assert keep_dry_run(chosen, replace(_dry(), changes=_dry().changes[1:])).consented == frozenset()
    other = replace(_plan(), design=replace(_plan().design, blocks=2))
    assert choose_plan(chosen, other).consented == frozenset()


def test_a_plan_that_cannot_be_run_is_no_plan() -> None:
    """Dropping the plan drops what was checked against it; the target and the question stay."""
    dropped = drop_plan(consent(_checked(), frozenset({"Publisher PUB1"})))
    assert (dropped.plan, dropped.dry_run, dropped.consented) == (None, None, frozenset())
    assert (dropped.target, dropped.family) == (LAB, "log_reader")
    assert "Complete the plan" in why_not_leave(Step.PLAN, dropped)


def test_the_lab_is_called_simulated_and_real_servers_are_not() -> None:
    """The note stands for every kind of lab and for nothing else."""
    assert "simulated" in simulation_note("lab:wan-128k")
    assert "simulated" in simulation_note("lab@127.0.0.1:1433")
    assert simulation_note("sqlserver://db") == ""


def test_the_way_back_names_its_files(tmp_path: Path) -> None:
    """Journal and script are named with their whole paths; without a folder there is no script yet."""
    journal = tmp_path / "undo.journal"
    assert undo_places(journal, tmp_path / "out").splitlines() == [
        f"Undo journal: {journal}",
        f"Script for a DBA: {tmp_path / 'out' / 'rollback.sql'}",
    ]
    assert undo_places(journal, None) == f"Undo journal: {journal}"
