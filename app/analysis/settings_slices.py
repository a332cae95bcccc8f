"""From settings to experiments: which of them vary one parameter, or cross several.

A *slice* is a set of settings that agree on every parameter but its factors, taken whole: all settings with those
fixed values belong to it, and each factor takes at least two values in it. With one factor it is a *line*. It is
*complete* when every combination of its factors' values is there; a line always is, and only what step 3 joins is not.

The slices of a set of settings are chosen so:

1. Complete slices of several factors, those with more factors first, then those with more settings: one joint
   experiment each. A full grid is one joint experiment and nothing else.
2. What they leave out is covered by lines. Settings are taken in the order of how many others differ from them in one
   parameter only (then how many parameters have their default, then by value), and each contributes the lines
   through it. The centre of a star goes first, so a star gives one line for each arm, and its centre is in all of them.

3. Where no setting is in all of these, they are one joint experiment: each would compare with a setting of its own, and
   nobody has them all in effect. What each parameter does is then taken apart as far as the settings allow. Lines of
   more settings than can be compared with each other stay apart.

A slice is chosen only if it holds a setting that no chosen one holds yet. So each setting that has a neighbour (another
setting that differs in one parameter) is in at least one slice, and only settings without are left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import prod

from app.analysis.settings_order import setting_key, varied_parameters
from app.domain.setting import EMPTY_SETTING, Setting, Value

# Every pair of settings counts where the best is picked from the data, so work and memory grow with their square.
MOST_SETTINGS = 1_000


@dataclass(frozen=True)
class Slice:
    """Settings that differ in some parameters only.

    Attributes:
        factors: names of the parameters that vary, in name order.
        fixed: values of the others, the same in all settings.
        settings: the whole settings, sorted by value.
    """

    factors: tuple[str, ...]
    fixed: Setting
    settings: tuple[Setting, ...]

    @property
    def is_complete(self) -> bool:
        """Whether each factor varies and every combination of their values is there."""
        levels = [len({setting[name] for setting in self.settings}) for name in self.factors]
        return min(levels) > 1 and prod(levels) == len(self.settings)


def slices_of(settings: Iterable[Setting], defaults: Mapping[str, Value] = EMPTY_SETTING) -> tuple[Slice, ...]:
    """Return the slices of settings of the same parameters, whatever their order, as the module describes.

    Args:
        settings: all with the same parameter names; repeats are taken once.
        defaults: vendor's defaults by parameter name; they only break ties.
    """
    distinct = sorted(set(settings), key=setting_key)
    varied = varied_parameters(distinct)
    uncovered = set(distinct)
    chosen: list[Slice] = []
    for candidate in chain(_joint_slices(distinct, varied), _lines(distinct, varied, defaults)):
        if not uncovered.isdisjoint(candidate.settings):
            uncovered.difference_update(candidate.settings)
            chosen.append(candidate)
    whole = None if _share_one(chosen) else _whole(chosen)
    return (whole,) if whole and len(whole.settings) <= MOST_SETTINGS else tuple(chosen)


def _share_one(chosen: Sequence[Slice]) -> bool:
    """Tell whether some setting is in all slices, as the centre of a star is."""
    return not chosen or bool(set(chosen[0].settings).intersection(*(entry.settings for entry in chosen)))


def _whole(chosen: Sequence[Slice]) -> Slice:
    """Return all settings of several slices as one."""
    settings = tuple(sorted({setting for entry in chosen for setting in entry.settings}, key=setting_key))
    factors = varied_parameters(settings)
    return Slice(factors, settings[0].without(factors), settings)


def _joint_slices(settings: Sequence[Setting], varied: Sequence[str]) -> Iterator[Slice]:
    """Yield the complete slices of several factors."""
    for size in range(len(varied), 1, -1):
        slices = chain.from_iterable(_slices_along(settings, factors) for factors in combinations(varied, size))
        yield from sorted((entry for entry in slices if entry.is_complete), key=lambda entry: -len(entry.settings))


def _lines(settings: Sequence[Setting], varied: Sequence[str], defaults: Mapping[str, Value]) -> Iterable[Slice]:
    """Return each line once, those through the setting with the most neighbours first."""
    lines_through: dict[Setting, list[Slice]] = {setting: [] for setting in settings}
    for name in varied:
        for line in _slices_along(settings, (name,)):
            for setting in line.settings:
                lines_through[setting].append(line)

    def centre_first(setting: Setting) -> tuple[int, int]:
        neighbours = sum(len(line.settings) - 1 for line in lines_through[setting])
        return -neighbours, -sum(defaults.get(name) == value for name, value in setting.items())

    in_order = chain.from_iterable(lines_through[setting] for setting in sorted(settings, key=centre_first))
    return [line for line in {id(line): line for line in in_order}.values() if line.is_complete]


def _slices_along(settings: Iterable[Setting], factors: tuple[str, ...]) -> list[Slice]:
    """Return the settings in groups that agree on all but the factors."""
    groups: dict[Setting, list[Setting]] = defaultdict(list)
    for setting in settings:
        fixed = tuple(entry for entry in setting.values_by_name if entry[0] not in factors)
        groups[Setting(fixed)].append(setting)
    return [Slice(factors, fixed, tuple(members)) for fixed, members in groups.items()]
