"""Sorting measurements made elsewhere into experiments that can be judged one by one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.services.explain.importing.columns import FamilyColumns
from app.services.explain.importing.splitting import Slice, slices_of

Families = Mapping[str, FamilyColumns]


@dataclass(frozen=True)
class ImportedExperiment:
    """Measurements of one metric under equal conditions whose settings differ in known factors only.

    Attributes:
        family: id of the experiment family.
        factors: names of the varied parameters, in name order.
        conditions: of the measurements, together with the parameters that were held fixed.
        metric, unit: of all measurements.
        phase: of all measurements; means of exploring and confirming trials never mix.
        measurements: in the order they were given, with the factors only in `setting` and with `conditions` as above.
    """

    family: str
    factors: tuple[str, ...]
    conditions: Setting
    metric: str
    unit: str
    measurements: tuple[Measurement, ...]
    phase: Phase = Phase.EXPLORE

    @property
    def factor(self) -> str:
        """The varied parameter, or several joined by " × "."""
        return " × ".join(self.factors)


class _Group(NamedTuple):
    """What may be compared at all: equal family, metric, conditions, phase, and the same parameters given."""

    family: str
    metric: str
    unit: str
    conditions: Setting
    names: tuple[str, ...]
    phase: Phase


# The measurements of a group, each with its place in the order they were given.
_BySetting = dict[Setting, list[tuple[int, Measurement]]]


def experiments(
    measurements: Iterable[Measurement], families: Families | None = None
) -> tuple[ImportedExperiment, ...]:
    """Return the experiments that measurements contain, as `splitting` defines them.

    A measurement at the centre of a star belongs to several experiments; one that has no other setting to be compared
    with belongs to none.

    Args:
        measurements: of any families, metrics, and conditions.
        families: what the families accept; their defaults decide ties between the centres of two stars.
    """
    return tuple(
        _experiment(group, chosen, by_setting)
        for group, by_setting in _comparable(measurements).items()
        for chosen in _slices(group, by_setting, families or {})
    )


def lonely_measurements(measurements: Iterable[Measurement], families: Families) -> list[Measurement]:
    """Return the first measurement of each setting that belongs to no experiment; `families` as for `experiments`."""
    lonely: list[Measurement] = []
    for group, by_setting in _comparable(measurements).items():
        compared = {setting for chosen in _slices(group, by_setting, families) for setting in chosen.settings}
        lonely += [placed[0][1] for setting, placed in by_setting.items() if setting not in compared]
    return lonely


def _comparable(measurements: Iterable[Measurement]) -> dict[_Group, _BySetting]:
    groups: dict[_Group, _BySetting] = {}
    for index, m in enumerate(measurements):
        group = _Group(m.family, m.metric, m.unit, m.conditions, tuple(m.setting), m.phase)
        groups.setdefault(group, {}).setdefault(m.setting, []).append((index, m))
    return groups


def _slices(group: _Group, settings: Iterable[Setting], families: Families) -> tuple[Slice, ...]:
    parameters = families[group.family].parameters if group.family in families else ()
    return slices_of(settings, {parameter.name: parameter.default for parameter in parameters})


def _experiment(group: _Group, chosen: Slice, by_setting: _BySetting) -> ImportedExperiment:
    conditions = Setting.from_mapping({**group.conditions, **chosen.fixed})
    placed: list[tuple[int, Measurement]] = []
    for setting in chosen.settings:
        varied = Setting.from_mapping({name: setting[name] for name in chosen.factors})
        placed += [(index, replace(m, setting=varied, conditions=conditions)) for index, m in by_setting[setting]]
    return ImportedExperiment(
        family=group.family,
        factors=chosen.factors,
        conditions=conditions,
        metric=group.metric,
        unit=group.unit,
        measurements=tuple(m for _index, m in sorted(placed, key=itemgetter(0))),
        phase=group.phase,
    )
