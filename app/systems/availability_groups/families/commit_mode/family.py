"""The family `commit_mode`: the price of synchronous commit by shape of the workload, and log stream compression."""

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
from app.systems.availability_groups import metrics as measures
from app.systems.availability_groups.commit_trial import CommitObservation
from app.systems.availability_groups.families.commit_mode import figures
from app.systems.availability_groups.families.commit_mode import plan as planning
from app.systems.availability_groups.families.commit_mode.arms import arms_of
from app.systems.availability_groups.families.commit_mode.contradictions import commit_contradictions
from app.systems.availability_groups.families.commit_mode.demo import demo_runs
from app.systems.availability_groups.families.commit_mode.facts import commit_facts
from app.systems.availability_groups.families.commit_mode.measures import failures, shape_measurements
from app.systems.availability_groups.families.commit_mode.parameters import LOAD_FIELDS, PARAMETERS, SWEPT
from app.systems.availability_groups.families.commit_mode.preflight import preflight_checks
from app.systems.availability_groups.limits import COMMIT_LIMITS
from app.systems.availability_groups.site import GroupSite
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS, COMMIT
from app.systems.availability_groups.system import SYSTEM


class CommitModeFamily:
    """What is varied and measured, the steps of a trial, and what is made of the evidence; every method is pure."""

    family_id = "commit_mode"
    position = 1
    version = 1
    title = _("Availability group: what a synchronous commit costs")
    question = _(
        "How much longer do inserts take when they wait for a secondary replica, and would compressing "
        "the log stream win it back? It writes the same rows in few large and many small inserts, in "
        "each mode in turn."
    )
    needs: frozenset[str] = frozenset({AVAILABILITY_GROUPS})
    system: System = SYSTEM
    subject = COMMIT
    not_guided = ""
    parameters: tuple[Parameter, ...] = PARAMETERS
    conditions: tuple[Condition, ...] = ()
    load_title = _("Inserts at the primary")
    load_fields: tuple[PlanField, ...] = LOAD_FIELDS
    limit_fields: tuple[LimitField, ...] = COMMIT_LIMITS
    metrics: tuple[Metric, ...] = measures.SHAPE_METRICS
    main_metrics: tuple[Metric, ...] = (measures.SHAPE_TIME,)
    default_backlog_commands = 0
    compares_all = True
    swept: tuple[SweptCondition, ...] = SWEPT

    def main_metric(self, plan: Plan) -> Metric:
        """Return the run time of a shape."""
        return measures.SHAPE_TIME

    def default_plan(self) -> Plan:
        """Return asynchronous against synchronous, with and without compression."""
        return planning.default_plan()

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return what the demonstration runs."""
        return demo_runs(seed)

    def preflight(self, plan: Plan, site: GroupSite) -> tuple[PreflightCheck, ...]:
        """Return what must hold before modes are switched and the log is filled."""
        return preflight_checks(plan, site)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return planning.trial_steps(plan, setting)

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return planning.estimate_trial_s(plan)

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: CommitObservation, site: GroupSite
    ) -> tuple[Measurement, ...]:
        """Return run time, waits, queues and load of every shape."""
        return shape_measurements(plan, spec, observation)

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: CommitObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial."""
        return failures(plan, spec, observation)

    def may_forecast(self, _plan: Plan | None, _conditions: Setting) -> bool:
        """Forecast nothing: its rates are those of a load of its own."""
        return False

    def contradictions(self, measurements: Sequence[Measurement]) -> Iterable[str]:
        """Return what runs made elsewhere say that cannot all hold."""
        return commit_contradictions(measurements)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return what is known about one factor of this experiment."""
        return commit_facts(arms_of(evidence), factor)

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return penalty and run time by shape, the effect of compression, waits, and trials in order."""
        return figures.plots_of(arms_of(evidence))

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return times, penalties and rates by shape, in the form of the published tables."""
        return figures.tables_of(arms_of(evidence))


FAMILY: Final[ExperimentFamily] = CommitModeFamily()
