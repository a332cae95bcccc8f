"""Kills a session at one moment, restores, and looks at the server: shared by the quick test and the long proof."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import build_program
from app.domain.change import EntryState
from app.domain.statement import StatementRecord
from app.services.run.restoring import restore_all
from app.store import open_for_reading, open_for_writing
from app.systems.transactional_replication.offer import agent_ports
from tests.forked import start_python
from tests.prove import kill_driver

PLAN = """
family = "{family}"
[factors]
{factor} = {levels}
[workload]
commands = 4000
[design]
blocks = 1
confirm_blocks = 1
"""

FAMILIES = {
    "log_reader": ("ReadBatchSize", "[500, 1000]"),
    "distribution_agent": ("SubscriptionStreams", "[1, 8]"),
}


# Long enough for a second tracer token, which is posted after half a minute.
STEADY_PLAN = """
family = "distribution_agent"
[factors]
SubscriptionStreams = [1, 8]
[workload]
scenario = "continuous"
duration_s = 60
rate_per_s = 400
[design]
blocks = 1
confirm_blocks = 0
"""


def write_plan(folder: Path, family: str) -> Path:
    """Write a small plan of one family."""
    factor, levels = FAMILIES[family]
    path = folder / f"{family}.toml"
    path.write_text(PLAN.format(family=family, factor=factor, levels=levels))
    return path


def write_steady_plan(folder: Path) -> Path:
    """Write a small plan with a steady load."""
    path = folder / "steady.toml"
    path.write_text(STEADY_PLAN)
    return path


# One window for each setting, on the client's own work at a site that has no test table.
OWN_WORK_PLAN = """
family = "distribution_agent"
[factors]
SubscriptionStreams = [1, 2]
[workload]
source = "{source}"
publication = "{publication}"
[design]
stop = "blocks"
blocks = 1
confirm_blocks = 0
settling_trials = 0
[limits]
data_age_s = 220
"""
# The same on one backlog of a test table, which is written once for both: of either kind of agent.
WRITTEN_WINDOWS_PLAN = """
family = "{family}"
[factors]
{factor} = {levels}
[workload]
source = "test_table"
[design]
stop = "blocks"
blocks = 1
confirm_blocks = 0
settling_trials = 0
"""
OWN_WORK = {"own_backlog": "ERP_Orders", "held": "Webshop_Stock"}
"""Publications of an incident that show work of each source."""


def write_own_work_plan(folder: Path, source: str) -> Path:
    """Write a small plan on the client's own work."""
    path = folder / f"{source}.toml"
    path.write_text(OWN_WORK_PLAN.format(source=source, publication=OWN_WORK[source]))
    return path


WRITTEN_WINDOWS = {
    "log_reader": ("ReadBatchSize", "[500, 5000]"),
    "distribution_agent": ("SubscriptionStreams", "[1, 2]"),
}
"""Families whose windows may be on a test table, with what they vary."""


def windows_plan_of(family: str) -> str:
    """Return a small plan of a family in windows on a test table."""
    factor, levels = WRITTEN_WINDOWS[family]
    return WRITTEN_WINDOWS_PLAN.format(family=family, factor=factor, levels=levels)


def write_windows_plan(folder: Path, family: str) -> Path:
    """Write a small plan in windows on a test table."""
    path = folder / "windows.toml"
    path.write_text(windows_plan_of(family))
    return path


@contextmanager
def lab_server(scenario: Path | None = None) -> Iterator[str]:
    """Serve a lab in a process of its own and give its key."""
    with start_python(
        "-m", "app", "lab", "serve", *(() if scenario is None else ("--scenario", str(scenario)))
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@dataclass(frozen=True)
class ServerState:
    """Everything an experiment changes on a server."""

    parameters: tuple[tuple[str, str, str, str], ...]
    profiles: tuple[tuple[str, int], ...]
    running: tuple[tuple[str, bool], ...]


def read_state(target: str) -> ServerState:
    """Read the parameters in effect with their origins, the assigned profiles, and which agents run."""
    opened = build_program().parts.open_target(target, 1, _ignore)
    try:
        agents = agent_ports(opened).agents.discover().agents
        return ServerState(
            parameters=tuple(
                (agent.name, p.name, p.value, p.origin)
                for agent in agents
                for p in agent_ports(opened).agents.read_parameters(agent)
            ),
            profiles=tuple((agent.name, agent.profile_id) for agent in agents),
            running=tuple((agent.name, agent_ports(opened).agents.is_running(agent)) for agent in agents),
        )
    finally:
        opened.close()


def _ignore(_record: StatementRecord) -> None:
    """The state is read for the test alone."""


@dataclass(frozen=True)
class Killed:
    """What a session left behind.

    Attributes:
        moments: what each was, a write of the journal or a statement; None where it was killed.
        acknowledged: ids of the trials it had said were on disk.
    """

    moments: tuple[str, ...] | None
    acknowledged: tuple[str, ...]


def run_and_kill(at: int, out: Path, target: str, plan: Path) -> Killed:
    """Run a session in a forked process that kills itself at moment `at`; 0 lets it end."""
    return fork_and_kill(lambda: kill_driver.main(at, out, out / "undo.journal", target, plan))


def fork_and_kill(work: Callable[[], list[str]]) -> Killed:
    """Do something in a forked process that may kill itself; it returns what each of its moments was."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.dup2(writing, 1)
        sys.stdout = os.fdopen(1, "w")
        moments = work()
        sys.stdout.write(f"moments {' '.join(moments)}\n")
        sys.stdout.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        lines = stream.read().split("\n")
    _pid, status = os.waitpid(child, 0)
    said = [line for line in lines if line.startswith("moments ")]
    assert bool(said) == (status == 0), f"the session ended in an unexpected way: status {status}"
    trials = tuple(line for line in lines if line and not line.startswith("moments "))
    return Killed(tuple(said[0].split()[1:]) if said else None, trials)


def restore_and_check(out: Path, original: ServerState, target: str, killed: Killed) -> None:
    """Restore with the journal alone, then compare the server and the session file with what they must be."""
    journal = out / "undo.journal"
    if journal.exists():
        open_target = build_program().parts.open_target
        outcome = restore_all(journal, open_target, lambda _change: None)
        assert outcome.problems == ()
        again = restore_all(journal, open_target, lambda _change: None)
        assert again.restored == (), "a second restore must find nothing to do"
    assert read_state(target) == original
    session = out / "session.replitune"
    if killed.acknowledged:
        open_for_writing(session).close()
        with open_for_reading(session) as reader:
            record = reader.read_session()
        kept = [trial.trial_id for run in record.runs for trial in run.trials]
        assert set(killed.acknowledged) <= set(kept), "a finished trial was lost"
        assert all(entry.state is EntryState.RESTORED for entry in record.changes), "its file says otherwise"
