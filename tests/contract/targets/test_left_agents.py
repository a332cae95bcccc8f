"""An agent is put back as it was found, unless somebody else stopped or started it since it was left."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from app.domain.change import Change
from app.domain.errors import ConnectionLost, Disturbed
from app.domain.setting import Setting
from app.runner.bench.switchboard import Switchboard
from app.runner.undo import SafeChanger, restore_entries
from app.store import UndoJournalFile
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.agent import DistributionSettings
from app.systems.transactional_replication.lab_server.happenings import AGENT_CRASHED, AGENT_STOPPED
from app.systems.transactional_replication.lab_server.site import LabAgent
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.participants import AgentSwitch
from tests.contract.targets.checking import Bench, make_bench

SETTING: Final = Setting.of(CommitBatchSize=200)


def _lab_agent(bench: Bench) -> LabAgent:
    agent = bench.server.state.site.agent_of_job(bench.own_server().job_id)
    assert agent is not None
    return agent


def _runs(bench: Bench) -> bool:
    return bench.server.state.agent_state(_lab_agent(bench)).running


def _started_with(bench: Bench) -> tuple[int | None, int | None]:
    """Return CommitBatchSize and SubscriptionStreams an agent that runs was started with."""
    settings = bench.server.state.lab.started_with(_lab_agent(bench).pair, is_log_reader=False)
    if settings is None:
        return None, None
    assert isinstance(settings, DistributionSettings)
    return settings.commit_batch_size, settings.subscription_streams


def _stop(bench: Bench) -> None:
    bench.server.state.stop(_lab_agent(bench))
    bench.server.state.note_outcome(_lab_agent(bench), was_stopped=True)
    while _runs(bench):
        bench.server.state.advance(1.0)


def _start(bench: Bench) -> None:
    bench.server.state.advance(1.0)
    bench.server.state.start(_lab_agent(bench))


def _crash(bench: Bench) -> None:
    bench.server.happenings.happen(AGENT_CRASHED, "DIST1")
    bench.server.state.advance(60.0)


def _nothing(_bench: Bench) -> None:
    """Nobody touches it."""


def _leave(bench: Bench, journal: UndoJournalFile, *, was_running: bool, is_left_running: bool) -> None:
    """Change an agent as a run does, and end without putting anything back."""
    if not was_running:
        _stop(bench)
    agent = bench.own_server()
    changer = SafeChanger(bench.target, journal, "S1")
    switch = AgentSwitch(bench.target, Switchboard(changer), (agent,), "S1")
    if was_running:
        switch.stop(AgentKind.DISTRIBUTION)
    for change in agent_ports(bench.target).agent_changes.plan_setting(agent, SETTING, "S1"):
        changer.apply(change)
    switch.start(AgentKind.DISTRIBUTION)
    if not is_left_running:
        switch.stop(AgentKind.DISTRIBUTION)


# was running, is left running, what somebody else does, runs after the restore, is told
CASES: Final = [
    (True, True, _nothing, True, False),
    (True, True, _stop, False, True),
    (True, True, _crash, True, False),
    (True, False, _nothing, True, False),
    (True, False, _start, True, False),
    (False, True, _nothing, False, False),
    (False, True, _stop, False, False),
    (False, False, _nothing, False, False),
    (False, False, _start, True, True),
]


@pytest.mark.parametrize(("was_running", "is_left_running", "deed", "runs", "is_told"), CASES)
def test_a_later_restore_leaves_what_somebody_else_stopped_or_started(
    tmp_path: Path, was_running: bool, is_left_running: bool, deed: Callable[[Bench], None], runs: bool, is_told: bool
) -> None:
    """What the run left is in the journal: where an agent is otherwise, somebody decided so, is told, and is heeded."""
    bench = make_bench()
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        _leave(bench, journal, was_running=was_running, is_left_running=is_left_running)
    deed(bench)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        problems = restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None)
        assert _runs(bench) is runs
        assert bool(problems) is is_told, problems
        switches = {"agent_stopped", "agent_started"}
        # one that somebody else started reads what was set by then, and runs on with it
        runs_on = deed is _start and not was_running
        others = [entry for entry in journal.open_entries() if entry.change.kind not in switches]
        assert bool(others) is runs_on
        if is_told:
            assert any("somebody else" in problem for problem in problems)
            left: list[Change] = []
            again = restore_entries(
                bench.target, journal, journal.open_entries(), lambda _c: None, lambda change, _why: left.append(change)
            )
            assert [change.kind in switches for change in left] == [True]
            assert _runs(bench) is runs
            assert _started_with(bench)[0] == (200 if runs_on else 100 if runs else None)
            assert len(again) == len(others)
            words = ["not in effect until the next start"] * (len(again) - 1) + ["it stays until the rest is undone"]
            assert all(word in problem for word, problem in zip(words, again, strict=False))
        if runs_on:
            _stop(bench)
            _start(bench)
            assert restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None) == ()
        assert journal.open_entries() == ()
    assert _started_with(bench)[0] == (100 if runs else None)
    assert bench.value(bench.own_server(), "CommitBatchSize")[0] == "100"


def test_an_agent_that_a_broken_restore_stopped_is_started_by_the_next(tmp_path: Path) -> None:
    """The restore's own stop, so that originals count, is nobody else's."""
    bench = make_bench()
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        _leave(bench, journal, was_running=True, is_left_running=True)
    changes = bench.target.changes

    def lost(_change: Change) -> None:
        raise ConnectionLost("gone")

    with UndoJournalFile(tmp_path / "undo.journal") as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(changes), "undo", lambda _self, change: lost(change))
        assert restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None)
    assert not _runs(bench)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        assert restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None) == ()
    assert _runs(bench)


@pytest.mark.parametrize("deed", [AGENT_CRASHED, AGENT_STOPPED])
def test_an_agent_that_ran_and_ended_before_it_was_switched_is_not_taken_for_one_that_stood(
    tmp_path: Path, deed: str
) -> None:
    """Started as if it had been found standing, it would be stopped by a restore, also where it runs again by then."""
    bench = make_bench()
    (reader,) = (one for one in bench.topology.agents_of(AgentKind.LOG_READER) if one.publisher_db == "Sales1")
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        changer = SafeChanger(bench.target, journal, "S1")
        switch = AgentSwitch(bench.target, Switchboard(changer), (reader, bench.own_server()), "S1")
        switch.stop(AgentKind.DISTRIBUTION)
        bench.server.happenings.happen(deed, "DIST1")
        bench.server.state.advance(60.0)
        with pytest.raises(Disturbed):
            switch.start(AgentKind.LOG_READER)
        assert not agent_ports(bench.target).agents.is_running(reader)
        assert not [entry for entry in journal.open_entries() if entry.change.detail_or("job_id", "") == reader.job_id]
        lab_reader = bench.server.state.site.agent_of_job(reader.job_id)
        assert lab_reader is not None
        bench.server.state.start(lab_reader)
        assert restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None) == ()
        assert _runs(bench)
        assert agent_ports(bench.target).agents.is_running(reader)


@pytest.mark.parametrize(
    ("is_sent", "started_after_s", "runs"), [(True, 0.0, False), (False, 60.0, False), (False, 7_200.0, True)]
)
def test_a_start_that_may_never_have_left_stops_no_agent_of_somebody_else(
    tmp_path: Path, is_sent: bool, started_after_s: float, runs: bool
) -> None:
    """A run that is lost as it starts an agent: what it may have started is stopped, what began long after is not."""
    bench = make_bench()
    _stop(bench)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        change = agent_ports(bench.target).agent_changes.plan_start(bench.own_server())
        journal.record_intent("S1", bench.target.key, change)
        if is_sent:
            bench.target.changes.apply(change)
    bench.target.clock.sleep(started_after_s)
    if not is_sent:
        _start(bench)
    bench.target.clock.sleep(60.0)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        problems = restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None)
        assert _runs(bench) is runs
        assert ["somebody else changed it" in problem for problem in problems] == [True] * runs


def test_an_agent_that_a_run_has_started_is_stopped_however_late_it_was_started_anew(tmp_path: Path) -> None:
    """A run that is lost hours after its first start of an agent that stood; its newest session is the run's own."""
    bench = make_bench()
    _stop(bench)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        board = Switchboard(SafeChanger(bench.target, journal, "S1"))
        switch = AgentSwitch(bench.target, board, (bench.own_server(),), "S1")
        switch.start(AgentKind.DISTRIBUTION)
    _stop(bench)
    bench.target.clock.sleep(7_200.0)
    _start(bench)
    bench.target.clock.sleep(60.0)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        assert restore_entries(bench.target, journal, journal.open_entries(), lambda _change: None) == ()
        assert not _runs(bench)
