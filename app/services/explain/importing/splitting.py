"""From settings to experiments: which of them vary one parameter, or cross several.

A *slice* is a set of settings that agree on every parameter but its factors, taken whole: all settings with those
fixed values belong to it, and each factor takes at least two values in it. With one factor it is a *line*. It is
*complete* when every combination of its factors' values is there; a line always is.

The slices of a set of settings are chosen so:

1. Complete slices of several factors, those with more factors first, then those with more settings: one joint
   experiment each. A full grid is one joint experiment and nothing else.
2. What they leave out is covered by lines. Settings are taken in the order of how many others differ from them in one
   parameter only (then how many parameters have their default, then by value), and each contributes the lines
   through it. The centre of a star goes first, so a star gives one line for each arm, and its centre is in all of them.

A slice is chosen only if it holds a setting that no chosen one holds yet. So each setting that has a neighbour (another
setting that differs in one parameter) is in at least one slice, and only settings without are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from app.analysis.settings_order import level_key
from app.domain.setting import EMPTY_SETTING, Setting, Value

_Point = tuple[Value, ...]
_LevelKey = tuple[tuple[bool, float, str], ...]


@dataclass(frozen=True)
class Slice:
    """Settings that differ in some parameters only.

    Attributes:
        factors: names of the parameters that vary, in name order.
        fixed: values of the others, the same in all settings.
        settings: the whole settings, sorted by value; at least two.
    """

    factors: tuple[str, ...]
    fixed: Setting
    settings: tuple[Setting, ...]


def slices_of(settings: Iterable[Setting], defaults: Mapping[str, Value] = EMPTY_SETTING) -> tuple[Slice, ...]:
    """Return the slices of settings of the same parameters, whatever their order, as the module describes.

    Args:
        settings: all with the same parameter names; repeats are taken once.
        defaults: vendor's defaults by parameter name; they only break ties.
    """
    distinct = sorted(set(settings), key=_setting_key)
    if not distinct:
        return ()
    return _Cover(tuple(distinct[0]), [tuple(setting.values()) for setting in distinct], defaults).slices()


def _setting_key(setting: Setting) -> _LevelKey:
    return _point_key(tuple(setting.values()))


def _point_key(point: _Point) -> _LevelKey:
    return tuple(level_key(value) for value in point)


class _Cover:
    """Covers points (values in the order of `names`, sorted) with slices."""

    def __init__(self, names: tuple[str, ...], points: list[_Point], defaults: Mapping[str, Value]) -> None:
        self._names = names
        self._points = points
        self._defaults = tuple(defaults.get(name) for name in names)
        self._varied = [at for at in range(len(names)) if len({point[at] for point in points}) > 1]
        self._open = set(points)

    def slices(self) -> tuple[Slice, ...]:
        """Return the chosen slices."""
        return (*self._joint_slices(), *self._lines())

    def _joint_slices(self) -> Iterator[Slice]:
        for size in range(len(self._varied), 1, -1):
            complete = [
                (factors, members)
                for factors in combinations(self._varied, size)
                for members in self._by_fixed_values(factors).values()
                if _is_complete(factors, members)
            ]
            for factors, members in sorted(complete, key=lambda entry: -len(entry[1])):
                if not self._open.isdisjoint(members):
                    self._open.difference_update(members)
                    yield self._slice(factors, members)

    def _lines(self) -> Iterator[Slice]:
        if not self._open:
            return
        lines = {at: self._by_fixed_values((at,)) for at in self._varied}
        neighbours = Counter[_Point]()
        for by_fixed in lines.values():
            for members in by_fixed.values():
                neighbours.update(dict.fromkeys(members, len(members) - 1))
        left = {at: {key: sum(p in self._open for p in line) for key, line in lines[at].items()} for at in self._varied}
        for point in sorted(self._points, key=lambda p: (-neighbours[p], -self._defaults_in(p))):
            for at in self._varied:
                key = _without(point, (at,))
                members = lines[at][key]
                if len(members) > 1 and left[at][key]:
                    for member in members:
                        self._close(member, left)
                    yield self._slice((at,), members)

    def _close(self, point: _Point, left: dict[int, dict[_Point, int]]) -> None:
        """Mark a point as covered, so that lines which would add nothing else are no longer chosen."""
        if point in self._open:
            self._open.remove(point)
            for at in self._varied:
                left[at][_without(point, (at,))] -= 1

    def _by_fixed_values(self, factors: tuple[int, ...]) -> dict[_Point, list[_Point]]:
        groups: dict[_Point, list[_Point]] = defaultdict(list)
        for point in self._points:
            groups[_without(point, factors)].append(point)
        return groups

    def _defaults_in(self, point: _Point) -> int:
        return sum(value == default for value, default in zip(point, self._defaults, strict=True))

    def _slice(self, factors: tuple[int, ...], members: Sequence[_Point]) -> Slice:
        fixed = {name: members[0][at] for at, name in enumerate(self._names) if at not in factors}
        return Slice(
            factors=tuple(self._names[at] for at in factors),
            fixed=Setting.from_mapping(fixed),
            settings=tuple(Setting(tuple(zip(self._names, point, strict=True))) for point in members),
        )


def _without(point: _Point, factors: tuple[int, ...]) -> _Point:
    return tuple(value for at, value in enumerate(point) if at not in factors)


def _is_complete(factors: tuple[int, ...], members: Sequence[_Point]) -> bool:
    """Return whether each factor varies among the points and every combination of their values is there."""
    levels = [len({point[at] for point in members}) for at in factors]
    return min(levels) > 1 and prod(levels) == len(members)
