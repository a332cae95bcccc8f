"""Conditions in which the experiments of a session differ: the results of each hold under its own only."""

from collections.abc import Iterable, Sequence

from app.analysis.comparing.experiment import Experiment
from app.domain.condition import is_same


def apart(experiments: Sequence[Experiment]) -> tuple[tuple[str, ...], ...]:
    """Return for each experiment the names of the conditions, its own or left out, that tell it from others.

    Those are the ones in which experiments of its family differ, and those of any family that vary one of its
    parameters. A condition that an experiment does not state tells it from those of its family that do, unless it
    varies that very parameter.
    """
    families: dict[str, list[Experiment]] = {}
    factors: dict[str, list[Experiment]] = {}
    for experiment in experiments:
        families.setdefault(experiment.family.family_id, []).append(experiment)
        for factor in _factors(experiment):
            factors.setdefault(factor, []).append(experiment)
    in_family = {family: _differing(group) | _left_out(group) for family, group in families.items()}
    by_factor = {factor: _differing(group) for factor, group in factors.items()}
    told: list[tuple[str, ...]] = []
    for experiment in experiments:
        varied = _factors(experiment)
        names = in_family[experiment.family.family_id] - varied
        names = names.union(*(by_factor[factor] & experiment.conditions.keys() for factor in varied))
        told.append(tuple(sorted(names)))
    return tuple(told)


def _factors(experiment: Experiment) -> frozenset[str]:
    if experiment.plan is not None:
        return frozenset(factor.name for factor in experiment.plan.factors)
    return frozenset(name for m in experiment.measurements[:1] for name in m.setting)


def _differing(group: Iterable[Experiment]) -> set[str]:
    """Return the names of the conditions that have several values among these experiments."""
    first: dict[str, int | float | str] = {}
    return {
        name
        for experiment in group
        for name, value in experiment.conditions.items()
        if not is_same(first.setdefault(name, value), value)
    }


def _left_out(group: Sequence[Experiment]) -> set[str]:
    """Return the names of the conditions that some of these experiments state and others neither state nor vary."""
    stated = {name for experiment in group for name in experiment.conditions}
    return {name for name in stated if any(name not in (e.conditions.keys() | _factors(e)) for e in group)}
