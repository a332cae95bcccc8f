"""The family `streams_apply`: parameters of Oracle Streams under many small and single very large transactions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app.analysis.claim import claim_of
from app.analysis.figures import effect_plot, order_plot, setting_plot
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
from app.systems.oracle_streams import metrics as measures
from app.systems.oracle_streams.families.streams_apply import plan as planning
from app.systems.oracle_streams.families.streams_apply.contradictions import streams_contradictions
from app.systems.oracle_streams.families.streams_apply.demo import demo_runs
from app.systems.oracle_streams.families.streams_apply.facts import streams_facts
from app.systems.oracle_streams.families.streams_apply.figures import streams_plots, streams_tables
from app.systems.oracle_streams.families.streams_apply.load import LOAD_FIELDS
from app.systems.oracle_streams.families.streams_apply.measures import failures, measurements_of
from app.systems.oracle_streams.families.streams_apply.parameters import PARAMETERS
from app.systems.oracle_streams.families.streams_apply.preflight import preflight_checks
from app.systems.oracle_streams.limits import STREAMS_LIMITS
from app.systems.oracle_streams.site import StreamsSite
from app.systems.oracle_streams.steps import StreamsObservation
from app.systems.oracle_streams.subjects import ORACLE_STREAMS, STREAMS
from app.systems.oracle_streams.system import SYSTEM


class StreamsApplyFamily:
    """What is varied and measured, the steps of a trial, and what is made of the evidence; every method is pure."""

    family_id = "streams_apply"
    position = 1
    version = 1
    title = _("Oracle Streams: spill threshold, apply servers and the queue between the databases")
    question = _(
        "Where does the pipeline wait, and what do the parameters of apply and capture change? It writes "
        "rows in many small transactions or a single very large one and measures every stage until all "
        "are applied."
    )
    needs: frozenset[str] = frozenset({ORACLE_STREAMS})
    system: System = SYSTEM
    subject = STREAMS
    not_guided = ""
    parameters: tuple[Parameter, ...] = PARAMETERS
    conditions: tuple[Condition, ...] = ()
    load_title = _("Rows written at the source")
    load_fields: tuple[PlanField, ...] = LOAD_FIELDS
    limit_fields: tuple[LimitField, ...] = STREAMS_LIMITS
    metrics: tuple[Metric, ...] = measures.STREAMS_METRICS
    main_metrics: tuple[Metric, ...] = (measures.RUN_TIME, measures.MESSAGE_RATE)
    default_backlog_commands = 0
    compares_all = False
    swept: tuple[SweptCondition, ...] = ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return the run time of the load."""
        return measures.RUN_TIME

    def default_plan(self) -> Plan:
        """Return the spill threshold below and above one large transaction."""
        return planning.default_plan()

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return what the demonstration runs."""
        return demo_runs(seed)

    def preflight(self, plan: Plan, site: StreamsSite) -> tuple[PreflightCheck, ...]:
        """Return what forbids a run, and what to know of the pools, the table and hidden parameters."""
        return preflight_checks(plan, site)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return planning.trial_steps(plan, setting)

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return planning.estimate_trial_s(plan)

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: StreamsObservation, site: StreamsSite
    ) -> tuple[Measurement, ...]:
        """Return run time, pauses, spills, redo, pool use and what each stage did."""
        return measurements_of(plan, spec, observation)

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: StreamsObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial."""
        return failures(plan, observation)

    def may_forecast(self, _plan: Plan | None, _conditions: Setting) -> bool:
        """Forecast nothing: its rates are those of a load of its own."""
        return False

    def contradictions(self, measurements: Sequence[Measurement]) -> Iterable[str]:
        """Return what runs made elsewhere say that cannot all hold."""
        return streams_contradictions(measurements)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return what is known about one factor of this experiment."""
        return streams_facts(self, evidence, factor)

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return run time by setting, effects, trials in order, spills, pauses, redo, and stages over time."""
        claim = claim_of(self, evidence)
        common = (setting_plot(self, evidence, claim), effect_plot(self, evidence), order_plot(self, evidence))
        return (*(plot for plot in common if plot is not None), *streams_plots(evidence, claim))

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return pauses, spills and redo by setting."""
        return streams_tables(evidence, claim_of(self, evidence))


FAMILY: Final[ExperimentFamily] = StreamsApplyFamily()
