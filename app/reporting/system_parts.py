"""A system's parts of reports and scripts: its folder's `hand_over` exports them as `HAND_OVER`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.domain.comparison import Comparison
from app.domain.decision import ChangeEffort
from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.own_load import OwnLoad
from app.domain.session import Environment, SessionRecord
from app.domain.setting import Value
from app.domain.system import System, in_order
from app.foundation.texts import _
from app.reporting.blocks import Block


@dataclass(frozen=True)
class ConditionWords:
    """How a condition of measurements is told.

    Attributes:
        text: with `{value}` for its value. one: the text for a value of 1, where that is another.
        short: the text beside a finding, "" where it is not told there.
        values: words for values that are words.
        usual: the value that is told nowhere; usual_in_short: the one not told beside a finding; None for none.
    """

    name: str
    text: str
    one: str = ""
    short: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    usual: Value | None = None
    usual_in_short: Value | None = None


class SystemParts(Protocol):
    """The interface of a system to generic reporting. What a system does not say has a default.

    Attributes:
        system: the system they are of.
        conditions: how its conditions are told, in the order they are told beside a finding.
        order_of_trials: how its trials are ordered where a winner is picked, and what is done before each.
        writer: writes what is recommended for its parameters as scripts.
    """

    system: System
    conditions: tuple[ConditionWords, ...] = ()
    order_of_trials: str = ""
    writer: ScriptWriter

    def change_effort(self, finding: Finding, session: SessionRecord) -> ChangeEffort:
        """Return the client's effort for carrying out a recommended change of one of its parameters."""
        return ChangeEffort((), _("1 setting, by hand"), _("Not known."), _("Check the value."))

    def own_load(self, finding: Finding, comparison: Comparison, session: SessionRecord) -> OwnLoad | None:
        """Return the client's own heaviest load at the gain of a comparison, None where no history tells it."""
        return None

    def shape(self, comparison: Comparison) -> tuple[float, float] | None:
        """Return rows of each statement and number of statements of a comparison's load, None where it has no shape."""
        return None

    def environment_blocks(self, environment: Environment, varied: frozenset[str]) -> list[Block]:
        """Return the readings of the system on one target, [] where there are none.

        Args:
            varied: the parameters the session varied; of others only those that are not at their defaults are told.
        """
        found = self.system.kept(environment)
        return [] if found is None else self.found_blocks(found, varied)

    def found_blocks(self, found: Any, varied: frozenset[str], /) -> list[Block]:
        """Return the topology as blocks."""
        ...

    def shared_blocks(self, environments: Sequence[Environment], varied: frozenset[str]) -> list[Block]:
        """Return the blocks that are common to all targets of a session, after those of each target."""
        return []


def parts_of(system: System) -> SystemParts:
    """Return a system's parts of reports and scripts."""
    parts: SystemParts = system.load_hand_over()
    return parts


class _OfSystem(Protocol):
    @property
    def system(self) -> Any: ...


def systems_behind(families: Iterable[_OfSystem]) -> tuple[System, ...]:
    """Return the systems of families, in order."""
    return in_order({family.system.system_id: family.system for family in families}.values())
