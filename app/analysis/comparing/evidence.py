"""From an experiment to its evidence: its questions are estimated and judged."""

from dataclasses import dataclass, replace

from app.analysis.carry_over import Ran, settings_before, with_carry_over
from app.analysis.compare import Against, compare
from app.analysis.comparing.by_factors import by_factors
from app.analysis.comparing.experiment import Experiment, MainMeasure
from app.analysis.comparing.policy import Asked, NamedPairs, asked_of
from app.analysis.confirmation import LOOK_ERROR
from app.analysis.confirmed import Confirming, compare_confirmed
from app.analysis.disturbed import undisturbed
from app.analysis.estimate import estimate
from app.analysis.factorial import Sparing
from app.analysis.forecast import forecast
from app.analysis.noise import is_understated
from app.analysis.regression import taken_apart
from app.analysis.rivals import Seen, with_rivals
from app.analysis.settings_order import lowest_or_default, setting_key
from app.analysis.simplest import Judging, costly_of, margin_of, simplest_shown
from app.analysis.swept import compare_swept, fit_swept
from app.domain.comparison import Comparison, Forecast, turned
from app.domain.family import Evidence
from app.domain.measurement import Measurement
from app.domain.metrics import THROUGHPUT
from app.domain.own_load import OwnBacklog
from app.domain.plan import Phase, Plan, Stop
from app.domain.setting import EMPTY_SETTING, Setting


@dataclass(frozen=True)
class Doubted:
    """A noise level that was stated, and the larger one that the trials show, as shares."""

    stated_cv: float
    observed_cv: float


@dataclass(frozen=True)
class Compared:
    """An experiment's evidence, and further knowledge of its comparisons.

    Attributes:
        disturbed: measurements of the first main measure whose exploring trials stand out from all others.
        own: those that stand out and are all of one setting, so that they count as what may be its own doing.
        doubted: a stated noise level that these trials do not bear out, None for none.
        baseline: the setting that measurements from elsewhere are claimed against, empty where comparisons name theirs.
    """

    evidence: Evidence
    disturbed: tuple[Measurement, ...] = ()
    own: tuple[Measurement, ...] = ()
    doubted: Doubted | None = None
    baseline: Setting = EMPTY_SETTING

    @property
    def told(self) -> tuple[Comparison, ...]:
        """The evidence's comparisons as they are told: never is a baseline that did best praised over the others."""
        return tuple(map(self._told, self.evidence.comparisons))

    @property
    def told_beside(self) -> tuple[Comparison, ...]:
        """The comparisons of further measures, told alike."""
        return tuple(map(self._told, self.evidence.beside))

    def _told(self, comparison: Comparison) -> Comparison:
        return turned(comparison) if comparison.candidate == self.baseline else comparison


def compared(experiment: Experiment) -> Compared:
    """Return the evidence of an experiment's measurements, before rules interpret it."""
    first, *others = experiment.main
    claimed = _simplest(experiment, _compared(experiment, first))
    # what the setting picked by the first measure does to the others is told, whatever did best by those
    told = sorted(claimed, key=lambda c: c.phase is not Phase.CONFIRM)
    picked = told[0].candidate if told and experiment.plan is None else None
    beside = [_compared(experiment, main, picked) for main in others]
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
        baseline=experiment.baseline,
        beside=tuple(comparison for each in beside for comparison in each),
    )
    explored = tuple(m for m in experiment.main[0].measurements if m.phase is Phase.EXPLORE)
    strange = undisturbed(explored, experiment.circumstances) if explored and experiment.plan is not None else None
    return Compared(
        evidence=evidence,
        disturbed=() if strange is None else strange.disturbed,
        own=() if strange is None else strange.own,
        doubted=_doubted(explored, experiment.noise_cv) if not experiment.family.swept else None,
        baseline=EMPTY_SETTING
        if experiment.plan is not None or experiment.family.compares_all
        else _baseline(experiment),
    )


def _baseline(experiment: Experiment) -> Setting:
    measured = (m.setting for m in experiment.main[0].measurements)
    return lowest_or_default(measured, experiment.family.parameters, experiment.baseline)


def _compared(experiment: Experiment, main: MainMeasure, picked: Setting | None = None) -> tuple[Comparison, ...]:
    return tuple(
        _beside_rivals(_behind_others(comparison, experiment, main), experiment, main)
        for asked in asked_of(experiment, main, picked)
        for comparison in answered(asked)
    )


