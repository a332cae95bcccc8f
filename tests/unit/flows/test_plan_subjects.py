"""The plan form of availability groups and Oracle Streams: choices, fields of the load, limits, outlook, files."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.plan import Plan
from app.flows.plan.dry_run_view import trials_table
from app.flows.plan.plan_fields import FieldKind, Section, section_title
from app.flows.plan.plan_form import PlanForm, plan_form
from app.flows.plan.plan_presets import presets
from app.flows.plan.plan_summary import summarise
from app.services.look.reading import read_dry_run
from app.services.plan.plan_file import load_plan, save_plan
from app.systems.transactional_replication.load import workload_of
from tests.patience import PATIENCE_S
from tests.unit.flows.sites import family, program
from tests.unit.flows.subjects import GROUPS, SEEDING, STREAMS, form_of, group_site, site_of, streams_site

_CASES = (("commit_mode", GROUPS), ("seeding", SEEDING), ("streams_apply", STREAMS))


def _plan(form: PlanForm) -> Plan:
    plan = form.to_plan()
    assert plan is not None, form.errors
    return plan


def _filled(family_id: str, target: str) -> PlanForm:
    form = form_of(family_id, target)
    return form.enter("workload.backup_folder", "//files/seed") if family_id == "seeding" else form


@pytest.mark.parametrize(("family_id", "target"), _CASES)
def test_an_untouched_form_keeps_levels_design_and_limits_of_the_family(family_id: str, target: str) -> None:
    """Only names that several groups leave open, and the folder a seeding cannot do without, differ."""
    plan, default = _plan(_filled(family_id, target)), family(family_id).default_plan()
    assert (plan.factors, plan.design, plan.limits, workload_of(plan.load)) == (
        default.factors,
        default.design,
        default.limits,
        workload_of(default.load),
    )
    changed = {name for name in plan.load if plan.load[name] != default.load[name]}
    assert changed <= {"group", "sync_database", "backup_folder"}


@pytest.mark.parametrize(("family_id", "target"), _CASES)
def test_every_field_has_a_label_and_a_help(family_id: str, target: str) -> None:
    """The form of each family is complete, and no two fields share an id."""
    form = form_of(family_id, target)
    assert all(field.label and field.help and field.spoken for field in form.fields)
    assert len({field.field_id for field in form.fields}) == len(form.fields)
    assert all(form.in_section(section) for section in Section)


def test_the_load_is_headed_in_the_words_of_its_subject() -> None:
    """Inserts, a database, rows at the source: not a workload at a Publisher."""
    families = program().families.values()
    titles = {(section_title(Section.WORKLOAD, each.load_title), each.system.system_id) for each in families}
    assert len({title for title, _system in titles}) == len(titles)  # none is that of two systems
    assert "Publisher" not in section_title(Section.WORKLOAD, family("streams_apply").load_title)


def test_words_are_ticked_to_be_compared() -> None:
    """A parameter of words offers all of them; what is ticked becomes its levels, the baseline is one of them."""
    form = form_of("commit_mode", GROUPS)
    field = form.field("levels.availability_mode")
    assert field.kind is FieldKind.TICKS
    assert [option.label for option in field.options] == ["standalone", "asynchronous", "synchronous"]
    assert field.text == "async,sync"
    with_alone = form.enter("levels.availability_mode", "standalone,sync").enter(
        "workload.standalone_database", "LoadAlone"
    )
    with_alone = with_alone.enter("baseline.availability_mode", "standalone")
    plan = _plan(with_alone)
    assert plan.factors[0].levels == ("standalone", "sync")
    assert plan.baseline["availability_mode"] == "standalone"


def test_one_ticked_word_is_no_comparison() -> None:
    """The error stands beside the boxes, and there is no plan."""
    form = form_of("commit_mode", GROUPS).enter("levels.availability_mode", "sync")
    assert form.field("levels.availability_mode").error == "Tick at least two to compare."
    assert form.to_plan() is None


def test_a_baseline_that_is_no_word_of_the_parameter_is_refused() -> None:
    """A choice takes its options only."""
    with pytest.raises(ValueError, match="standalone, async, sync"):
        form_of("commit_mode", GROUPS).enter("baseline.availability_mode", "both")


@pytest.mark.parametrize(
    ("field_id", "text", "said"),
    [
        ("workload.inserts", "1, 1, 100", "1 is given twice."),
        ("workload.inserts", "", "Give at least one whole number."),
        ("workload.inserts", "many", '"many" is not a whole number.'),
        ("workload.inserts", "0", "Must be 1 to 10,000,000"),
        ("workload.loops", "0", "Must be 1 to 1,000"),
        ("workload.budget_s", "soon", '"soon" is not a number.'),
        ("workload.sync_database", "LoadAsync2", "LoadAsync2 is in no availability group"),
    ],
)
def test_what_cannot_be_used_is_said(field_id: str, text: str, said: str) -> None:
    """Beside the field as one types, or below the form where only the target shows it."""
    form = form_of("commit_mode", GROUPS).enter(field_id, text)
    shown = " ".join((form.field(field_id).error, *summarise(form, None).cautions))
    assert said in shown


def test_what_the_form_holds_is_the_load_of_the_plan() -> None:
    """Whole numbers, numbers, words and lists, each as its family keeps it."""
    form = form_of("commit_mode", GROUPS).enter("workload.inserts", "10 1000").enter("workload.budget_s", "2.5")
    plan = _plan(form.enter("workload.loops", "3").enter("workload.secondary", " SQLNODE2 "))
    assert plan.load.wholes("inserts") == (10, 1_000)
    assert plan.load.number("budget_s") == 2.5
    assert plan.load.whole("loops") == 3
    assert plan.load.text("secondary") == "SQLNODE2"


def test_of_several_groups_an_asynchronous_and_a_synchronous_one_stand_side_by_side() -> None:
    """Nobody has to know names to begin, and no mode has to be switched."""
    load = _plan(form_of("commit_mode", GROUPS)).load
    assert (load["group"], load["sync_database"]) == ("AG_ASYNC", "LoadSync")
    offered = {field.field_id: [o.label for o in field.options] for field in form_of("commit_mode", GROUPS).fields}
    assert offered["workload.group"] == ["AG_ASYNC", "AG_SYNC"]
    assert offered["workload.standalone_database"] == ["LoadAlone"]


def test_with_a_single_group_names_stay_open() -> None:
    """The only group is found when the run is prepared."""
    assert _plan(_filled("seeding", SEEDING)).load["group"] == ""


def test_groups_this_server_cannot_test_are_not_proposed() -> None:
    """A Basic group is left out; where none is left, nothing is proposed."""
    site = group_site()
    basic = tuple(replace(group, is_basic=True) for group in site.topology.groups)
    form = plan_form(family("commit_mode"), replace(site, topology=replace(site.topology, groups=basic)))
    assert form.field("workload.group").text == ""


def test_backup_without_a_folder_is_told_beside_its_field() -> None:
    """What the target lacks names the field to fill in; without backups the folder may stay empty."""
    form = form_of("seeding", SEEDING)
    assert "folder that both servers reach" in form.field("workload.backup_folder").error
    assert "“Folder for backups”" in form.field("workload.backup_folder").error
    assert "[workload]" not in form.field("workload.backup_folder").error
    assert form.field("workload.backup_folder").when_empty == ""
    assert form.to_plan() is None
    direct = form.enter("levels.seeding_method", "direct,direct_compressed").enter("baseline.seeding_method", "direct")
    assert direct.field("workload.backup_folder").error == ""
    assert direct.field("workload.backup_folder").when_empty == "may stay empty"


def test_hidden_parameters_ask_for_an_extra_confirmation() -> None:
    """The question appears with the first hidden parameter, names the risk, and must be answered with yes."""
    form = form_of("streams_apply", STREAMS)
    assert not form.field("workload.confirm_hidden").is_shown
    asked = form.enter("vary._DYNAMIC_STMTS", "on")
    field = asked.field("workload.confirm_hidden")
    assert (field.is_shown, field.section) == (True, Section.FACTORS)
    assert "no manual says what it does" in field.error
    assert "Say yes to “Hidden parameters may be set”" in field.error
    assert asked.to_plan() is None
    plan = _plan(asked.enter("workload.confirm_hidden", "yes"))
    assert plan.load["confirm_hidden"] == "yes"


_GERMAN = """
import json
from tests.unit.flows.subjects import SEEDING, STREAMS, form_of
forms = (form_of("seeding", SEEDING), form_of("streams_apply", STREAMS).enter("vary._DYNAMIC_STMTS", "on"))
print(json.dumps([[field.field_id for field in form.errors] for form in forms]))
"""


def test_german_refuses_the_same_plans() -> None:
    """What must be filled in is found by its key, whatever the language of the sentence around it."""
    done = subprocess.run(
        [sys.executable, "-c", _GERMAN],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "REPLITUNE_LANGUAGE": "de"},
        cwd=Path(__file__).resolve().parents[3],
        timeout=PATIENCE_S,
    )
    assert json.loads(done.stdout) == [["workload.backup_folder"], ["workload.confirm_hidden"]]


def test_hidden_parameters_ask_also_before_anything_was_read() -> None:
    """Without a target the vendor's general warning stands in."""
    asked = plan_form(family("streams_apply"), None).enter("vary._DYNAMIC_STMTS", "on")
    assert "_DYNAMIC_STMTS" in asked.field("workload.confirm_hidden").error


