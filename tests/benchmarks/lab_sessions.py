"""Seeded sessions on the lab, in this process: the real target, runner, families and analysis; nothing on disk."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.bootstrap import load_advisor, load_families
from app.domain.events import RunEvent, RunStatus, TrialFinished
from app.domain.plan import Plan
from app.domain.session import RunRecord, SessionRecord
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.runner.control import RunControl
from app.runner.run import RunOrder, execute
from app.services.explain.advising import Advisor
from app.services.plan.checking import prepare_run
from app.services.run.environment import read_environment
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from tests.labs import open_lab
from tests.unit.runner.memory import MemoryJournal

FAMILIES = load_families()
RUN_ID = "E1"


def advisor() -> Advisor:
    """Return analysis and the shipped rules."""
    return load_advisor(FAMILIES)


@dataclass(frozen=True)
class LabSession:
    """One run on a fresh lab.

    Attributes:
        record: as the store would give it back.
        told: events and statements in the order they came.
        length_s: virtual time from the first to the last statement of the run.
    """

    record: SessionRecord
    told: tuple[RunEvent | StatementRecord, ...]
    length_s: float

    @property
    def run(self) -> RunRecord:
        """The only run."""
        return self.record.runs[0]


@dataclass
class _Told:
    """Keeps what a run tells; `statements` and `events` go to one list, so that their order stays known."""

    entries: list[RunEvent | StatementRecord] = field(default_factory=list)

    def add(self, entry: RunEvent | StatementRecord) -> None:
        """Keep one entry."""
        self.entries.append(entry)


def _unheard(_event: RunEvent) -> None:
    """Nobody listens."""


def _unseen(_target: Target) -> None:
    """Nobody looks."""


def run_on_lab(
    plan: Plan,
    scenario: Path,
    seed: int,
    *,
    noise: bool | None = None,
    on_event: Callable[[RunEvent], None] = _unheard,
    on_open: Callable[[Target], None] = _unseen,
) -> LabSession:
    """Run a plan to its end on a lab of its own and return everything that came of it.

    Args:
        seed: of the lab's noise; the plan's own seed orders the trials and draws the workload.
        noise: switches the scenario's noise on or off; None leaves it as the scenario says.
        on_event: told of each event before anything else happens.
        on_open: given the lab before the run.
    """
    told = _Told()

    def sink(event: RunEvent) -> None:
        on_event(event)
        told.add(event)

    target = open_lab(scenario, seed, told.add, noise)
    on_open(target)
    family = FAMILIES[plan.family]
    prepared = prepare_run(plan, family, target, "the plan")
    environment = read_environment(target, prepared.site, family.system)
    began_utc = target.clock.now_utc()
    told.entries.clear()
    order = RunOrder(
        session_id="S1",
        run_id=RUN_ID,
        plan=prepared.plan,
        family=family,
        site=prepared.site,
        target=target,
        journal=MemoryJournal([]),
        control=RunControl(),
        sink=sink,
    )
    status = execute(order)
    ended_utc = target.clock.now_utc()
    target.close()
    assert status is RunStatus.SUCCEEDED, told.entries[-1]
    trials = tuple(entry.trial for entry in told.entries if isinstance(entry, TrialFinished))
    run = RunRecord(RUN_ID, prepared.plan, target.key, status, "", began_utc, ended_utc, trials)
    record = SessionRecord("S1", "", "", "", began_utc, "", (environment,), (run,))
    return LabSession(record, tuple(told.entries), (ended_utc - began_utc).total_seconds())


def changed_scenario(name: str, folder: Path, **constants: float) -> Path:
    """Write a copy of a shipped scenario with some constants changed; each key must occur exactly once."""
    text = scenario_path(name).read_text(encoding="utf-8")
    for key, value in constants.items():
        text, count = re.subn(rf"(?m)^{key} = \S+", f"{key} = {value!r}", text)
        assert count == 1, key
    path = folder / f"{name}-changed.toml"
    path.write_text(text, encoding="utf-8")
    load_scenario(path)
    return path
