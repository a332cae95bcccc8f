"""Guided mode on the lab: a whole run whose every change is made by somebody else, with the same result."""

from collections.abc import Callable, Sequence

import pytest

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.events import RunStatus
from app.domain.ports import ServerChanges
from app.domain.statement import Access
from app.domain.target import Target
from app.runner.by_hand import HandDesk, HandRequest
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, run_on_lab, small_plan
from tests.contract.families.watched_by_hand import by_hand_of


class Dba:
    """The client's DBA: runs each script as it stands, and remembers what was asked."""

    def __init__(self, target: Target) -> None:
        self.asked: list[HandRequest] = []
        self.is_acting = False
        self._target = target
        self._known: dict[str, tuple[Change, bool]] = {}

    def note(self, change: Change) -> None:
        """Learn what the scripts of a change do."""
        self._known.setdefault(change.undo_sql, (change, True))
        self._known[change.apply_sql] = (change, False)

    def run(self, request: HandRequest) -> None:
        """Run a script."""
        self.asked.append(request)
        change, undo = self._known.get(request.script) or self._switch(request.script)
        self.is_acting = True
        (self._target.changes.undo if undo else self._target.changes.apply)(change)
        self.is_acting = False

    def _switch(self, script: str) -> tuple[Change, bool]:
        """Return the start or stop of an agent that a script does."""
        plans, agents = agent_ports(self._target).agent_changes, agent_ports(self._target).agents.discover().agents
        made = [plan(agent) for agent in agents for plan in (plans.plan_stop, plans.plan_start)]
        return next((change, False) for change in made if change.apply_sql == script)


class Watched:
    """Changes that tell the DBA what they are before they are asked for."""

    def __init__(self, changes: ServerChanges, dba: Dba) -> None:
        self._changes = changes
        self._dba = dba

    def is_applied(self, change: Change) -> bool:
        """Read as the server does."""
        self._dba.note(change)
        return self._changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Read as the server does."""
        self._dba.note(change)
        return self._changes.is_undone(change)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan as the server does."""
        return self._changes.plan_quiesce(changes)

    def process_of(self, change: Change) -> OfProcess | None:
        """Tell as the server does."""
        return self._changes.process_of(change)

    def run_of(self, change: Change) -> str:
        """Read as the server does."""
        return self._changes.run_of(change)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Restart as the server does."""
        return self._changes.restart(change, make, take_back)

    def apply(self, change: Change) -> None:
        """Nobody may."""
        raise AssertionError(f"the program itself changed {change.subject}")

    def undo(self, change: Change) -> None:
        """Nobody may."""
        raise AssertionError(f"the program itself put back {change.subject}")

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Nobody may."""
        raise AssertionError("the program itself stopped agents")


@pytest.mark.parametrize("family_id", [*AGENT_FAMILIES, "commit_mode", "streams_apply"])
def test_a_guided_run_changes_nothing_itself_and_is_put_back(family_id: str) -> None:
    """Every change and every start and stop is asked for; the run ends well; the server is as it was."""
    family = FAMILIES[family_id]
    made: list[Dba] = []

    def wrap(target: Target) -> Target:
        dba, desk = Dba(target), HandDesk(0.0)
        made.append(dba)
        desk.attach(dba.run, lambda _request: None)
        return by_hand_of(family, target, desk, "DIST1", lambda changes: Watched(changes, dba))

    run = run_on_lab(family, small_plan(family, Scenario.DRAINED), wrap=wrap)
    assert run.end.status is RunStatus.SUCCEEDED
    run.assert_restored("at the end of a guided run")
    [dba] = made
    assert any(request.is_undo for request in dba.asked)
    words = {
        "agents": ("USE ", "EXEC"),
        "streams": ("BEGIN", "ALTER "),
        "commit": ("ALTER ", "DBCC", "CREATE ", "DROP "),
    }
    kind = "agents" if family_id in AGENT_FAMILIES else family.subject
    assert all(any(word in request.script for word in words[kind]) for request in dba.asked)
    assert kind == "commit" or any("Stop " in request.title for request in dba.asked)


def test_only_the_workload_is_written_by_the_program() -> None:
    """Of all statements sent outside the DBA's hands, the one that changes anything writes the test table."""
    family = FAMILIES["distribution_agent"]
    made: list[Dba] = []
    own: list[str] = []

    def wrap(target: Target) -> Target:
        dba, desk = Dba(target), HandDesk(0.0)
        made.append(dba)
        desk.attach(dba.run, lambda _request: None)
        send = target.open_connection.session._sink  # the record of what was sent, and by whom

        def sink(record: object) -> None:
            if not dba.is_acting and getattr(record, "access", None) is Access.CHANGE:
                own.append(str(getattr(record, "name", "")))
            send(record)

        target.open_connection.session._sink = sink  # listens to statements from outside
        return by_hand_of(family, target, desk, "DIST1", lambda changes: Watched(changes, dba))

    run_on_lab(family, small_plan(family, Scenario.DRAINED), wrap=wrap)
    assert set(own) == {"write_load"}


def test_agents_are_told_apart_in_scripts() -> None:
    """A script names the one agent it is about, so that nobody stops another."""
    family = FAMILIES["log_reader"]
    run = run_on_lab(family, small_plan(family, Scenario.DRAINED))
    readers = [
        agent for agent in agent_ports(run.target).agents.discover().agents if agent.kind is AgentKind.LOG_READER
    ]
    scripts = {agent_ports(run.target).agent_changes.plan_stop(agent).apply_sql for agent in readers}
    assert len(scripts) == len(readers)
