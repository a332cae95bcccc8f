"""The steps of a trial: done in order, and exactly one of them measures."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from app.domain.rig import TrialCall
from app.domain.target import AT_ONCE
from app.runner.bench.rig import BenchStep, StepRig, Workbench
from app.runner.control import RunControl


@dataclass(frozen=True)
class Read(BenchStep[Any]):
    """Shows a number, None for a step that measures nothing."""

    shown: int | None

    def describe(self) -> str:
        """Describe the step for a person."""
        return f"read {self.shown}"

    def do(self, rig: StepRig[Any]) -> int | None:
        """Return the number."""
        return self.shown


def run(*steps: BenchStep[Any]) -> Any:
    """Do a trial of these steps."""
    target = SimpleNamespace(asking=AT_ONCE)
    parts: Any = SimpleNamespace(target=target, plan=None, site=None, owner="", changer=None, control=RunControl())
    bench: Workbench[None] = Workbench(lambda _plan, _site: None)
    call = TrialCall(steps, 1, 1.0, lambda _text: None, lambda _samples, _progress: None)
    return StepRig(parts, None, bench).run_trial(call)


def test_the_measuring_step_shows_what_the_trial_did() -> None:
    """Steps before and after it show nothing."""
    assert run(Read(None), Read(7), Read(None)) == 7


@pytest.mark.parametrize("steps", [(), (Read(None),), (Read(7), Read(8)), (Read(7), Read(None), Read(7))])
def test_a_trial_has_exactly_one_measuring_step(steps: tuple[BenchStep[Any], ...]) -> None:
    """Of two, one would be measured and lost."""
    with pytest.raises(ValueError, match="exactly one measuring step"):
        run(*steps)
