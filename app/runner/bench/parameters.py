"""The step that gives declared parameters of a system their values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.domain.change import Change
from app.domain.setting import Setting, Value
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig


class PlansParameters(Protocol):
    """The ports of a system whose parameters are set one by one."""

    def plan(self, values: Mapping[str, Value]) -> tuple[Change, ...]:
        """Return the changes that give parameters these values, () where they have them; raises TargetError."""
        ...


@dataclass(frozen=True)
class SetParameters(BenchStep[Any]):
    """Give each parameter of a setting its value; it goes to and fro under one journal entry."""

    system_id: str
    setting: Setting

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Set {setting} and read it back").format(setting=self.setting.label())

    def changes(self, at: Bench[Any]) -> Iterable[Change]:
        """Return the changes of parameters with another value now."""
        return self._port(at.target).plan(self.setting)

    def do(self, rig: StepRig[Any]) -> None:
        """Undo changes to other values than the wanted ones, then set those not found so."""
        port = self._port(rig.at.target)
        for name, value in self.setting.items():
            if port.plan({name: value}):
                rig.board.take_back(name)
                rig.board.make(name, port.plan({name: value}))

    def _port(self, target: Target) -> PlansParameters:
        port: PlansParameters = target.ports(self.system_id)
        return port
