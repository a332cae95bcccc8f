"""What a client keeps on purpose: in effect, told, undone when it is asked for, and by nothing else."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from app.bootstrap import build_program, load_families
from app.domain.change import EntryState, Keep
from app.domain.errors import BadInput, NotRestored
from app.domain.events import RunEvent, StepStarted
from app.domain.setting import Setting
from app.flows.run.restore_view import read_journal, restore_offer
from app.flows.run.run_state import RunState
from app.flows.run.run_view import picture
from app.flows.shell import shell_view
from app.flows.shell.wizard import Choices
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.run.run_job import JobEnded
from app.services.workplace import open_workplace
from app.store import open_for_reading
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.step_changes import JOB_STEP_TOKEN
from tests.e2e.program import call
from tests.prove.kept_on_purpose import STREAMS, SUBJECTS, ConfirmedRun, let_a_backlog_gather, run_to_confirm, values_in
from tests.prove.killing import ServerState, lab_server, read_state
from tests.writers import incident


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ConfirmedRun, ServerState]]:
    """A run that confirmed eight streams, on a server that is as it was found."""
    folder = tmp_path_factory.mktemp("kept")
    with lab_server(incident(folder, outage_h=0.5)) as target:
        found = read_state(target)
        yield run_to_confirm(folder, target), found


def set_streams(target: str, streams: int) -> None:
    """Set the agent's streams as its DBA would."""
    opened = build_program().parts.open_target(target, 1, lambda _record: None)
    ports = agent_ports(opened)
    (agent,) = (each for each in ports.agents.discover().agents if each.name == STREAMS[0])
    for change in ports.agent_changes.plan_setting(agent, Setting.of(SubscriptionStreams=streams), "the DBA"):
        if change.kind == JOB_STEP_TOKEN:
            opened.changes.apply(change)
    opened.close()


def test_what_is_kept_stays_until_it_is_undone_by_its_name(confirmed: tuple[ConfirmedRun, ServerState]) -> None:
    """No start, no restore and no other run touches it; each says so."""
    run, found = confirmed
    assert read_state(run.target) == found, "the run itself keeps nothing"
    assert STREAMS not in values_in(found)
    ended = run.keep(Keep.FOR_GOOD)
    assert (ended.is_kept, ended.not_restored) == (True, ())
    kept = read_state(run.target)
    assert values_in(kept) >= {STREAMS}
    assert kept.running == found.running
    assert (run.state.entries, len(run.state.kept) > 0) == ((), True)

    restored = run.restore()
    assert (restored.restored, restored.problems) == ((), ())
    (told,) = restored.cautions
    assert f"replitune undo {run.found.session_id}" in told
    assert "8" in told
    opener = build_program().parts.open_target
    with (
        GuidedSession(open_workplace(run.journal.parent / "another"), run.journal, opener) as session,
        pytest.raises(NotRestored, match="keeps on purpose"),
    ):
        session.open_target(run.target, 1)
    assert read_state(run.target) == kept
    with open_for_reading(run.place.session_file) as reader:
        changes = reader.read_session().changes
    assert [entry for entry in changes if entry.is_kept], "the client's file says it"

    undone = run.undo()
    assert undone.problems == ()
    assert read_state(run.target) == found
    assert run.state.kept == ()
    with open_for_reading(run.place.session_file) as reader:
        assert all(entry.state is EntryState.RESTORED for entry in reader.read_session().changes)
    with pytest.raises(BadInput, match="keeps nothing"):
        run.undo()


def test_killed_while_keeping_it_is_kept_as_a_whole_or_not_at_all(
    confirmed: tuple[ConfirmedRun, ServerState],
) -> None:
    """And killed later it stays: before and after the journal says so, and while the rest is delivered."""
    run, found = confirmed
    whole = run.keep_and_kill(0, Keep.FOR_GOOD).moments
    assert whole is not None
    run.check_and_undo(found, "not killed")
    marked = whole.index("mark_kept") + 1
    for at in (*(whole.index(name) + 1 for name in ("set_job_step_token", "start_job")), marked):
        assert run.keep_and_kill(at, Keep.FOR_GOOD).moments is None
        assert bool(run.state.kept) == (at == marked)
        run.check_and_undo(found, f"killed at {at}, {whole[at - 1]}")
    assert run.keep_and_kill(marked + 4, Keep.UNTIL_CAUGHT_UP).moments is None
    run.check_and_undo(found, "killed while the rest was delivered")


def test_killed_while_undoing_the_rest_is_undone(confirmed: tuple[ConfirmedRun, ServerState]) -> None:
    """By any restore, once the undoing began: somebody has said that it is no longer kept."""
    run, found = confirmed
    for at, is_kept in ((3, True), (19, False), (34, False)):
        run.keep(Keep.FOR_GOOD)
        assert run.undo_and_kill(at).moments is None
        assert bool(run.state.kept) == is_kept
        run.check_and_undo(found, f"killed while undoing, at {at}")


