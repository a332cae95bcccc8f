"""The step that sets declared parameters: a server is found at the setting of each trial, with one change for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from app.domain.change import Change
from app.domain.setting import Setting, Value
from app.domain.target import AT_ONCE
from app.runner.bench.parameters import SetParameters
from app.runner.bench.rig import StepRig, Workbench
from app.runner.control import RunControl


@dataclass
class _Server:
    """Ports and a changer of a server whose whole state is named values; it notes what is done to them."""

    values: dict[str, Value]
    done: list[str] = field(default_factory=list)

    def plan(self, values: Mapping[str, Value]) -> tuple[Change, ...]:
        return tuple(
            Change("named", name, str(self.values[name]), str(value), (), "", "")
            for name, value in values.items()
            if self.values[name] != value
        )

    def apply(self, change: Change) -> Change:
        self.done.append(f"{change.subject} {change.original} -> {change.new}")
        self.values[change.subject] = int(change.new)
        return change

    def take_back(self, changes: Sequence[Change]) -> None:
        for change in reversed(changes):
            self.done.append(f"{change.subject} back to {change.original}")
            self.values[change.subject] = int(change.original)


def _rig(server: _Server) -> StepRig[Any]:
    target = SimpleNamespace(ports={"doors": server}.__getitem__, asking=AT_ONCE)
    parts: Any = SimpleNamespace(target=target, plan=None, site=None, owner="", changer=server, control=RunControl())
    return StepRig(parts, None, Workbench[None](lambda _plan, _site: None))


def _step(**values: Value) -> SetParameters:
    return SetParameters("doors", Setting.of(**values))


@pytest.mark.parametrize("gates", [1, 4])
def test_a_dry_run_lists_what_the_step_changes(gates: int) -> None:
    """Parameters that have their value already are left out of both."""
    server = _Server({"Gates": 4, "Queue": 10})
    rig, step = _rig(server), _step(Gates=gates, Queue=10)
    listed = [f"{change.subject} {change.original} -> {change.new}" for change in step.changes(rig.at)]
    step.do(rig)
    assert server.done == listed
    assert server.values == {"Gates": gates, "Queue": 10}


def test_a_parameter_goes_back_before_it_gets_a_third_value() -> None:
    """So its undo stays one step to the original, and the others are not touched."""
    server = _Server({"Gates": 1, "Queue": 10})
    rig = _rig(server)
    for gates in (2, 2, 4, 1):
        _step(Gates=gates, Queue=10).do(rig)
        assert server.values == {"Gates": gates, "Queue": 10}
    assert server.done == ["Gates 1 -> 2", "Gates back to 1", "Gates 1 -> 4", "Gates back to 1"]


def test_it_is_told_by_its_setting() -> None:
    """As a person reads it in the log of a run."""
    assert _step(Gates=4).describe() == f"Set {Setting.of(Gates=4).label()} and read it back"
