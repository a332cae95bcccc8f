"""From an experiment to its evidence: what was asked of it is estimated and judged."""

from dataclasses import dataclass

from app.analysis.compare import compare
from app.analysis.comparing.experiment import Experiment
from app.analysis.comparing.policy import Asked, NamedPairs, asked_of
from app.analysis.estimate import estimate
from app.analysis.forecast import forecast
from app.analysis.settings_order import setting_key
from app.analysis.swept import compare_swept, fit_swept
from app.domain.comparison import Comparison, Forecast
from app.domain.family import Evidence
from app.domain.metrics import THROUGHPUT


@dataclass(frozen=True)
class Compared:
    """An experiment's evidence, and comparisons of its further main measures, which explain and carry no claim."""

    evidence: Evidence
    beside: tuple[Comparison, ...]


def compared(experiment: Experiment) -> Compared:
    """Return what an experiment's measurements show, before rules say what that means."""
    claimed, *beside = (
        tuple(comparison for asked in asked_of(experiment, main) for comparison in answered(asked))
        for main in experiment.main
    )
    evidence = Evidence(
        family=experiment.family.family_id,
        conditions=experiment.conditions,
        plan=experiment.plan,
        site=experiment.site,
        measurements=experiment.measurements,
        comparisons=claimed,
        forecasts=_forecasts(experiment),
        trials=experiment.trials,
        minimum_effect=experiment.minimum_effect,
        noise_cv=experiment.noise_cv,
    )
    return Compared(evidence, tuple(comparison for each in beside for comparison in each))


def answered(asked: Asked) -> tuple[Comparison, ...]:
    """Estimate and judge what was asked: the one place that chooses the model."""
    better = asked.metric.better
    if isinstance(asked.which, NamedPairs):
        fit = fit_swept(asked.measurements, asked.which.swept, asked.noise_cv)
        return compare_swept(fit, asked.which.pairs, better, asked.minimum_effect)
    return compare(
        asked.measurements,
        asked.which,
        better,
        asked.minimum_effect,
        asked.noise_cv,
        asked.confidence,
        exploring_noise=estimate(asked.exploring).noise if asked.exploring else None,
    )


def _forecasts(experiment: Experiment) -> tuple[Forecast, ...]:
    """Return the catch-up forecast of each setting whose throughput was measured, as far as the server decides it."""
    backlog_commands = experiment.family.default_backlog_commands
    rates = [m for m in experiment.measurements if m.metric == THROUGHPUT.name]
    if not backlog_commands or not rates or not experiment.family.may_forecast(experiment.plan, rates[0].conditions):
        return ()
    settings = sorted({m.setting for m in rates}, key=setting_key)
    return tuple(forecast(rates, setting, backlog_commands, noise_cv=experiment.noise_cv) for setting in settings)
