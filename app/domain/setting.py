"""Parameters of a server as an experiment sees them: knobs, and settings of several knobs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _

Value = int | float | str


class AgentKind(StrEnum):
    """Which replication agent a parameter or a counter belongs to."""

    LOG_READER = "log_reader"
    DISTRIBUTION = "distribution"


@dataclass(frozen=True)
class Setting(Mapping[str, Value]):
    """Values of one or more parameters, by the vendor's parameter name; hashable, in name order.

    Example:
        >>> Setting.of(SubscriptionStreams=8, CommitBatchSize=200).label()
        'CommitBatchSize 200, SubscriptionStreams 8'
    """

    values_by_name: tuple[tuple[str, Value], ...] = ()

    @staticmethod
    def of(**values: Value) -> "Setting":
        """Return a setting of the given parameters."""
        return Setting(tuple(sorted(values.items())))

    @staticmethod
    def from_mapping(values: Mapping[str, Value]) -> "Setting":
        """Return a setting with the entries of a mapping."""
        return Setting(tuple(sorted(values.items())))

    def __getitem__(self, name: str) -> Value:
        for key, value in self.values_by_name:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _value in self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def label(self) -> str:
        """Return the setting as a person writes it."""
        return ", ".join(f"{name} {value}" for name, value in self.values_by_name)


EMPTY_SETTING: Final = Setting()


@dataclass(frozen=True)
class Knob:
    """One parameter an experiment may vary.

    Attributes:
        name: the vendor's spelling without a leading dash, as in plans and measurement files.
        agent: the agent that reads it.
        unit: what it counts.
        default: the vendor's default.
        low, high: documented limits, inclusive, None where the vendor states none; a server's own limits go first.
        levels: values worth trying when the plan names none.
        help: one or two sentences for the form.
        source: where default and limits are documented.
    """

    name: str
    agent: AgentKind
    unit: str
    default: int
    low: int | None
    high: int | None
    levels: tuple[int, ...]
    help: str
    source: str

    def check(self, value: Value, where: str) -> int:
        """Return the value as a whole number within the limits.

        Raises:
            BadInput: not a whole number, or outside the limits; the sentence names `where`.
        """
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadInput(
                _('{where}: {name} must be a whole number, not "{value}"').format(
                    where=where, name=self.name, value=value
                )
            )
        low_ok = self.low is None or value >= self.low
        high_ok = self.high is None or value <= self.high
        if not (low_ok and high_ok):
            raise BadInput(
                _("{where}: {name} = {value} is outside its limits, {low} to {high} {unit}").format(
                    where=where,
                    name=self.name,
                    value=value,
                    unit=self.unit,
                    low="-∞" if self.low is None else self.low,
                    high="∞" if self.high is None else self.high,
                )
            )
        return value