def test_sizes_of_the_pool_are_told_in_the_numbers_of_plans() -> None:
    """4G in the initialization parameters is 4,294,967,296 bytes in a plan, so that the baseline changes nothing."""
    form = form_of("streams_apply", STREAMS)
    assert form.field("baseline.streams_pool_size").text == "4,294,967,296"
    assert form.field("baseline.TXN_LCR_SPILL_THRESHOLD").hint == "in effect: 100,000 (set explicitly)"
    assert form.field("baseline.TXN_LCR_SPILL_THRESHOLD").text == "100,000"


def test_with_several_paths_the_form_still_opens() -> None:
    """Which path is meant is asked for beside its field."""
    site = streams_site()
    paths = (*site.topology.paths, replace(site.topology.paths[0], name="second", apply="OTHER"))
    form = plan_form(family("streams_apply"), replace(site, topology=replace(site.topology, paths=paths)))
    assert form.field("workload.path").error.startswith("There are several Streams paths")


@pytest.mark.parametrize(
    ("family_id", "target", "limits"),
    [
        (
            "commit_mode",
            GROUPS,
            {"commit_delay_ms", "send_queue_mb", "redo_queue_mb", "log_used_share", "free_disk_gb", "trial_duration_s"},
        ),
        ("seeding", SEEDING, {"redo_queue_mb", "log_used_share", "free_disk_gb", "trial_duration_s"}),
        (
            "streams_apply",
            STREAMS,
            {"latency_s", "streams_pool_share", "data_age_s", "restored_by", "trial_duration_s"},
        ),
    ],
)
def test_limits_fit_the_subject(family_id: str, target: str, limits: set[str]) -> None:
    """Only what a run of the subject watches can be limited."""
    fields = form_of(family_id, target).in_section(Section.LIMITS)
    assert {field.field_id.removeprefix("limits.") for field in fields} == {
        *limits,
        "trial_times_baseline",
        "run_duration_s",
    }


