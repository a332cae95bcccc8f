"""A session over TDS as the command runs it, in this process or in one of its own that can be killed."""

from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from app.bootstrap import build_program, load_families
from app.domain.errors import ReplituneError
from app.domain.events import RunStatus
from app.domain.ports import StatementSink
from app.domain.target import Target
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace

# Loaded with the module, so that a forked process has them.
_FAMILIES = load_families()


@dataclass(frozen=True)
class Ended:
    """How a session ended.

    Attributes:
        status: of its run, None where none began.
        problem: the sentence a person reads, "" for none.
    """

    status: RunStatus | None
    problem: str
    not_restored: tuple[str, ...] = ()


def open_target(target: str, seed: int, on_statement: StatementSink) -> Target:
    """Open a target as the program does."""
    return build_program().parts.open_target(target, seed, on_statement)


def run_session(plan_path: Path, target: str, out: Path, control: RunControl | None = None) -> Ended:
    """Run one plan; the journal is kept in `out`."""
    plan = load_plan(plan_path, dict(_FAMILIES))
    try:
        with GuidedSession(open_workplace(out), out / "undo.journal", open_target, title="wire") as session:
            opened = session.open_target(target, 1)
            try:
                prepared = prepare_run(plan, _FAMILIES[plan.family], opened, str(plan_path))
                outcome = session.run(prepared, opened, control or RunControl(), [])
            finally:
                opened.close()
    except ReplituneError as error:
        return Ended(None, str(error))
    return Ended(outcome.status, outcome.reason, outcome.not_restored)


def run_when_told(pipe: Connection, plan_path: Path, target: str, out: Path) -> None:
    """Wait for a word, run a session and send how it ended; for a process of its own."""
    pipe.recv()
    pipe.send(run_session(plan_path, target, out))
