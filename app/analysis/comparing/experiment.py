"""Measurements sorted into experiments that are compared one by one; nothing is compared here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.analysis.outcomes import Circumstances, circumstances_of
from app.analysis.settings_order import lowest_or_default
from app.analysis.settings_slices import MOST_SETTINGS
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import Measurement, Metric, TrialResult, TrialStatus
from app.domain.own_load import OwnBacklog
from app.domain.plan import Phase, Plan
from app.domain.setting import EMPTY_SETTING, Parameter, Setting, effective_setting
from app.foundation.texts import _

# Minimum worthwhile effect of measurements from elsewhere, which bring no plan: a plan's default.
DEFAULT_MINIMUM_EFFECT = 0.05


@dataclass(frozen=True)
class Declared:
    """A family's declarations about its comparisons.

    Attributes:
        family_id, parameters, metrics, main_metrics, stand_in_metrics, backlog_elsewhere, compares_all, may_forecast,
            own_backlog: as in `FamilyOf`.
        swept: names of the conditions that vary within each trial.
    """

    family_id: str
    parameters: tuple[Parameter, ...]
    metrics: tuple[Metric, ...]
    main_metrics: tuple[Metric, ...]
    stand_in_metrics: tuple[Metric, ...]
    backlog_elsewhere: OwnBacklog | None
    compares_all: bool
    swept: frozenset[str]
    may_forecast: Callable[[Plan | None, Setting], bool]
    own_backlog: Callable[[Plan, Any], OwnBacklog | None]

    @staticmethod
    def by(family: ExperimentFamily) -> "Declared":
        """Return a family's declarations."""
        return Declared(
            family_id=family.family_id,
            parameters=family.parameters,
            metrics=family.metrics,
            main_metrics=family.main_metrics,
            stand_in_metrics=family.stand_in_metrics,
            backlog_elsewhere=family.backlog_elsewhere,
            compares_all=family.compares_all,
            swept=frozenset(condition.name for condition in family.swept),
            may_forecast=family.may_forecast,
            own_backlog=family.own_backlog,
        )


@dataclass(frozen=True)
class MainMeasure:
    """Measurements of one metric that claims may be made about, all of them comparable but for phase and sweep."""

    metric: Metric
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class Experiment:
    """All that was measured in one experiment, own or from elsewhere, before anything is compared.

    Attributes:
        conditions: those that all measurements share.
        measurements: the used ones, all metrics.
        main: at least one; claims are made about the first, comparisons of the others stand beside it. Made elsewhere,
            confirming trials come first, and exploring ones of the same metric are not named again.
        noise_cv, minimum_effect: as in `Design`.
        plan, site: None for measurements from elsewhere.
        trials: own trials, used or not.
        baseline: as in `MeasuredElsewhere`.
    """

    family: Declared
    conditions: Setting
    measurements: tuple[Measurement, ...]
    main: tuple[MainMeasure, ...]
    noise_cv: float | None
    minimum_effect: float = DEFAULT_MINIMUM_EFFECT
    plan: Plan | None = None
    site: Site | None = None
    trials: tuple[TrialResult, ...] = ()
    baseline: Setting = EMPTY_SETTING

    @property
    def circumstances(self) -> Circumstances:
        """Return the circumstances of its trials, besides their values."""
        return circumstances_of(self.family.metrics, self.measurements, self.trials)


@dataclass(frozen=True)
class MeasuredRun:
    """One own run as it was measured.

    Attributes:
        metric: the one claims are made about under its plan.
        site: what was read before, None where nobody wrote it down.
    """

    family: Declared
    metric: Metric
    plan: Plan
    trials: tuple[TrialResult, ...]
    site: Site | None


@dataclass(frozen=True)
class MeasuredElsewhere:
    """Measurements made elsewhere.

    Attributes:
        families: what they declare, by id.
        named: of families whose comparisons are all named beforehand.
        picked: of the others, sorted into those of one metric, unit and phase whose settings differ in the same
            parameters under equal conditions; none empty.
        noise_cv: run-to-run noise given with the measurements, as a share, or None.
        baseline: values given for the setting the others are compared with; empty for none.
    """

    families: Mapping[str, Declared]
    named: tuple[Measurement, ...]
    picked: tuple[tuple[Measurement, ...], ...]
    noise_cv: float | None
    baseline: Setting = EMPTY_SETTING


def experiments_of(runs: Iterable[MeasuredRun], elsewhere: MeasuredElsewhere) -> tuple[Experiment, ...]:
    """Return the experiments of own runs, then those made elsewhere.

    A run without any trial measured to its end is left out, and so is what was made elsewhere without any main metric.

    Raises:
        BadInput: measurements from elsewhere hold more settings than can be compared.
    """
    picked = tuple(_picked(elsewhere))  # first, since it may refuse what was measured
    own = (experiment_of(run) for run in runs)
    return (*(one for one in own if one is not None), *_named(elsewhere), *picked)


