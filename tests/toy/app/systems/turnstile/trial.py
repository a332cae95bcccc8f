"""What a trial does at a turnstile, and what it shows."""

from dataclasses import dataclass
from typing import Any, Final

from app.domain.limits import TRIAL_DURATION
from app.domain.measurement import Sample
from app.domain.rig import LimitExceeded
from app.runner.bench.rig import BenchStep, StepRig, rig_of_steps
from app.runner.limits import exceeded_limit

LIMITS: Final = (TRIAL_DURATION,)
_PORTIONS: Final = 10


@dataclass(frozen=True)
class Passed:
    """How many passed, and in which time."""

    people: int
    elapsed_s: float
    samples: tuple[Sample, ...]


@dataclass(frozen=True)
class LetPass(BenchStep[Any]):
    """Let people through and measure how long it takes."""

    people: int

    def describe(self) -> str:
        """Return what it does, for a person."""
        return f"Let {self.people:,} people through"

    def do(self, rig: StepRig[Any]) -> Passed:
        """Let them through in portions, so that a cancel is never far."""
        port, samples, passed, elapsed_s = rig.at.target.ports("turnstile"), [], 0, 0.0
        for portion in range(1, _PORTIONS + 1):
            rig.parts.control.check()
            people = self.people * portion // _PORTIONS - passed
            if people:
                elapsed_s += port.run("pass_turnstile", people=people)[0].number("elapsed_ms") / 1000
            passed += people
            samples.append(Sample("people waiting", elapsed_s, self.people - passed, "count"))
            rig.call.on_samples((samples[-1],), portion / _PORTIONS)
            if sentence := exceeded_limit(LIMITS, rig.at.plan.limits, {TRIAL_DURATION.name: elapsed_s}):
                raise LimitExceeded(sentence)
        return Passed(passed, elapsed_s, tuple(samples))


RIG: Final = rig_of_steps()
