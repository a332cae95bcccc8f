"""Runs a session against a lab server and kills itself (-9) after its n-th journal write or statement.

`main` with 0 never kills and returns what each moment was. Each finished trial is acknowledged on standard output once
it is on disk.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from app.bootstrap import build_program, load_families
from app.domain.events import RunEvent, TrialFinished
from app.domain.ports import StatementSink
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace
from app.store import UndoJournalFile
from tests.dying import die


class Fuse:
    """Counts moments and kills the process at one of them; 0 never does.

    Attributes:
        moments: what each of them was: the journal's write or the statement.
    """

    def __init__(self, at: int) -> None:
        self.at = at
        self.moments: list[str] = []

    def moment(self, name: str) -> None:
        """Count one moment."""
        self.moments.append(name)
        if len(self.moments) == self.at:
            die()


def fused_opener(fuse: Fuse) -> Callable[[str, int, StatementSink], Target]:
    """Return an opener whose target's every statement is a moment."""

    def opener(target: str, seed: int, on_statement: StatementSink) -> Target:
        def tell(record: StatementRecord) -> None:
            on_statement(record)
            fuse.moment(record.name)

        return build_program().parts.open_target(target, seed, tell)

    return opener


def fuse_journal(fuse: Fuse) -> None:
    """Make every write of the journal file a moment, after it is on disk."""

    def after(name: str) -> None:
        write = getattr(UndoJournalFile, name)

        def fused(self: UndoJournalFile, *values: object) -> object:
            result = write(self, *values)
            fuse.moment(name)
            return result

        setattr(UndoJournalFile, name, fused)

    for name in ("record_intent", "mark_applied", "mark_restored", "mark_kept", "mark_problem"):
        after(name)


def acknowledge(event: RunEvent) -> None:
    """Print a trial's id once it is on disk."""
    if isinstance(event, TrialFinished):
        sys.stdout.write(f"{event.trial.trial_id}\n")
        sys.stdout.flush()


def main(at: int, out: Path, journal: Path, target: str, plan_path: Path) -> list[str]:
    """Run one session; return what each of its moments was."""
    fuse = Fuse(at)
    fuse_journal(fuse)
    families = load_families()
    plan = load_plan(plan_path, dict(families))
    with GuidedSession(open_workplace(out), journal, fused_opener(fuse), title="kill") as session:
        opened = session.open_target(target, 1)
        prepared = prepare_run(plan, families[plan.family], opened, str(plan_path))
        session.run(prepared, opened, RunControl(), [acknowledge])
        opened.close()
    return fuse.moments
