"""From measurements to comparisons, forecasts, findings and plots; computed again whenever it is asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.advice import Pack, evaluate
from app.analysis.claim import agent_sets_the_rate
from app.analysis.compare import against_best, compare
from app.analysis.forecast import forecast
from app.analysis.settings_order import setting_key
from app.domain.comparison import Comparison, Forecast
from app.domain.errors import BadInput
from app.domain.family import Evidence, ExperimentFamily, Site
from app.domain.finding import Finding, NotEvaluated
from app.domain.measurement import Measurement, TrialStatus
from app.domain.metrics import THROUGHPUT
from app.domain.plan import Plan
from app.domain.plot import PlotSpec
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.setting import Setting
from app.domain.table import ResultTable
from app.foundation.texts import _
from app.services.explain.importing import ImportedExperiment, experiments
from app.services.explain.setting_pairs import named_evidence, own_comparisons, shared_conditions
from app.domain.system import system_of

Families = Mapping[str, ExperimentFamily]

# Minimum worthwhile effect of measurements from elsewhere, which bring no plan: a plan's default.
DEFAULT_MINIMUM_EFFECT = 0.05

# Every pair of settings counts where the best is picked from the data, so work and memory grow with their square.
MOST_SETTINGS = 1_000

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
        """Return everything the session's measurements support.

        Raises:
            BadInput: measurements from elsewhere hold more settings than can be compared.
        """
        evidence = [piece for run in session.runs for piece in self._own(run, self._site(session, run))]
        imported, beside = self._imported(session.imported, _noise_cv(session))
        evidence += imported
        findings: list[Finding] = []
        missing: list[NotEvaluated] = []
        plots: list[PlotSpec] = []
        tables: list[ResultTable] = []
        for piece in evidence:
            tables += self.families[piece.family].tables(piece)
            drawn = self.families[piece.family].plots(piece)
            found, unknown = self._judge(piece, drawn)
            plots += drawn
            findings += found
            missing += unknown
        return Advice(
            comparisons=(*(c for piece in evidence for c in piece.comparisons), *beside),
            forecasts=tuple(f for piece in evidence for f in piece.forecasts),
            findings=tuple(sorted(findings, key=lambda finding: finding.priority)),
            not_evaluated=tuple(dict.fromkeys(missing)),
            plots=tuple(plots),
            warnings=(*session.notes, *_warnings(session)),
            tables=tuple(tables),
        )

    def _site(self, session: SessionRecord, run: RunRecord) -> Site | None:
        family = self.families[run.plan.family]
        system = system_of(family)
        found = (system.kept_site(e, family.subject) for e in session.environments if e.target == run.target)
        return next(found, None)

    def _own(self, run: RunRecord, site: Site | None) -> Iterable[Evidence]:
        """Return the evidence of one own run, nothing where no trial was measured to its end.

        A run whose trials of some setting could all not be used compares nothing, and still has something to say: why
        they could not.
        """
        family = self.families[run.plan.family]
        metric = family.main_metric(run.plan)
        measured = [m for t in run.trials for m in t.measurements]
        if not measured:
            return
        used = [m for t in run.trials if t.status is TrialStatus.USED for m in t.measurements]
        main = [m for m in used if m.metric == metric.name]
        yield Evidence(
            family=run.plan.family,
            conditions=shared_conditions(measured[0].conditions, family),
            plan=run.plan,
            site=site,
            measurements=tuple(used),
            comparisons=own_comparisons(main, run.plan, family),
            forecasts=_forecasts(family, used, run.plan, run.plan.design.noise_cv),
            trials=run.trials,
            minimum_effect=run.plan.design.minimum_effect,
            noise_cv=run.plan.design.noise_cv,
        )

    def _imported(
        self, measurements: Sequence[Measurement], noise_cv: float | None
    ) -> tuple[list[Evidence], list[Comparison]]:
        """Return a piece of evidence for each experiment, and comparisons of the measures that only stand beside it.

        An experiment is judged by the first of its family's main metrics that the file holds; the others explain.
        """
        named = [m for m in measurements if self.families[m.family].compares_all]
        pieces = list(named_evidence(named, self.families, noise_cv, DEFAULT_MINIMUM_EFFECT))
        by_experiment: dict[tuple[str, Setting, tuple[str, ...]], list[ImportedExperiment]] = {}
        for found in experiments(m for m in measurements if not self.families[m.family].compares_all):
            _check_size(found)
            by_experiment.setdefault((found.family, found.conditions, found.factors), []).append(found)
        beside: list[Comparison] = []
        for (family_id, _conditions, _factors), parts in by_experiment.items():
            metrics = self.families[family_id].main_metrics
            main = [(m, part) for m in metrics for part in parts if part.metric == m.name]
            compared = [
                compare(part.measurements, against_best(), metric.better, DEFAULT_MINIMUM_EFFECT, noise_cv)
                for metric, part in main
            ]
            if main:
                pieces.append(self._imported_piece(parts, compared[0], noise_cv))
                beside += [comparison for made in compared[1:] for comparison in made]
        return pieces, beside

    def _imported_piece(
        self, parts: Sequence[ImportedExperiment], comparisons: tuple[Comparison, ...], noise_cv: float | None
    ) -> Evidence:
        measurements = tuple(m for part in parts for m in part.measurements)
        return Evidence(
            family=parts[0].family,
            conditions=parts[0].conditions,
            plan=None,
            site=None,
            measurements=measurements,
            comparisons=comparisons,
            forecasts=_forecasts(self.families[parts[0].family], measurements, None, noise_cv),
            trials=(),
            minimum_effect=DEFAULT_MINIMUM_EFFECT,
            noise_cv=noise_cv,
        )

    def _judge(self, piece: Evidence, plots: Sequence[PlotSpec]) -> tuple[list[Finding], list[NotEvaluated]]:
        """Evaluate the rules on each factor of one piece of evidence."""
        family = self.families[piece.family]
        system = system_of(family)
        engine, version = system.engine, system.engine_version(piece)
        findings: list[Finding] = []
        missing: list[NotEvaluated] = []
        trials = tuple(dict.fromkeys(m.trial_id for m in piece.measurements)) or tuple(t.trial_id for t in piece.trials)
        ids = {plot.plot_id.rsplit("/", 1)[-1]: plot.plot_id for plot in plots}
        for factor in _factors(piece):
            facts = family.facts(piece, factor)
            found, unknown = evaluate(self.packs, engine, piece.family, facts, trials, engine_version=version)
            findings += [replace(f, figure=ids.get(f.figure, ids.get("by-setting", ""))) for f in found]
            missing += unknown
        return findings, missing


def _check_size(found: ImportedExperiment) -> None:
    """Refuse an experiment whose settings are too many to be compared each with each."""
    count = len({m.setting for m in found.measurements})
    if count > MOST_SETTINGS:
        raise BadInput(
            _(
                "{family}: {count:,} different values of {factor} were measured under equal conditions; "
                "at most {most:,} can be compared with each other, so leave some out"
            ).format(family=found.family, count=count, factor=found.factor, most=MOST_SETTINGS)
        )


def _factors(piece: Evidence) -> list[str]:
    if piece.plan is not None:
        return sorted(factor.name for factor in piece.plan.factors)
    return sorted({name for m in piece.measurements for name in m.setting})


def _forecasts(
    family: ExperimentFamily, measurements: Sequence[Measurement], plan: Plan | None, noise_cv: float | None
) -> tuple[Forecast, ...]:
    """Return the catch-up forecast of every setting whose throughput, as far as the agent decides it, was measured."""
    rates = [m for m in measurements if m.metric == THROUGHPUT.name]
    if not family.default_backlog_commands or not rates or not agent_sets_the_rate(plan, rates[0].conditions):
        return ()
    settings = sorted({m.setting for m in rates}, key=setting_key)
    return tuple(forecast(rates, setting, family.default_backlog_commands, noise_cv=noise_cv) for setting in settings)


def _warnings(session: SessionRecord) -> list[str]:
    """Return what a reader must know before believing the rest."""
    warnings: list[str] = []
    for run in session.runs:
        unused = [t for t in run.trials if t.status is not TrialStatus.USED]
        if unused:
            warnings.append(
                _("{run}: trials not used: {count} of {total}; the report lists each with its reason").format(
                    run=run.run_id, count=len(unused), total=len(run.trials)
                )
            )
    return warnings


def _noise_cv(session: SessionRecord) -> float | None:
    """Return the noise level given with measurements made elsewhere, None where there was none."""
    given = (value for e in session.environments for name, value, _unit in e.facts if name == NOISE_FACT)
    return next((float(value) for value in given), None)