def _simplest(experiment: Experiment, claimed: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    """Return the comparisons of measurements from elsewhere, of the simplest setting that does as well as the best.

    Where two factors can be taken apart, of the one in which only what helps by itself is changed.
    """
    family, main = experiment.family, experiment.main[0]
    if experiment.plan is not None or family.compares_all or not claimed or claimed[-1].phase is Phase.CONFIRM:
        return claimed  # what fresh trials confirm was picked before them
    judging = _judging(experiment, main)
    sparing = Sparing(judging.costly, margin_of(judging.minimum_effect))
    apart = taken_apart(main.measurements, judging.baseline, judging.better, experiment.noise_cv, sparing=sparing)
    shown = None if apart is None or apart.recommended == judging.baseline else apart.recommended
    picked = simplest_shown(claimed, judging) if shown is None else shown
    told = claimed if picked is None else _compared(experiment, main, picked)
    return told if apart is None or shown is None else by_factors(told, apart, judging, main.measurements)


def _judging(experiment: Experiment, main: MainMeasure) -> Judging:
    """Return the terms for settings of measurements from elsewhere, against the lowest or default values."""
    parameters = experiment.family.parameters
    return Judging(
        baseline=lowest_or_default((m.setting for m in main.measurements), parameters, experiment.baseline),
        costly=costly_of(parameters),
        better=main.metric.better,
        minimum_effect=experiment.minimum_effect,
    )


def _beside_rivals(comparison: Comparison, experiment: Experiment, main: MainMeasure) -> Comparison:
    """Return a comparison with the settings that may do better still, where it was confirmed after exploring.

    A model tries settings in no blocks: its exploring trials are one block, so that each tells of the noise.
    """
    plan = experiment.plan
    if comparison.confirmation is None or plan is None:
        return comparison
    seen = Seen(
        _in_one_block(main.measurements, plan), main.metric.better, experiment.noise_cv, experiment.circumstances
    )
    return with_rivals(comparison, seen)


def _behind_others(comparison: Comparison, experiment: Experiment, main: MainMeasure) -> Comparison:
    """Return a comparison that carries a claim with the carry-over its trials show."""
    plan = experiment.plan
    if comparison.phase is not Phase.CONFIRM or plan is None:
        return comparison
    told = comparison.confirmation
    explored = tuple(m for m in main.measurements if m.phase is Phase.EXPLORE)
    aside = {m.trial_id for m in undisturbed(explored, experiment.circumstances).disturbed} if explored else set()
    if told is not None:
        aside |= told.aside
    alike = (m for m in main.measurements if m.conditions == comparison.conditions and m.trial_id not in aside)
    ran = Ran(_in_one_block(tuple(alike), plan), settings_before(experiment.trials))
    return with_carry_over(comparison, ran, main.metric.better)


def _in_one_block(measurements: tuple[Measurement, ...], plan: Plan) -> tuple[Measurement, ...]:
    """Return measurements with the exploring trials of a model in block 1; those of other plans as they are."""
    if plan.design.stop is not Stop.MODEL:
        return measurements
    return tuple(replace(m, block=1) if m.phase is Phase.EXPLORE else m for m in measurements)


def _doubted(explored: tuple[Measurement, ...], noise_cv: float | None) -> Doubted | None:
    """Return a stated noise level that these trials do not bear out."""
    if noise_cv is None or not explored:
        return None
    observed = estimate(explored).noise
    if observed is None or not is_understated(observed, noise_cv):
        return None
    return Doubted(noise_cv, observed.cv)


def answered(asked: Asked) -> tuple[Comparison, ...]:
    """Estimate and judge a question: the one place that chooses the model."""
    better, effect, noise_cv = asked.metric.better, asked.minimum_effect, asked.noise_cv
    if isinstance(asked.which, NamedPairs):
        fit = fit_swept(asked.measurements, asked.which.swept, noise_cv)
        return compare_swept(fit, asked.which.pairs, better, effect, asked.step, asked.confidence)
    if isinstance(asked.which, Against) and asked.measurements[0].phase is Phase.CONFIRM:
        if not _has_blocks(asked.measurements):
            return compare(asked.measurements, asked.which, better, effect, noise_cv, 1 - LOOK_ERROR, step=asked.step)
        confirming = Confirming(
            measurements=asked.measurements,
            baseline=asked.which.baseline,
            explored=asked.exploring,
            better=better,
            minimum_effect=effect,
            noise_cv=noise_cv,
            step=asked.step,
            circumstances=asked.circumstances,
            most_pairs=asked.most_pairs,
        )
        return compare_confirmed(confirming)
    return compare(asked.measurements, asked.which, better, effect, noise_cv, asked.confidence, step=asked.step)


def _has_blocks(measurements: tuple[Measurement, ...]) -> bool:
    """Tell whether each setting ran once in a block, as in a run; a file may name no blocks."""
    return len({(m.block, m.setting) for m in measurements}) == len(measurements)


def _forecasts(experiment: Experiment) -> tuple[Forecast, ...]:
    """Return the catch-up forecast of each setting whose throughput was measured, as far as the server decides it."""
    asked, rates = _backlog_asked(experiment), _rates(experiment)
    if asked is None or not rates or not experiment.family.may_forecast(experiment.plan, rates[0].conditions):
        return ()
    settings = sorted({m.setting for m in rates}, key=setting_key)
    told = (
        forecast(rates, setting, asked.commands, asked.inflow_per_s, noise_cv=experiment.noise_cv)
        for setting in settings
    )
    return tuple(replace(one, basis=asked.basis) for one in told)


def _backlog_asked(experiment: Experiment) -> OwnBacklog | None:
    """Return the backlog to forecast: the site's own, or of measurements made elsewhere the family's."""
    if experiment.plan is None:
        return experiment.family.backlog_elsewhere
    return None if experiment.site is None else experiment.family.own_backlog(experiment.plan, experiment.site)


def _rates(experiment: Experiment) -> list[Measurement]:
    """Return the rates measured: of a setting that was confirmed those of its confirming trials, as its gain is."""
    rates = [m for m in experiment.measurements if m.metric == THROUGHPUT.name]
    confirmed = {m.setting for m in rates if m.phase is Phase.CONFIRM}
    return [m for m in rates if m.phase is Phase.CONFIRM or m.setting not in confirmed]
