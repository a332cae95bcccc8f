"""The family `seeding`: backup and restore against direct seeding, compressed or not, and what each costs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app.domain.condition import Condition
from app.domain.facts import FactValue
from app.domain.family import DemoRun, Evidence, ExperimentFamily, PreflightCheck, SweptCondition
from app.domain.limits import LimitField
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.plan_field import PlanField
from app.domain.plot import PlotSpec
from app.domain.setting import Parameter, Setting
from app.domain.step import Step
from app.domain.system import System
from app.domain.table import ResultTable
from app.foundation.texts import _
from app.systems.availability_groups.families.seeding import figures, measures, tables
from app.systems.availability_groups.families.seeding import plan as planning
from app.systems.availability_groups.families.seeding.arms import arms_of
from app.systems.availability_groups.families.seeding.contradictions import seeding_contradictions
from app.systems.availability_groups.families.seeding.demo import demo_runs
from app.systems.availability_groups.families.seeding.facts import seeding_facts
from app.systems.availability_groups.families.seeding.parameters import LOAD_FIELDS, PARAMETERS
from app.systems.availability_groups.families.seeding.preflight import preflight_checks
from app.systems.availability_groups.limits import SEEDING_LIMITS
from app.systems.availability_groups.seeding_trial import SeedingObservation
from app.systems.availability_groups.site import GroupSite
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS, DATABASE_SEEDING, SEEDING
from app.systems.availability_groups.system import SYSTEM


class SeedingFamily:
    """What is varied and measured, the steps of a trial, and what is made of the evidence; every method is pure."""

    family_id = "seeding"
    position = 2
    version = 1
    title = _("Availability group: the fastest way to seed a replica")
    question = _(
        "Which way does a database reach a new replica fastest, and what does it cost in CPU, disk and "
        "network? It seeds one database again and again: by backup and restore, directly, and directly "
        "compressed."
    )
    needs: frozenset[str] = frozenset({AVAILABILITY_GROUPS, DATABASE_SEEDING})
    system: System = SYSTEM
    subject = SEEDING
    not_guided = _("the backups and restores of each trial are what is measured; no DBA could keep pace")
    parameters: tuple[Parameter, ...] = PARAMETERS
    conditions: tuple[Condition, ...] = ()
    load_title = _("What is seeded")
    load_fields: tuple[PlanField, ...] = LOAD_FIELDS
    limit_fields: tuple[LimitField, ...] = SEEDING_LIMITS
    metrics: tuple[Metric, ...] = measures.METRICS
    main_metrics: tuple[Metric, ...] = (measures.TOTAL_TIME,)
    default_backlog_commands = 0
    compares_all = True
    swept: tuple[SweptCondition, ...] = ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return the time until the replica has the database."""
        return measures.TOTAL_TIME

    def default_plan(self) -> Plan:
        """Return the three methods over a test database."""
        return planning.default_plan()

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return what the demonstration runs."""
        return demo_runs(seed)

    def preflight(self, plan: Plan, site: GroupSite) -> tuple[PreflightCheck, ...]:
        """Return what must hold before a database is seeded."""
        return preflight_checks(plan, site)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return planning.trial_steps(plan, setting)

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return planning.estimate_trial_s(plan)

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: SeedingObservation, site: GroupSite
    ) -> tuple[Measurement, ...]:
        """Return times of steps, and load of both servers and the network meanwhile."""
        return measures.trial_measurements(plan, spec, observation)

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: SeedingObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial."""
        return measures.failures(observation)

    def may_forecast(self, _plan: Plan | None, _conditions: Setting) -> bool:
        """Forecast nothing: its rates are those of a load of its own."""
        return False

    def contradictions(self, measurements: Sequence[Measurement]) -> Iterable[str]:
        """Return what runs made elsewhere say that cannot all hold."""
        return seeding_contradictions(measurements)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return what is known about one factor of this experiment."""
        return seeding_facts(arms_of(evidence), factor)

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return totals, steps, effects, the copy over time, processors and network, and trials in order."""
        return figures.plots_of(arms_of(evidence))

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return steps, totals and load of each method, in the form of the published table."""
        return tables.tables_of(arms_of(evidence))


FAMILY: Final[ExperimentFamily] = SeedingFamily()