def test_the_report_says_what_is_kept_and_no_more(confirmed: tuple[ConfirmedRun, ServerState], tmp_path: Path) -> None:
    """Neither that everything is as it was, nor that something could not be undone; so say the others."""
    run, found = confirmed
    out = tmp_path / "report.md"
    session_file = run.place.session_file
    run.keep(Keep.FOR_GOOD)
    assert call("report", session_file, "--out", out).code == 0
    told = out.read_text(encoding="utf-8")
    assert f"replitune undo {run.found.session_id}" in told
    assert "Kept on purpose" in told
    assert "Not everything was undone" not in told
    assert "Your servers are as they were" not in told
    assert "keeps on purpose" in call("doctor", "--journal", run.journal).out
    assert "`replitune undo`" in call("discover", "--target", run.target).out, "restore alone leads nowhere"
    reading = read_journal(run.journal)
    assert restore_offer(reading.entries) is None
    state = shell_view.ServerState.of_journal(reading.entries, reading.problems, reading.kept)
    assert not state.is_changed
    assert "keeps on purpose" in state.sentence
    undone = call("undo", run.found.session_id, "--journal", run.journal)
    assert (undone.code, read_state(run.target)) == (0, found)


@pytest.mark.parametrize("how", ["until-caught-up", "keep"])
def test_nothing_is_kept_without_an_agreement(how: str, tmp_path: Path) -> None:
    """Where nobody can be asked, and nobody agreed beforehand, not even the run begins."""
    ended = call("run", tmp_path / "plan.toml", "--target", "lab:incident", "--keep", how, "--out", tmp_path / "out")
    assert ended.code == 2
    assert "--agree-to-keep" in ended.err
    assert not (tmp_path / "out").exists()


def test_kept_until_the_backlog_is_gone_it_is_undone_then(
    confirmed: tuple[ConfirmedRun, ServerState], tmp_path: Path
) -> None:
    """It is kept while the rest is delivered, which the journal says, and undone at the end."""
    run, found = confirmed
    seen: list[tuple[bool, bool]] = []
    page = RunState(load_families())
    page.begin_keep(run.found.setting, 0.0)

    def watch(event: RunEvent) -> None:
        taken_by(page, event)
        if isinstance(event, StepStarted) and "nothing waits" in event.text:
            seen.append((STREAMS in values_in(read_state(run.target)), bool(run.state.kept and not run.state.entries)))

    ended = run.keep(Keep.UNTIL_CAUGHT_UP, watch)
    assert seen == [(True, True)]
    assert (ended.is_kept, ended.not_restored) == (False, ())
    assert "was kept until the backlog was processed; forecast " in ended.reason
    page.end_keep(ended.reason, ended.not_restored, datetime.now(UTC), 0.0)
    (told,) = came_in(ended.reason)
    assert came_in(picture(page, Choices()).detail) == [told]
    assert came_in(report_of(run.place.session_file, tmp_path)) == [told]
    assert read_state(run.target) == found
    assert (run.state.entries, run.state.kept) == ((), ())

    let_a_backlog_gather(run.target, 0.3, 0.0)
    again = ("run", "--keep", "until-caught-up", "--agree-to-keep", "--journal", run.journal, "--out", run.place.folder)
    said = call(*again)
    assert said.code == 0
    assert len(came_in(said.err)) == 1


def test_a_backlog_that_ends_within_the_windows_is_held_against_its_forecast(tmp_path: Path) -> None:
    """In the words of the run's end on its page, on the terminal and in the report; other settings are told of."""
    path = tmp_path / "plan.toml"
    path.write_text(SUBJECTS["distribution_agent"].plan, encoding="utf-8")
    scenario = incident(tmp_path, outage_h=0.3)
    target, out = f"lab:{scenario}", tmp_path / "out"
    said = call("run", path, "--target", target, "--out", out)
    (told,) = came_in(said.err)
    assert "later than forecast; it was for SubscriptionStreams 8 alone, and 2 of 3 windows since had" in said.err
    assert came_in(report_of(out / "session.replitune", tmp_path)) == [told]

    page, families, opener = RunState(load_families()), load_families(), build_program().parts.open_target
    with GuidedSession(open_workplace(tmp_path / "page"), tmp_path / "undo", opener) as session:
        opened = session.open_target(target, 1)
        prepared = prepare_run(load_plan(path, dict(families)), families["distribution_agent"], opened, str(path))
        watch = partial(taken_by, page)
        outcome = session.run(prepared, opened, RunControl(), [watch])
    page.end(JobEnded(session.session_id, outcome, ""), 0.0)
    assert came_in(picture(page, Choices()).detail) == [told], "the same run, watched by the page"
    assert came_in("\n".join(line.text for line in page.log.since(0))) == [told]


def taken_by(page: RunState, event: RunEvent) -> None:
    """Let a page's state take an event."""
    page.take([event], datetime.now(UTC), 0.0)


def came_in(text: str) -> list[str]:
    """Return where a text holds a forecast against what came, which begins a line or a sentence."""
    told = re.compile(r"[Ff](orecast [^\n]+? to [^\n]+?, came [^\n:]+: \w+ (?:the range|than forecast))")
    return told.findall(text.replace("\xa0", " "))


def report_of(session_file: Path, folder: Path) -> str:
    """Return the report of a session as text."""
    out = folder / "report.md"
    assert call("report", session_file, "--out", out).code == 0
    return out.read_text(encoding="utf-8")


def test_a_value_that_somebody_changed_since_stays(confirmed: tuple[ConfirmedRun, ServerState]) -> None:
    """Undoing tells it, leaves it, undoes the rest, and no longer lists it."""
    run, found = confirmed
    run.keep(Keep.FOR_GOOD)
    set_streams(run.target, 4)
    told: list[str] = []
    undone = run.undo(told)
    assert undone.problems == ()
    assert [why for why in told if "somebody else" in why and "8" not in why]
    now = read_state(run.target)
    assert values_in(now) >= {(*STREAMS[:2], "4")}
    assert (now.profiles, now.running) == (found.profiles, found.running)
    assert (run.state.entries, run.state.kept) == ((), ())
