"""Sorting measurements made elsewhere into experiments that can be judged one by one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.services.explain.importing.columns import FamilyColumns
from app.services.explain.importing.splitting import Slice, slices_of


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


@dataclass(frozen=True)
class ComparableGroup:
    """What may be compared at all: equal family, metric, conditions, phase, and the same parameters given."""

    family: str
    metric: str
    unit: str
    conditions: Setting
    names: tuple[str, ...]
    phase: Phase = Phase.EXPLORE


def experiments(
    measurements: Iterable[Measurement], families: Mapping[str, FamilyColumns] | None = None
) -> tuple[ImportedExperiment, ...]:
    """Return the experiments that measurements contain, as `splitting` defines them.

    A measurement at the centre of a star belongs to several experiments; one that has no other setting to be compared
    with belongs to none.

    Args:
        measurements: of any families, metrics, and conditions.
        families: what the families accept; their defaults decide ties between the centres of two stars.
    """
    groups: dict[ComparableGroup, dict[Setting, list[int]]] = {}
    given = tuple(measurements)
    # One object stands for many equal settings in a large file, and hashing one takes long.
    known: dict[tuple[str, str, str, int, int, Phase], list[int]] = {}
    for index, m in enumerate(given):
        key = (m.family, m.metric, m.unit, id(m.conditions), id(m.setting), m.phase)
        indices = known.get(key)
        if indices is None:
            by_setting = groups.setdefault(group_of(m), {})
            indices = known[key] = by_setting.setdefault(m.setting, [])
        indices.append(index)
    return tuple(
        _experiment(group, chosen, by_setting, given)
        for group, by_setting in groups.items()
        for chosen in slices_of(by_setting, defaults_of(group.family, families or {}))
    )


def group_of(m: Measurement) -> ComparableGroup:
    """Return the group in which a measurement may be compared."""
    return ComparableGroup(m.family, m.metric, m.unit, m.conditions, tuple(m.setting), m.phase)


def defaults_of(family: str, families: Mapping[str, FamilyColumns]) -> Setting:
    """Return the vendor's defaults of a family's parameters."""
    columns = families.get(family)
    return Setting.from_mapping({knob.name: knob.default for knob in columns.knobs}) if columns else EMPTY_SETTING


def lonely_settings(
    settings_by_group: Mapping[ComparableGroup, Iterable[Setting]], families: Mapping[str, FamilyColumns]
) -> Iterator[tuple[ComparableGroup, tuple[Setting, ...]]]:
    """Yield for each group the settings that belong to no experiment."""
    for group, settings in settings_by_group.items():
        chosen = slices_of(settings, defaults_of(group.family, families))
        compared = {setting for entry in chosen for setting in entry.settings}
        yield group, tuple(setting for setting in settings if setting not in compared)


def _experiment(
    group: ComparableGroup,
    chosen: Slice,
    indices_by_setting: Mapping[Setting, list[int]],
    given: tuple[Measurement, ...],
) -> ImportedExperiment:
    conditions = Setting.from_mapping({**group.conditions, **chosen.fixed})
    reduced: dict[int, Setting] = {}
    for setting in chosen.settings:
        varied = setting if not chosen.fixed else _only(setting, chosen.factors)
        for index in indices_by_setting[setting]:
            reduced[index] = varied
    return ImportedExperiment(
        family=group.family,
        factors=chosen.factors,
        conditions=conditions,
        metric=group.metric,
        unit=group.unit,
        measurements=tuple(
            given[index] if not chosen.fixed else _moved(given[index], reduced[index], conditions)
            for index in sorted(reduced)
        ),
        phase=group.phase,
    )


def _only(setting: Setting, names: tuple[str, ...]) -> Setting:
    values: dict[str, Value] = {name: setting[name] for name in names}
    return Setting.from_mapping(values)


def _moved(m: Measurement, setting: Setting, conditions: Setting) -> Measurement:
    return Measurement(m.family, m.trial_id, m.block, m.metric, m.value, m.unit, setting, conditions, m.phase)
