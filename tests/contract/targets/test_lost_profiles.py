"""Profiles that went away behind a run's back: no agent is left with the id of a profile that there is not."""

import copy
from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.change import Change
from app.domain.errors import TargetError
from app.domain.setting import Setting
from app.runner.bench.switchboard import Switchboard
from app.runner.undo import SafeChanger, restore_entries
from app.store import UndoJournalFile
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab_server.profiles import ProfileStore
from app.systems.transactional_replication.lab_server.state import LabState
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.participants import AgentSwitch
from app.systems.transactional_replication.topology import Agent
from tests.contract.targets.checking import Bench, make_bench

SETTINGS = {
    AgentKind.LOG_READER: Setting.of(ReadBatchSize=1000),
    AgentKind.DISTRIBUTION: Setting.of(CommitBatchSize=200),
}
NAME = "Replication of sales"

every_kind = pytest.mark.parametrize("kind", SETTINGS)


def _own_profile(state: LabState, kind: AgentKind, agent: Agent) -> int:
    """Give an agent a custom profile of its owner's; return its id."""
    agent_type = 2 if kind is AgentKind.LOG_READER else 3
    profile = state.profiles.add(agent_type, NAME)
    state.profile_ids[agent.job_id] = profile.profile_id
    return profile.profile_id


def _agent(bench: Bench, kind: AgentKind) -> Agent:
    return bench.topology.agents_of(kind)[0]


def _change(bench: Bench, kind: AgentKind, journal: UndoJournalFile) -> None:
    agent = _agent(bench, kind)
    changer = SafeChanger(bench.target, journal, "S1")
    switch = AgentSwitch(bench.target, Switchboard(changer), (agent,), "S1")
    switch.stop(kind)
    for change in agent_ports(bench.target).agent_changes.plan_setting(agent, SETTINGS[kind], "S1"):
        changer.apply(change)
    switch.start(kind)


def _restored_msdb(state: LabState, before: ProfileStore, _own: int) -> None:
    """As it was before the run: the profile made for the agent is gone, and the agent keeps its id."""
    state.profiles = before


def _renumbered_msdb(state: LabState, before: ProfileStore, own: int) -> None:
    """Made anew by script: each profile has another id, and another agent's may have the old one."""
    profile = before.get(own)
    assert profile is not None
    before.drop(own)
    before.add(profile.agent_type, "of somebody else")
    before.add(profile.agent_type, NAME).values = profile.values
    state.profiles = before


LOSSES = [_restored_msdb, _renumbered_msdb]


@every_kind
@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("keeps_others", [False, True])
def test_an_id_without_a_profile_is_nobodys_choice(
    tmp_path: Path,
    kind: AgentKind,
    lose: Callable[[LabState, ProfileStore, int], None],
    keeps_others: bool,
) -> None:
    """The agent is given the profile it had, by name; it is not left with the id, whoever is to be heeded."""
    bench = make_bench()
    state, agent = bench.server.state, _agent(bench, kind)
    own = _own_profile(state, kind, agent)
    before = copy.deepcopy(state.profiles)
    left: list[Change] = []
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        _change(bench, kind, journal)
        lose(state, before, own)
        entries = journal.open_entries()
        on_left = (lambda change, _why: left.append(change)) if keeps_others else None
        assert restore_entries(bench.target, journal, entries, lambda _change: None, on_left) == ()
        assert journal.open_entries() == ()
    assert left == []
    found = state.profiles.get(state.profile_ids[agent.job_id])
    assert found is not None
    assert found.name == NAME


@every_kind
def test_a_profile_that_was_dropped_meanwhile_is_told_until_there_is_another(tmp_path: Path, kind: AgentKind) -> None:
    """Nothing is left to give back: not even `--keep-others` closes it, until the agent has a profile of somebody's."""
    bench = make_bench()
    state, agent = bench.server.state, _agent(bench, kind)
    own = _own_profile(state, kind, agent)
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        _change(bench, kind, journal)
        state.profiles.drop(own)

        def restore() -> tuple[str, ...]:
            entries = journal.open_entries()
            return restore_entries(bench.target, journal, entries, lambda _change: None, lambda _change, _why: None)

        for _turn in range(2):
            assert any(f'the former profile "{NAME}" of the agent is no longer there' in one for one in restore())
            assert state.profiles.get(state.profile_ids[agent.job_id]) is not None
        state.profile_ids[agent.job_id] = state.profiles.default_ids[2 if kind is AgentKind.LOG_READER else 3]
        assert restore() == ()
        assert journal.open_entries() == ()
    assert bench.server.state.lab.started_with(0, is_log_reader=kind is AgentKind.LOG_READER) is not None


@every_kind
def test_an_agent_without_a_profile_is_not_experimented_with(kind: AgentKind) -> None:
    """What it has could not be given back."""
    bench = make_bench()
    agent = _agent(bench, kind)
    bench.server.state.profile_ids[agent.job_id] = 99
    with pytest.raises(TargetError, match="is no longer there; give the agent another one first"):
        agent_ports(bench.target).agent_changes.plan_setting(agent, SETTINGS[kind], "S1")
