"""The three ways to work: what is possible where, what consent they need, and what a DBA is asked for."""

from dataclasses import replace

import pytest

from app.domain.events import HandConfirmed, HandRequested, TrialStarted
from app.domain.plan import Phase, TrialSpec
from app.domain.rights import Mode
from app.domain.setting import Setting
from app.flows.plan.preflight_modes import ModeLine, can_observe, mode_lines
from app.flows.plan.preflight_view import changes_heading, consent_lines
from app.flows.run.run_log import RunLog
from app.flows.run.run_state import RunState
from app.flows.run.run_view import hand_picture, picture
from app.flows.shell.wizard import (
    Choices,
    Step,
    choose_family,
    choose_folder,
    choose_mode,
    choose_plan,
    consent,
    keep_dry_run,
    servers_to_consent,
    why_not_leave,
)
from app.services.look.reading import read_dry_run
from app.services.plan.dry_run import DryRun
from app.services.run.run_job import JobEnded
from tests.unit.flows.run_events import AT, finished, new_state, started, told
from tests.unit.flows.sites import choices, family, program
from tests.unit.flows.subjects import GROUPS, STREAMS, choices_at, form_of

ASKED = HandRequested("E1", 2, "Start Distribution Agent", "DIST1", "EXEC sp_start_job", is_undo=False)


def _lines(at: Choices, family_id: str) -> dict[Mode, ModeLine]:
    return {line.mode: line for line in mode_lines(at, family(family_id))}


def _on_server(at: Choices) -> Choices:
    return replace(at, target="sqlserver://dba@sql1")


def _dry(family_id: str, target: str) -> tuple[Choices, DryRun]:
    form = form_of(family_id, target)
    plan = form.to_plan()
    assert plan is not None
    at = choose_plan(choose_family(choices_at(target), family_id), plan)
    dry = read_dry_run(plan, family(family_id), target, program().parts.open_target)
    return keep_dry_run(at, dry), dry


def test_on_a_server_with_agents_every_way_is_possible() -> None:
    """Each is told in one sentence; hands-on is where one begins."""
    lines = _lines(_on_server(choices(family("log_reader").default_plan())), "log_reader")
    assert all(line.is_possible and line.sentence.count(".") == 1 for line in lines.values())
    assert [mode for mode, line in lines.items() if line.is_chosen] == [Mode.HANDS_ON]


def test_on_the_lab_inside_the_program_nobody_else_can_run_a_script() -> None:
    """Guided work says so; a lab served to other clients can be worked on by hand."""
    at = choices(family("log_reader").default_plan())
    assert "no DBA can reach it" in _lines(at, "log_reader")[Mode.GUIDED].sentence
    served = replace(at, target="lab@127.0.0.1:1433")
    assert _lines(served, "log_reader")[Mode.GUIDED].is_possible


@pytest.mark.parametrize(("family_id", "target"), [("commit_mode", GROUPS), ("streams_apply", STREAMS)])
def test_groups_and_streams_can_be_observed_as_well(family_id: str, target: str) -> None:
    """Their views tell something without an experiment; before anything was found there is nothing to look at."""
    at = choices_at(target)
    assert _lines(at, family_id)[Mode.OBSERVE].is_possible
    line = _lines(replace(at, discovery=None), family_id)[Mode.OBSERVE]
    assert not line.is_possible
    assert "nothing that could be observed" in line.sentence
    assert not can_observe(replace(at, discovery=None))


def test_steps_that_are_themselves_measured_cannot_be_done_by_hand() -> None:
    """The backups and restores of a seeding are what is measured, so no DBA is asked for them."""
    assert not _lines(_on_server(choices_at(GROUPS)), "seeding")[Mode.GUIDED].is_possible
    assert _lines(_on_server(choices_at(STREAMS)), "streams_apply")[Mode.GUIDED].is_possible
    assert _lines(_on_server(choices_at(GROUPS)), "commit_mode")[Mode.GUIDED].is_possible


def test_another_way_to_work_asks_for_consent_again() -> None:
    """Agreed to scripts for the DBA is not agreed to changes by the program."""
    at = consent(Choices(), frozenset({"Distributor DIST1"}))
    assert choose_mode(at, Mode.HANDS_ON).consented
    assert not choose_mode(at, Mode.GUIDED).consented


def test_observing_leads_to_no_run() -> None:
    """The footer says what to do instead; another experiment begins hands-on."""
    at = choose_mode(choices(family("log_reader").default_plan()), Mode.OBSERVE)
    assert "Observing runs no experiment" in why_not_leave(Step.PREFLIGHT, at)
    assert choose_family(at, "wan_delivery").mode is Mode.HANDS_ON


def test_the_heading_of_the_changes_says_who_makes_them() -> None:
    """In guided work it is the DBA."""
    _at, dry = _dry("commit_mode", GROUPS)
    assert "for your DBA" in changes_heading(dry, Mode.GUIDED)
    assert "DBA" not in changes_heading(dry)


@pytest.mark.parametrize(
    ("family_id", "target", "servers"),
    [
        ("commit_mode", GROUPS, ("Primary SQLNODE1", "Secondary SQLNODE2")),
        ("streams_apply", STREAMS, ("Source SRC.EXAMPLE.COM", "Destination DST.EXAMPLE.COM")),
    ],
)
def test_every_server_of_every_subject_must_be_agreed_to(family_id: str, target: str, servers: tuple[str, ...]) -> None:
    """Each has a tick and a sentence in the words of its role."""
    at, _dry_run = _dry(family_id, target)
    assert servers_to_consent(at) == servers
    lines = consent_lines(at, family(family_id))
    assert len({line.consequence for line in lines}) == len(servers)
    assert "Agree for each server" in why_not_leave(Step.PREFLIGHT, at)
    agreed = choose_folder(consent(at, frozenset(servers)), None)
    assert why_not_leave(Step.PREFLIGHT, agreed) == "Choose a folder for the results."


def test_what_the_dba_is_asked_for_is_shown_until_the_server_shows_it() -> None:
    """Number, title, server and script; the page says that it waits."""
    state = told(started(), ASKED)
    shown = hand_picture(state)
    assert shown is not None
    assert (shown.number, shown.script) == (2, "EXEC sp_start_job")
    assert "Start Distribution Agent" in shown.title
    assert "DIST1" in shown.server
    assert "Waiting until the server shows" in picture(state, Choices()).detail
    state.take([HandConfirmed("E1", 2)], AT, 11.0)
    assert hand_picture(state) is None


@pytest.mark.parametrize("how", ["finished", "job"])
def test_nothing_is_asked_after_the_end(how: str) -> None:
    """However the run ended."""
    state: RunState = told(started(), ASKED)
    if how == "finished":
        state.take([finished()], AT, 11.0)
    else:
        state.end(JobEnded("", None, "it broke off"), 11.0)
    assert hand_picture(state) is None
    assert hand_picture(new_state()) is None


def test_trials_that_are_all_alike_name_no_phase() -> None:
    """Neither in the log nor beside the progress."""
    spec = TrialSpec("E1-T001", 1, 1, Phase.CONFIRM, Setting.of(availability_mode="sync"))
    log = RunLog()
    log.note(TrialStarted("E1", spec, 6), AT)
    log.compares_all = True
    log.note(TrialStarted("E1", spec, 6), AT)
    named, plain = (line.text for line in log.since(0))
    assert "confirming" in named
    assert "confirming" not in plain
    state = told(started(), TrialStarted("E1", spec, 6))
    state.compares_all = True
    assert picture(state, Choices()).trial == "Trial 1 of 6: availability_mode sync"
