"""Runs of the commit mode on a server in memory."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import cast

from app.advice import Pack, load_packs
from app.domain.availability import GroupTopology
from app.domain.events import RunEvent, RunFinished, TrialFinished
from app.domain.family import GroupSite
from app.domain.load import LoadValue, complete_load
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Limits, Plan
from app.domain.ports import Target
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.setting import Setting, Value
from app.experiments.commit_mode import FAMILY
from app.foundation.paths import rules_root
from app.runner.control import RunControl
from app.runner.rigs import rig_kind
from app.runner.run import RunOrder, execute
from app.services.advising import Advisor
from app.services.site import read_environment, read_site
from tests.unit.runner.groups import MemoryTarget
from tests.unit.runner.memory import MemoryJournal

SHAPES = (1, 100, 10_000)


def commit_plan(
    modes: tuple[Value, ...] = ("async", "sync"),
    compression: tuple[Value, ...] = ("default", "on"),
    *,
    blocks: int = 1,
    limits: Limits | None = None,
    **load: LoadValue,
) -> Plan:
    """Return a plan with little work."""
    small: dict[str, LoadValue] = {"inserts": SHAPES, "rows_total": 100_000, "settle_s": 0.0}
    factors = [Factor("availability_mode", modes)]
    values: dict[str, Value] = {"availability_mode": "async"}
    if len(compression) > 1:
        factors.append(Factor("log_stream_compression", compression))
        values["log_stream_compression"] = "default"
    return Plan(
        "commit_mode",
        tuple(factors),
        Setting.from_mapping(values),
        design=Design(blocks=blocks, confirm_blocks=0),
        limits=limits or Limits(),
        load=complete_load(FAMILY.load_fields, {**small, **load}, "test"),
    )


@cache
def rules_of_the_family() -> tuple[Pack, ...]:
    """Return the packs of this family alone."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(rules_root() / "commit_mode", Path(folder) / "commit_mode")
        return load_packs(Path(folder), ("commit_mode",))


@dataclass
class CommitRun:
    """A run that has ended."""

    plan: Plan
    target: MemoryTarget
    journal: MemoryJournal
    events: list[RunEvent] = field(default_factory=list)

    @property
    def trials(self) -> tuple[TrialResult, ...]:
        """The finished trials."""
        return tuple(event.trial for event in self.events if isinstance(event, TrialFinished))

    @property
    def end(self) -> RunFinished:
        """How it ended."""
        assert isinstance(self.events[-1], RunFinished)
        return self.events[-1]

    def session(self) -> SessionRecord:
        """Return the run as the store would hand it back."""
        now = datetime(2026, 1, 1, tzinfo=UTC)
        record = RunRecord("E1", self.plan, self.target.key, self.end.status, self.end.reason, now, now, self.trials)
        target = cast(Target, self.target)
        environment = read_environment(target, read_site(target, FAMILY.subject))
        return SessionRecord("S1", "test", "", "", now, "0", (environment,), (record,))

    def advise(self) -> Advice:
        """Return what the program would say about it."""
        return Advisor({"commit_mode": FAMILY}, rules_of_the_family()).advise(self.session())

    def assert_restored(self) -> None:
        """Check that the server is as it was found."""
        assert self.end.not_restored == ()
        assert self.journal.open_entries() == ()
        assert self.target.groups.changed() == {}


def run_in_memory(
    plan: Plan,
    found: GroupTopology | None = None,
    *,
    watch: Callable[[RunControl, RunEvent], None] = lambda _control, _event: None,
    **how: object,
) -> CommitRun:
    """Run a plan through the real runner on a server in memory."""
    target = MemoryTarget(found, **how)  # type: ignore[arg-type]  # callers name what it takes
    port = cast(Target, target)
    rig = rig_kind(FAMILY.subject)
    site = rig.complete_site(plan, read_site(port, FAMILY.subject), port)
    assert isinstance(site, GroupSite)
    plan = rig.complete_plan(replace(plan), site)
    run, control = CommitRun(plan, target, MemoryJournal([])), RunControl()

    def sink(event: RunEvent) -> None:
        run.events.append(event)
        watch(control, event)

    execute(RunOrder("S1", "E1", plan, FAMILY, site, port, run.journal, control, sink))
    return run