def test_limits_typed_stand_in_the_plan() -> None:
    """Each in the unit of the plan; the others stay as the family has them."""
    form = form_of("commit_mode", GROUPS).enter("limits.commit_delay_ms", "50").enter("limits.send_queue_mb", "200")
    limits = _plan(form).limits
    assert (limits["commit_delay_ms"], limits["send_queue_mb"], limits["log_used_share"]) == (50.0, 200.0, 0.9)
    pool = _plan(form_of("streams_apply", STREAMS).enter("limits.streams_pool_share", "80")).limits
    assert pool["streams_pool_share"] == pytest.approx(0.8)


@pytest.mark.parametrize(("family_id", "target"), _CASES[:2])
def test_where_everything_is_compared_nothing_is_explored_or_confirmed(family_id: str, target: str) -> None:
    """No field, sentence or table of such a family speaks of it."""
    form = _filled(family_id, target)
    summary = summarise(form, None)
    words = " ".join([summary.estimate, summary.power, *(f"{f.label} {f.help}" for f in form.fields)])
    words += " ".join(preset.help for preset in presets(form.family, target, form.site))
    assert "onfirm" not in words
    assert "xplor" not in words
    assert "each planned comparison shows a difference" in summary.power
    dry = read_dry_run(_plan(form), form.family, target, program().parts.open_target)
    assert [column.key for column in trials_table(dry).columns] == ["order", "block", "setting"]
    assert len(trials_table(dry).rows) == len(dry.trials)


def test_a_single_block_cannot_tell_a_difference_from_noise() -> None:
    """Said instead of a power that would not hold."""
    form = form_of("commit_mode", GROUPS).enter("design.blocks", "1")
    assert "One block alone" in summarise(form, None).power


@pytest.mark.parametrize(("family_id", "target"), _CASES)
def test_the_quick_look_is_smaller_and_fits(family_id: str, target: str) -> None:
    """On the lab a person can see the whole journey in moments."""
    recommended, quick = presets(family(family_id), target, site_of(family_id, target))
    assert family(family_id).estimate_trial_s(quick.plan) < family(family_id).estimate_trial_s(recommended.plan)
    form = plan_form(family(family_id), site_of(family_id, target), quick.plan)
    assert {field.field_id for field in form.errors} <= {"workload.backup_folder"}


@pytest.mark.parametrize(("family_id", "target"), _CASES)
def test_a_plan_file_brings_the_same_form_back(family_id: str, target: str, tmp_path: Path) -> None:
    """Saved and loaded, every field stands as it was."""
    plan = _plan(_filled(family_id, target))
    save_plan(tmp_path / "plan.toml", plan, family(family_id))
    loaded = load_plan(tmp_path / "plan.toml", dict(program().families))
    assert loaded == plan
    assert _plan(plan_form(family(family_id), site_of(family_id, target), loaded)) == plan


def test_what_forbids_the_run_is_said_while_one_types() -> None:
    """An error queue that is not empty stands below the form, not only at Preflight."""
    site = streams_site()
    broken = replace(site, topology=replace(site.topology, apply_errors=3))
    form = plan_form(family("streams_apply"), broken)
    assert any("error queue" in text for text in summarise(form, None).cautions)
