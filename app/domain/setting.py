"""Parameters of a server that an experiment may vary, and settings of several of them."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from app.domain.errors import BadInput
from app.domain.units import unit_word
from app.foundation.texts import _, local_number

Value = int | float | str

_WHOLE: Final = re.compile(r"-?(0|[1-9]\d{0,30})")


def number_of(value: Value) -> float | int:
    """Return a level as a number, NaN for a text."""
    return value if isinstance(value, int | float) else float("nan")


def value_text(value: Value) -> str:
    """Return a value as a person reads it, grouped as the language of the program groups: 5000 as "5,000".

    A whole number that is known as text is told like one, any other text as it is. What is typed, sent to a server, or
    written to a script, a CSV, JSON or the name of a file is `typed_text` instead.
    """
    if isinstance(value, str):
        return value_text(int(value)) if _WHOLE.fullmatch(value) else value
    shown = f"{value:,.10g}" if isinstance(value, float) else f"{value:,}"
    return local_number(shown.replace("-", "\N{MINUS SIGN}"))


def typed_text(value: Value) -> str:
    """Return a value as it is typed: without separators."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def plain(name: str) -> str:
    """Return a name as it is compared: without case, spaces, underscores, hyphens, or a leading dash."""
    return re.sub(r"[\s_-]+", "", name.casefold())


def label_text(label: str) -> str:
    """Return the label of a setting with its values as a person reads them, where nothing else of it is known."""
    parts = (part.rpartition(" ") for part in label.split(", "))
    return ", ".join(f"{name}{space}{value_text(value)}" for name, space, value in parts)


@dataclass(frozen=True)
class Setting(Mapping[str, Value]):
    """Values of one or more parameters, by the vendor's parameter name; hashable, in name order.

    Example:
        >>> Setting.of(ReadSize=8, CommitSize=200).label()
        'CommitSize 200, ReadSize 8'
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

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Its hash, made once: thousands of measurements are sorted by one setting."""
        return hash(self.values_by_name)

    def __getstate__(self) -> dict[str, object]:
        return {"values_by_name": self.values_by_name}  # another process hashes texts otherwise

    def __getitem__(self, name: str) -> Value:
        for key, value in self.values_by_name:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _value in self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def without(self, names: Container[str]) -> "Setting":
        """Return the setting without the parameters of these names."""
        return Setting(tuple((name, value) for name, value in self.values_by_name if name not in names))

    def text(self) -> str:
        """Return the setting as a person reads it: "CommitSize 5,000, ReadSize 8"."""
        return ", ".join(f"{name} {value_text(value)}" for name, value in self.values_by_name)

    def values_text(self) -> str:
        """Return the values alone, as an axis names them: "5,000 × 8"."""
        return " × ".join(map(value_text, self.values()))

    def label(self) -> str:
        """Return the setting as it is typed, which also identifies it for programs."""
        return ", ".join(f"{name} {value}" for name, value in self.values_by_name)


EMPTY_SETTING: Final = Setting()


@dataclass(frozen=True)
class SameAsDefault:
    """Values of a parameter that act as its default does, because of another parameter's value.

    Attributes:
        other, value: the other parameter and the value of it.
        values: those that make no difference there; () for all.
    """

    other: str
    value: Value
    values: tuple[Value, ...] = ()


class Costly(StrEnum):
    """Which values of a parameter cost more (connections, memory, locks held longer): of equal ones the others do."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True)
class Parameter:
    """One parameter an experiment may vary.

    Attributes:
        name: the vendor's spelling without a leading dash, as in plans and measurement files.
        unit: what it counts, "" for a choice.
        default: the vendor's default.
        low, high: documented limits, inclusive, None where the vendor states none; a server's own limits go first.
        levels: values worth trying when the plan names none.
        choices: for a parameter that is one of a few words, all of them; else it is a whole number.
        title: what a person calls it, "" where its name is the vendor's own word.
        choice_titles: what a person calls each choice, in the same order; () where they are words of the vendor.
        help: one or two sentences for the form.
        source: where default and limits are documented.
        same_as_default: where its values make no difference, so that such settings are measured once.
        costly: which of its values cost more; None where neither end does, so that the best mean is chosen.
        called: other names that servers, tools and people use for it, in any case and spelling.
        choices_called: the same for each choice, in the order of `choices`; () where they have no other names.
    """

    name: str
    unit: str
    default: Value
    low: int | None
    high: int | None
    levels: tuple[Value, ...]
    help: str
    source: str
    choices: tuple[str, ...] = ()
    title: str = ""
    choice_titles: tuple[str, ...] = ()
    same_as_default: tuple[SameAsDefault, ...] = ()
    costly: Costly | None = None
    called: tuple[str, ...] = ()
    choices_called: tuple[tuple[str, ...], ...] = ()

    def told(self, value: Value) -> str:
        """Return a value in words, the value itself where no words are declared."""
        return dict(zip(self.choices, self.choice_titles, strict=False)).get(str(value), str(value))

    def choice_called(self, text: str) -> str:
        """Return the choice that a word stands for, in any case and spelling, or the word itself."""
        called = self.choices_called or ((),) * len(self.choices)
        names = zip(self.choices, called, strict=True)
        known = {plain(word): choice for choice, words in names for word in (*words, choice)}
        return known.get(plain(text), text)

    @property
    def default_number(self) -> int:
        """The default of a whole-number parameter; raises ValueError for a choice."""
        if not isinstance(self.default, int):
            raise ValueError(f"{self.name} is a choice")
        return self.default

    def effective(self, setting: Mapping[str, Value]) -> Value:
        """Return this parameter's value in a setting, its default where the given one does the same there."""
        value = setting[self.name]
        for rule in self.same_as_default:
            if setting.get(rule.other) == rule.value and (not rule.values or value in rule.values):
                return self.default
        return value

    def applies_in(self, setting: Mapping[str, Value]) -> bool:
        """Tell whether any value of this parameter makes a difference in a setting."""
        return not any(setting.get(rule.other) == rule.value and not rule.values for rule in self.same_as_default)

    def check(self, value: Value, where: str) -> Value:
        """Return the value: a whole number within the limits, or one of the choices.

        Raises:
            BadInput: anything else; the sentence names `where`.
        """
        if self.choices:
            if value not in self.choices:
                raise BadInput(
                    _('{where}: {name} must be one of {choices}, not "{value}"').format(
                        where=where, name=self.name, choices=", ".join(self.choices), value=value
                    )
                )
            return value
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
                _("{where}: {name} = {value} is outside its limits, {low} to {high} {unit}")
                .format(
                    where=where,
                    name=self.name,
                    value=value,
                    unit="" if self.unit == "count" else unit_word(self.unit),
                    low="-∞" if self.low is None else self.low,
                    high="∞" if self.high is None else self.high,
                )
                .rstrip()
            )
        return value


def effective_setting(setting: Setting, parameters: Iterable[Parameter]) -> Setting:
    """Return a setting with the default of every parameter whose value makes no difference in it."""
    values = {parameter.name: parameter.effective(setting) for parameter in parameters if parameter.name in setting}
    return Setting.from_mapping({**setting, **values})
