"""Values by name, kept as pairs in name order so that they are hashable."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class ByName(Mapping[str, V]):
    """The reading side of a frozen dataclass whose one field is `values_by_name`."""

    values_by_name: tuple[tuple[str, V], ...]

    def __getitem__(self, name: str) -> V:
        for key, value in self.values_by_name:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _value in self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)
