"""Sorting measurements made elsewhere into experiments that can be judged one by one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TypeAlias

from app.analysis.settings_order import setting_key, varied_parameters
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
        for by_setting, slices in _sorted_out(measurements, families or {})
        for chosen in slices
    )


def lonely_measurements(measurements: Iterable[Measurement], families: Families) -> list[Measurement]:
    """Return the first measurement of each setting that belongs to no experiment; `families` as for `experiments`."""
    lonely: list[Measurement] = []
    for by_setting, slices in _sorted_out(measurements, families):
        compared = {setting for chosen in slices for setting in chosen.settings}
        lonely += [placed[0][1] for setting, placed in by_setting.items() if setting not in compared]
    return lonely


def _sorted_out(
    measurements: Iterable[Measurement], families: Families
) -> Iterator[tuple[_BySetting, tuple[Slice, ...]]]:
    """Yield the measurements in groups of equal family, metric, conditions and phase that give the same parameters,
    each with its slices."""
    groups: dict[tuple[object, Phase], _BySetting] = {}
    for index, m in enumerate(measurements):
        group = ((m.family, m.metric, m.unit, m.conditions, tuple(m.setting)), m.phase)
        groups.setdefault(group, {}).setdefault(m.setting, []).append((index, m))
    for (alike, phase), by_setting in groups.items():
        if phase is Phase.CONFIRM:
            yield by_setting, _confirmed_slices(by_setting, groups.get((alike, Phase.EXPLORE), {}), families)
        else:
            yield by_setting, _slices(by_setting, families)


def _confirmed_slices(by_setting: _BySetting, explored: _BySetting, families: Families) -> tuple[Slice, ...]:
    """Return the slices of confirming trials: where these settings were explored together, they stay together.

    Whoever named them wants them compared, also where they differ in several parameters.
    """
    if len(by_setting) < 2:
        return ()
    settings = tuple(sorted(by_setting, key=setting_key))
    around = next((s for s in _slices(explored, families) if by_setting.keys() <= set(s.settings)), None)
    if around is not None:
        return (replace(around, settings=settings),)
    factors = varied_parameters(settings)
    return _slices(by_setting, families) or (Slice(factors, settings[0].without(factors), settings),)


def _slices(by_setting: _BySetting, families: Families) -> tuple[Slice, ...]:
    family = families.get(_first_of(by_setting).family) if by_setting else None
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
        placed += [
            (index, m if not chosen.fixed else replace(m, setting=varied, conditions=conditions))
            for index, m in by_setting[setting]
        ]
    return ImportedExperiment(
        family=first.family,
        factors=chosen.factors,
        conditions=conditions,
        metric=first.metric,
        unit=first.unit,
        measurements=tuple(m for _index, m in sorted(placed, key=itemgetter(0))),
        phase=first.phase,
    )
