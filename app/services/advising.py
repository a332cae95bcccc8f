"""From measurements to comparisons, forecasts, findings and plots; computed again whenever it is asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.advice import Pack, evaluate
from app.analysis.compare import against, against_best, compare
from app.analysis.estimate import estimate
from app.analysis.forecast import forecast
from app.analysis.settings_order import setting_key
from app.domain.comparison import Comparison, Forecast
from app.domain.family import Evidence, ExperimentFamily, Site
from app.domain.finding import Finding, NotEvaluated
from app.domain.measurement import Measurement, Metric, TrialStatus
from app.domain.metrics import THROUGHPUT
from app.domain.plan import Phase
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.setting import Setting
from app.foundation.texts import _
from app.services.importing import experiments
from app.services.site import site_of

Families = Mapping[str, ExperimentFamily]

# Minimum worthwhile effect of measurements from elsewhere, which bring no plan (DESIGN 5: default 5 %).
DEFAULT_MINIMUM_EFFECT = 0.05

# Name of the environment fact that keeps the noise level given with measurements made elsewhere, as a share.
NOISE_FACT = "Run-to-run noise given with the measurements"


@dataclass(frozen=True)
class Advisor:
    """Analysis and rules, ready to explain a session.

    Attributes:
        families: the known families, by id.
        packs: the rule packs, loaded and checked.
    """

    families: Families
    packs: tuple[Pack, ...]

    def advise(self, session: SessionRecord) -> Advice:
        """Return everything the session's measurements support."""
        evidence = [piece for run in session.runs for piece in self._own(run, self._site(session, run))]
        evidence += self._imported(session.imported, _noise_cv(session))
        findings: list[Finding] = []
        missing: list[NotEvaluated] = []
        for piece in evidence:
            found, unknown = self._judge(piece)
            findings += found
            missing += unknown
        return Advice(
            comparisons=tuple(c for piece in evidence for c in piece.comparisons),
            forecasts=tuple(f for piece in evidence for f in piece.forecasts),
            findings=tuple(sorted(findings, key=lambda finding: finding.priority)),
            not_evaluated=tuple(dict.fromkeys(missing)),
            plots=tuple(plot for piece in evidence for plot in self.families[piece.family].plots(piece)),
            warnings=(*session.notes, *_warnings(session)),
        )

    def _site(self, session: SessionRecord, run: RunRecord) -> Site | None:
        kind = self.families[run.plan.family].agent
        found = (site_of(e, kind) for e in session.environments if e.target == run.target)
        return next(found, None)

    def _own(self, run: RunRecord, site: Site | None) -> Iterable[Evidence]:
        """Return the evidence of one own run, nothing where fewer than two settings gave usable trials."""
        family = self.families[run.plan.family]
        metric = family.main_metric(run.plan)
        used = [m for t in run.trials if t.status is TrialStatus.USED for m in t.measurements]
        main = [m for m in used if m.metric == metric.name]
        if len({m.setting for m in main if m.phase is Phase.EXPLORE}) < 2:
            return
        design = run.plan.design
        comparisons = _own_comparisons(main, run.plan.baseline, metric, design.minimum_effect, design.noise_cv)
        yield Evidence(
            family=run.plan.family,
            conditions=main[0].conditions,
            plan=run.plan,
            site=site,
            measurements=tuple(used),
            comparisons=comparisons,
            forecasts=_forecasts(family, used, design.noise_cv),
            trials=run.trials,
            minimum_effect=design.minimum_effect,
            noise_cv=design.noise_cv,
        )

    def _imported(self, measurements: Sequence[Measurement], noise_cv: float | None) -> list[Evidence]:
        pieces: list[Evidence] = []
        for experiment in experiments(measurements):
            family = self.families[experiment.family]
            metric = next((m for m in family.main_metrics if m.name == experiment.metric), None)
            if metric is None:
                continue
            pieces.append(
                Evidence(
                    family=experiment.family,
                    conditions=experiment.conditions,
                    plan=None,
                    site=None,
                    measurements=experiment.measurements,
                    comparisons=compare(
                        experiment.measurements, against_best(), metric.better, DEFAULT_MINIMUM_EFFECT, noise_cv
                    ),
                    forecasts=_forecasts(family, experiment.measurements, noise_cv),
                    trials=(),
                    minimum_effect=DEFAULT_MINIMUM_EFFECT,
                    noise_cv=noise_cv,
                )
            )
        return pieces

    def _judge(self, piece: Evidence) -> tuple[list[Finding], list[NotEvaluated]]:
        """Evaluate the rules on each factor of one piece of evidence."""
        family = self.families[piece.family]
        engine = "sqlserver"
        findings: list[Finding] = []
        missing: list[NotEvaluated] = []
        trials = tuple(dict.fromkeys(m.trial_id for m in piece.measurements))
        plots = {plot.plot_id.rsplit("/", 1)[-1]: plot.plot_id for plot in family.plots(piece)}
        for factor in sorted({name for m in piece.measurements for name in m.setting}):
            facts = family.facts(piece, factor)
            if not facts:
                continue
            found, unknown = evaluate(self.packs, engine, piece.family, facts, trials)
            findings += [replace(f, figure=plots.get(f.figure, plots.get("by-setting", ""))) for f in found]
            missing += unknown
        return findings, missing


def _own_comparisons(
    main: Sequence[Measurement], baseline: Setting, metric: Metric, minimum_effect: float, noise_cv: float | None
) -> tuple[Comparison, ...]:
    """Compare exploring trials with the baseline, then the confirming ones, whose means stand alone (DESIGN 5)."""
    explored = [m for m in main if m.phase is Phase.EXPLORE]
    confirmed = [m for m in main if m.phase is Phase.CONFIRM]
    if baseline not in {m.setting for m in explored}:
        return ()
    made = compare(explored, against(baseline), metric.better, minimum_effect, noise_cv)
    if baseline in {m.setting for m in confirmed}:
        made += compare(
            confirmed,
            against(baseline),
            metric.better,
            minimum_effect,
            noise_cv,
            exploring_noise=estimate(explored).noise,
        )
    return made


def _forecasts(
    family: ExperimentFamily, measurements: Sequence[Measurement], noise_cv: float | None
) -> tuple[Forecast, ...]:
    """Return the catch-up forecast of every setting whose throughput was measured."""
    if not family.default_backlog_commands:
        return ()
    rates = [m for m in measurements if m.metric == THROUGHPUT.name]
    settings = sorted({m.setting for m in rates}, key=setting_key)
    return tuple(forecast(rates, setting, family.default_backlog_commands, noise_cv=noise_cv) for setting in settings)


def _warnings(session: SessionRecord) -> list[str]:
    """Return what a reader must know before believing the rest."""
    warnings: list[str] = []
    for run in session.runs:
        unused = [t for t in run.trials if t.status is not TrialStatus.USED]
        if unused:
            warnings.append(
                _("{run}: {count} of {total} trials were not used; the report lists each with its reason").format(
                    run=run.run_id, count=len(unused), total=len(run.trials)
                )
            )
    return warnings


def _noise_cv(session: SessionRecord) -> float | None:
    """Return the noise level given with measurements made elsewhere, None where there was none."""
    given = (value for e in session.environments for name, value, _unit in e.facts if name == NOISE_FACT)
    return next((float(value) for value in given), None)
