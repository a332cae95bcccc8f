"""The worlds of noise once more, through the whole program: the lab, its agents' history, runner, analysis and rules.

What a world adds to each trial slows the Distribution Agent down in the lab; everything between that and a finding is
the program's own. `test_confirmation_worlds` holds each world by thousands of sessions; here all of them together show
that nothing is lost or added on the way. The world of a clock that counts seconds is not among them: the lab's agents
log milliseconds.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from app.domain.comparison import Verdict
from app.domain.events import RunEvent, TrialFinished, TrialStarted
from app.domain.plan import Phase, Stop
from app.domain.setting import Setting
from app.services.explain.advising import Advisor
from app.systems.transactional_replication.lab.noise import AgentNoise
from tests.benchmarks.false_claims import BASELINE, LEVELS, plan_without_effect
from tests.benchmarks.figures import most_by_chance
from tests.benchmarks.lab_sessions import LabSession, advisor, changed_scenario, run_on_lab
from tests.prove.noise_worlds import WORLDS, Server
from tests.prove.shares import Share
from tests.prove.test_confirmation_worlds import MOST_FALSE, upper_bound

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

SESSIONS = 60
"""Of each world, that confirm something."""

EACH_FALSE = 0.05

_ARMS = {Setting.of(CommitBatchSize=level): number for number, level in enumerate(LEVELS)}


@contextmanager
def _slowed_by(server: Server) -> Iterator[Callable[[RunEvent], None]]:
    """Have agents take what a world says; yields what must be told the events of the run."""
    factor = 1.0

    def hear(event: RunEvent) -> None:
        nonlocal factor
        if isinstance(event, TrialStarted):
            factor = server.value_s(_ARMS[event.spec.setting], event.spec.phase, 1.0)
        elif isinstance(event, TrialFinished):
            factor = 1.0

    def session_factor(_noise: AgentNoise, _pair: int, _process: int, _session: int, _settings: str) -> float:
        return factor

    with patch.object(AgentNoise, "session_factor", session_factor):
        yield hear


def _sessions(world: str, scenario: Path, count: int) -> Iterator[LabSession]:
    """Yield sessions that confirm something, each with a seed of its own, until there are so many."""
    made = seed = 0
    while made < count:
        seed += 1
        server = WORLDS[world](np.random.default_rng(10_000 + seed))
        plan = plan_without_effect(Stop.BLOCKS, seed)
        plan = replace(plan, design=replace(plan.design, noise_cv=server.stated_cv))
        with _slowed_by(server) as hear:
            session = run_on_lab(plan, scenario, seed, on_event=hear)
        if any(trial.phase is Phase.CONFIRM for trial in session.run.trials):
            made += 1
            yield session


def _claims(session: LabSession, explaining: Advisor) -> bool:
    """Tell whether a session without an effect claims one: a confirmed difference, or a value to be set."""
    advice = explaining.advise(session.record)
    shown = [c for c in advice.comparisons if c.phase is Phase.CONFIRM and c.verdict is not Verdict.CANNOT_TELL]
    differs = any(c.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE) for c in shown)
    return differs or any(
        finding.to_value not in (None, str(BASELINE["CommitBatchSize"])) for finding in advice.findings
    )


_TOGETHER = 6
_NAMES = [name for name in WORLDS if not name.startswith("clock")]


@pytest.mark.minutes
@pytest.mark.parametrize(
    "together", [_NAMES[start : start + _TOGETHER] for start in range(0, len(_NAMES), _TOGETHER)], ids=", ".join
)
def test_through_the_whole_program_no_world_makes_false_claims(
    together: list[str], tmp_path: Path, share: Share, record_property: Record
) -> None:
    """Without an effect anywhere: claims in at most 6.5 % of the sessions of six worlds, and in no world more.

    Sixty sessions bound one world at 6.5 % only where none of them claims; a world is held against what a true share of
    5 % brings up in one of a hundred such experiments, six of them together against their upper bound.
    """
    explaining = advisor()
    scenario = changed_scenario("no-effect", tmp_path, drift_share=0.0)
    pairs = [together[start : start + 2] for start in range(0, len(together), 2)]
    worlds = [world for pair in share.of(pairs, lambda pair: _NAMES.index(pair[0])) for world in pair]
    count = SESSIONS if share.parts == 1 else 4
    false = {}
    for world in worlds:
        false[world] = sum(_claims(session, explaining) for session in _sessions(world, scenario, count))
        print(f"{world}: {false[world]} of {count} sessions claim what is not there")
        record_property(world, false[world])
    of, claims = count * len(worlds), sum(false.values())
    print(f"whole program, {share}: {claims} of {of} sessions, at most {upper_bound(claims, of):.2%}")
    beyond = {world: found for world, found in false.items() if found > most_by_chance(count, EACH_FALSE)}
    assert not beyond, f"of {count} sessions each"
    assert (upper_bound(claims, of) if share.parts == 1 else claims / of) <= MOST_FALSE * (1 if share.parts == 1 else 2)