def experiment_of(run: MeasuredRun) -> Experiment | None:
    """Return the experiment of an own run, None before any of its trials was measured to its end.

    A run whose trials of some setting could all not be used compares nothing, and still has something to say: why
    they could not.
    """
    measured = next((m for t in run.trials for m in t.measurements), None)
    if measured is None:
        return None
    used = tuple(m for t in run.trials if t.status is TrialStatus.USED for m in t.measurements)
    return Experiment(
        family=run.family,
        conditions=measured.conditions.without(run.family.swept),
        plan=run.plan,
        site=run.site,
        trials=run.trials,
        measurements=used,
        main=(MainMeasure(run.metric, tuple(m for m in used if m.metric == run.metric.name)),),
        minimum_effect=run.plan.design.minimum_effect,
        noise_cv=run.plan.design.noise_cv,
    )


def _named(elsewhere: MeasuredElsewhere) -> Iterator[Experiment]:
    """Yield an experiment for each family and set of conditions; settings that do the same are one setting."""
    groups: dict[tuple[str, Setting], list[Measurement]] = {}
    for m in elsewhere.named:
        family = elsewhere.families[m.family]
        groups.setdefault((m.family, m.conditions.without(family.swept)), []).append(m)
    for (family_id, conditions), given in groups.items():
        family = elsewhere.families[family_id]
        measured = _as_one_setting(given, family.parameters)
        main = [each for metric in family.main_metrics if (each := _measured_by(metric, measured)).measurements][:1]
        if not main:
            stand_ins = [_measured_by(metric, measured) for metric in family.stand_in_metrics]
            main = [one for one in stand_ins if len({m.setting for m in one.measurements}) > 1]
        if main:
            noise_cv, baseline = elsewhere.noise_cv, elsewhere.baseline
            yield Experiment(family, conditions, tuple(measured), tuple(main), noise_cv, baseline=baseline)


def _as_one_setting(measured: Sequence[Measurement], parameters: Sequence[Parameter]) -> list[Measurement]:
    """Return measurements with one setting for all that do the same.

    It is the one given where only one was, with the default of what makes no difference in it whatever its value.
    """
    given: dict[Setting, set[Setting]] = {}
    for m in measured:
        given.setdefault(effective_setting(m.setting, parameters), set()).add(m.setting)
    one = {
        setting: _as_given(effective, setting, parameters) if len(same) == 1 else effective
        for effective, same in given.items()
        for setting in same
    }
    return [replace(m, setting=one[m.setting]) for m in measured]


def _as_given(effective: Setting, given: Setting, parameters: Sequence[Parameter]) -> Setting:
    values = {p.name: given[p.name] for p in parameters if p.name in given and p.applies_in(given)}
    return Setting.from_mapping({**effective, **values})


def _measured_by(metric: Metric, measured: Iterable[Measurement]) -> MainMeasure:
    return MainMeasure(metric, tuple(m for m in measured if m.metric == metric.name))


def _picked(elsewhere: MeasuredElsewhere) -> Iterator[Experiment]:
    """Yield an experiment for each family, conditions and factors: all metrics measured there."""
    groups: dict[tuple[str, Setting, tuple[str, ...]], list[tuple[Measurement, ...]]] = {}
    for part in elsewhere.picked:
        _check_size(part)
        groups.setdefault((part[0].family, part[0].conditions, tuple(part[0].setting)), []).append(part)
    for (family_id, conditions, _factors), parts in groups.items():
        family = elsewhere.families[family_id]
        main = _in_order(family.main_metrics, parts) or _in_order(family.stand_in_metrics, parts)
        if main:
            measurements = tuple(m for part in parts for m in part)
            baseline = lowest_or_default((m.setting for m in measurements), family.parameters, elsewhere.baseline)
            fresh = tuple(each for each in main if is_confirming(each.measurements, baseline))
            confirmed = {each.metric.name for each in fresh}
            main = (*fresh, *(each for each in main if each.metric.name not in confirmed))
            yield Experiment(family, conditions, measurements, main, elsewhere.noise_cv, baseline=elsewhere.baseline)


def is_confirming(measurements: Sequence[Measurement], baseline: Setting) -> bool:
    """Tell whether measurements of one phase are fresh trials of the baseline beside what was named before them."""
    return measurements[0].phase is Phase.CONFIRM and any(m.setting == baseline for m in measurements)


def _in_order(metrics: Iterable[Metric], parts: Sequence[tuple[Measurement, ...]]) -> tuple[MainMeasure, ...]:
    return tuple(MainMeasure(metric, part) for metric in metrics for part in parts if part[0].metric == metric.name)


def _check_size(part: Sequence[Measurement]) -> None:
    """Refuse an experiment whose settings are too many to be compared each with each."""
    count = len({m.setting for m in part})
    if count > MOST_SETTINGS:
        raise BadInput(
            _(
                "{family}: {count:,} different values of {factor} were measured under equal conditions; "
                "at most {most:,} can be compared with each other, so leave some out"
            ).format(family=part[0].family, count=count, factor=" × ".join(part[0].setting), most=MOST_SETTINGS)
        )
