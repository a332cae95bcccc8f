"""Seeded sessions of two parameters through the whole program, of which one has no effect, and what they decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unittest.mock import patch

from app.domain.decision import DecisionKind
from app.domain.events import RunEvent, TrialFinished, TrialStarted
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.setting import Setting
from app.systems.transactional_replication.lab.noise import AgentNoise
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.load import WorkloadSpec
from tests.benchmarks.false_claims import BACKLOG_COMMANDS, SCENARIO
from tests.benchmarks.lab_sessions import LabSession, advisor, run_on_lab

IDLE: Final = "CommitBatchSize"
HELPING: Final = "CommitBatchThreshold"
_IDLE: Final = Factor(IDLE, (100, 150, 200))
_HELPING: Final = Factor(HELPING, (1_000, 2_000, 3_000))


@dataclass(frozen=True)
class Way:
    """How a session stops, the noise stated in its plan, by how much less time the one parameter helps, and the two."""

    stop: Stop
    noise_cv: float | None = None
    gain: float = 0.30
    idle: Factor = _IDLE
    helping: Factor = _HELPING

    def plan(self, seed: int) -> Plan:
        """Return three levels of either parameter."""
        return Plan(
            family="distribution_agent",
            factors=(self.idle, self.helping),
            baseline=Setting.from_mapping({one.name: one.levels[0] for one in (self.idle, self.helping)}),
            load=WorkloadSpec(commands=BACKLOG_COMMANDS).to_load(),
            design=Design(stop=self.stop, blocks=3, confirm_blocks=3, seed=seed, noise_cv=self.noise_cv),
        )

    def session(self, seed: int) -> LabSession:
        """Run one on a lab on which neither parameter does anything but what the gain says."""
        factor = 1.0

        def hear(event: RunEvent) -> None:
            nonlocal factor
            if isinstance(event, TrialStarted):
                changed = event.spec.setting[self.helping.name] != self.helping.levels[0]
                factor = 1 - self.gain if changed else 1.0
            elif isinstance(event, TrialFinished):
                factor = 1.0

        noise = AgentNoise.session_factor

        def session_factor(self: AgentNoise, pair: int, process: int, session: int, settings: str) -> float:
            return noise(self, pair, process, session, settings) * factor

        with patch.object(AgentNoise, "session_factor", session_factor):
            return run_on_lab(self.plan(seed), scenario_path(SCENARIO), seed, on_event=hear)


@dataclass(frozen=True)
class Told:
    """How many sessions change the one parameter, the other, or both by one decision."""

    idle: int
    helping: int
    together: int


def told(way: Way, seeds: Sequence[int]) -> Told:
    """Return what sessions come to, one for each seed."""
    explaining, made = advisor(), []
    for seed in seeds:
        decisions = explaining.advise(way.session(seed).record).decisions
        made.append([decision.parameters for decision in decisions if decision.kind is DecisionKind.CHANGE])
    return Told(*(sum(wanted in changes for changes in made) for wanted in ((IDLE,), (HELPING,), (IDLE, HELPING))))


WAYS: Final = {
    "blocks": Way(Stop.BLOCKS),
    "race": Way(Stop.RACE),
    "race, noise stated": Way(Stop.RACE, noise_cv=0.03),
    "model": Way(Stop.MODEL),
}
