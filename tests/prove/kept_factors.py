"""Seeded sessions of two parameters through the whole program, of which one has no effect, and what they recommend.

What they came to is kept, as it takes minutes; a share of the blocks is run again in each run of the long proofs. After
a change of the lab, or of how trials are chosen and judged, `python -m tests.prove.kept_factors` writes it anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from unittest.mock import patch

from app.domain.decision import DecisionKind
from app.domain.events import RunEvent, TrialFinished, TrialStarted
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.setting import Setting
from app.reporting.decision_words import is_only_together
from app.systems.transactional_replication.lab.noise import AgentNoise
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.load import WorkloadSpec
from tests.benchmarks.false_claims import BACKLOG_COMMANDS, SCENARIO
from tests.benchmarks.lab_sessions import LabSession, advisor, run_on_lab
from tests.prove.kept_blocks import Counts, Kept, Series

IDLE: Final = "CommitBatchSize"
HELPING: Final = "SubscriptionStreams"


@dataclass(frozen=True)
class Way:
    """How a session stops, the noise stated in its plan, and by how much less time the one parameter helps."""

    stop: Stop
    noise_cv: float | None = None
    gain: float = 0.30

    def plan(self, seed: int) -> Plan:
        """Return three levels of either parameter."""
        return Plan(
            family="distribution_agent",
            factors=(Factor(IDLE, (100, 200, 400)), Factor(HELPING, (1, 2, 4))),
            baseline=Setting.from_mapping({IDLE: 100, HELPING: 1}),
            load=WorkloadSpec(commands=BACKLOG_COMMANDS).to_load(),
            design=Design(stop=self.stop, blocks=3, confirm_blocks=3, seed=seed, noise_cv=self.noise_cv),
        )

    def session(self, seed: int) -> LabSession:
        """Run one on a lab on which no parameter does anything but what the gain says."""
        factor = 1.0

        def hear(event: RunEvent) -> None:
            nonlocal factor
            if isinstance(event, TrialStarted):
                factor = 1 - self.gain if event.spec.setting[HELPING] != 1 else 1.0
            elif isinstance(event, TrialFinished):
                factor = 1.0

        def session_factor(_noise: AgentNoise, _pair: int, _process: int, _session: int, _settings: str) -> float:
            return factor

        with patch.object(AgentNoise, "session_factor", session_factor):
            return run_on_lab(self.plan(seed), scenario_path(SCENARIO), seed, on_event=hear)


def _told(way: Way, seeds: Sequence[int]) -> Counts:
    """Return how many sessions change the one parameter and the other, and by a gain known of both together only."""
    explaining = advisor()
    counts = {"sessions": 0, "idle": 0, "helping": 0, "together": 0, "trials": 0}
    for seed in seeds:
        session = way.session(seed)
        changes = {
            decision.parameter: decision
            for decision in explaining.advise(session.record).decisions
            if decision.kind is DecisionKind.CHANGE
        }
        counts["sessions"] += 1
        counts["idle"] += IDLE in changes
        counts["helping"] += HELPING in changes
        counts["together"] += len(changes) > 1 and any(map(is_only_together, changes.values()))
        counts["trials"] += len(session.run.trials)
    return counts


FACTORS: Final = Kept(
    __file__,
    {
        name: Series(partial(_told, way), blocks=6, size=10, first_seed=1 + 1_000 * number)
        for number, (name, way) in enumerate(
            {
                "blocks": Way(Stop.BLOCKS),
                "race": Way(Stop.RACE),
                "race, noise stated": Way(Stop.RACE, noise_cv=0.03),
                "model": Way(Stop.MODEL),
            }.items()
        )
    },
)


if __name__ == "__main__":
    FACTORS.write()
