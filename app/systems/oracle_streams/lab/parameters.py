"""Parameters of a capture or apply process: text as Oracle keeps it, and the values the physics uses."""

from collections.abc import Mapping

from app.systems.oracle_streams.lab.parameter_values import as_number, check_value
from app.systems.oracle_streams.lab.scenario import ParameterConstants


class ParameterSet:
    """Every parameter of one process; names in capitals, values as text.

    A value that the process reads only when it starts is kept as it was then (`started`).
    """

    def __init__(self, constants: ParameterConstants) -> None:
        self._default = dict(constants.default)
        self._set = dict(constants.set_by_user)
        self._started: Mapping[str, str] = {}
        self._started_set: frozenset[str] = frozenset()
        self.note_start()

    @property
    def names(self) -> tuple[str, ...]:
        """All names of this release, sorted."""
        return tuple(sorted(self._default))

    def value(self, name: str) -> str:
        """Return a value as it is set now; raises KeyError for a name this release does not have."""
        return self._set.get(name, self._default[name])

    def as_text(self) -> str:
        """Return all present values as one text, equal only where they are."""
        return " ".join(f"{name}={self.value(name)}" for name in self.names)

    def is_set_by_user(self, name: str) -> bool:
        """Whether a user has set it, also to its default value."""
        return name in self._set

    def set(self, name: str, value: str | None) -> None:
        """Set a value, or with None put its default back.

        Raises:
            KeyError: this release does not have the parameter.
            ValueError: the value is not one the parameter takes.
        """
        if name not in self._default:
            raise KeyError(name)
        if value is None:
            self._set.pop(name, None)
            return
        check_value(name, value)
        self._set[name] = value

    def note_start(self) -> None:
        """Keep the present values as those of the process's start."""
        self._started = {**self._default, **self._set}
        self._started_set = frozenset(self._set)

    def number(self, name: str, absent: float) -> float:
        """Return the present value as a number, inf for INFINITE, `absent` where this release lacks the parameter."""
        return as_number(self.value(name)) if name in self._default else absent

    def started(self, name: str, absent: float) -> float:
        """Return `number` as it was when the process started."""
        return as_number(self._started[name]) if name in self._started else absent

    def started_if_set(self, name: str) -> float | None:
        """Return `started` where a user had set it; None where the default applied."""
        return as_number(self._started[name]) if name in self._started_set else None

    def started_text(self, name: str, absent: str) -> str:
        """Return the text a parameter had when the process started."""
        return self._started.get(name, absent)

    def as_started(self) -> dict[str, str]:
        """Return every value as it was when the process started."""
        return dict(self._started)

    def flag(self, name: str, absent: bool) -> bool:
        """Return whether the present value is Y, `absent` where this release lacks the parameter."""
        return self.value(name) == "Y" if name in self._default else absent
