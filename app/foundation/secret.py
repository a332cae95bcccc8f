"""Values that must never be printed, logged or stored."""


class Secret:
    """Wraps a password so that printing, logging or formatting it shows only `***`."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the value itself; only a driver's connect call may need it."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled or copied to disk")
