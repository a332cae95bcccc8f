"""Sorting measurements made elsewhere into experiments that can be judged one by one."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TypeAlias

from app.analysis.settings_slices import Slice, slices_of
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.services.explain.importing.columns import Families


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


# Measurements that may be compared, by their settings, each with its place in the order they were given.
_BySetting: TypeAlias = dict[Setting, list[tuple[int, Measurement]]]


def experiments(
    measurements: Iterable[Measurement], families: Families | None = None
) -> tuple[ImportedExperiment, ...]:
    """Return the experiments that measurements contain, as `settings_slices` defines them.

    A measurement at the centre of a star belongs to several experiments; one that has no other setting to be compared
    with belongs to none.

    Args:
        measurements: of any families, metrics, and conditions.
        families: what the families accept; their defaults decide ties between the centres of two stars.
    """
    return tuple(
        _experiment(chosen, by_setting)
        for by_setting in _comparable(measurements)
        for chosen in _slices(by_setting, families or {})
    )


def lonely_measurements(measurements: Iterable[Measurement], families: Families) -> list[Measurement]:
    """Return the first measurement of each setting that belongs to no experiment; `families` as for `experiments`."""
    lonely: list[Measurement] = []
    for by_setting in _comparable(measurements):
        compared = {setting for chosen in _slices(by_setting, families) for setting in chosen.settings}
        lonely += [placed[0][1] for setting, placed in by_setting.items() if setting not in compared]
    return lonely


def _comparable(measurements: Iterable[Measurement]) -> Iterable[_BySetting]:
    """Return the measurements in groups of equal family, metric, conditions and phase that give the same parameters."""
    groups: dict[object, _BySetting] = {}
    for index, m in enumerate(measurements):
        group = (m.family, m.metric, m.unit, m.conditions, tuple(m.setting), m.phase)
        groups.setdefault(group, {}).setdefault(m.setting, []).append((index, m))
    return groups.values()


def _slices(by_setting: _BySetting, families: Families) -> tuple[Slice, ...]:
    family = families.get(_first_of(by_setting).family)
    return slices_of(
        by_setting, {parameter.name: parameter.default for parameter in family.parameters} if family else {}
    )


def _first_of(by_setting: _BySetting) -> Measurement:
    return next(iter(by_setting.values()))[0][1]


def _experiment(chosen: Slice, by_setting: _BySetting) -> ImportedExperiment:
    first = _first_of(by_setting)
    conditions = Setting.from_mapping({**first.conditions, **chosen.fixed})
    placed: list[tuple[int, Measurement]] = []
    for setting in chosen.settings:
        varied = setting.without(chosen.fixed)
        placed += [(index, replace(m, setting=varied, conditions=conditions)) for index, m in by_setting[setting]]
    return ImportedExperiment(
        family=first.family,
        factors=chosen.factors,
        conditions=conditions,
        metric=first.metric,
        unit=first.unit,
        measurements=tuple(m for _index, m in sorted(placed, key=itemgetter(0))),
        phase=first.phase,
    )
