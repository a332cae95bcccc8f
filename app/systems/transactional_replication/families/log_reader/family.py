"""The family `log_reader`: ReadBatchSize and its neighbours, against run time, throughput and latency."""

from collections.abc import Mapping
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
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.facts import agent_facts
from app.systems.transactional_replication.analysis.figures import rate_plot
from app.systems.transactional_replication.analysis.measured_facts import batch_facts
from app.systems.transactional_replication.analysis.rate import agent_sets_the_rate
from app.systems.transactional_replication.analysis.tables import agent_tables
from app.systems.transactional_replication.analysis.trials import (
    agent_measurements,
    common_failures,
    workload_conditions,
)
from app.systems.transactional_replication.conditions import AGENT_CONDITIONS
from app.systems.transactional_replication.families.log_reader import plan as planning
from app.systems.transactional_replication.families.log_reader.demo import demo_runs
from app.systems.transactional_replication.families.log_reader.parameters import PARAMETERS, READ_BATCH_SIZE
from app.systems.transactional_replication.families.log_reader.preflight import preflight_checks
from app.systems.transactional_replication.limits import AGENT_LIMITS
from app.systems.transactional_replication.load import AGENT_LOAD, Scenario, workload_of
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.subjects import LOG_READER, REPLICATION_AGENTS, WORKLOAD
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.trial_seen import AgentTrialObservation


class LogReaderFamily:
    """See the module; every method is pure."""

    family_id = "log_reader"
    position = 1
    version = 1
    title = _("Log Reader Agent: how much to read at once")
    question = _(
        "How many transactions should the Log Reader Agent read in one batch? "
        "It runs the same backlog, or a steady workload, at several ReadBatchSizes and compares run time and latency."
    )
    needs: frozenset[str] = frozenset({REPLICATION_AGENTS, WORKLOAD})
    system: System = SYSTEM
    subject = LOG_READER
    not_guided = ""
    parameters: tuple[Parameter, ...] = PARAMETERS
    conditions: tuple[Condition, ...] = AGENT_CONDITIONS
    load_title = _("Workload at the Publisher")
    load_fields: tuple[PlanField, ...] = AGENT_LOAD
    limit_fields: tuple[LimitField, ...] = AGENT_LIMITS
    metrics: tuple[Metric, ...] = measures.AGENT_METRICS
    main_metrics: tuple[Metric, ...] = (measures.RUN_TIME, measures.THROUGHPUT, measures.LATENCY)
    default_backlog_commands = 0
    compares_all = False
    swept: tuple[SweptCondition, ...] = ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return run time for a drained backlog, throughput for a steady workload."""
        return measures.RUN_TIME if workload_of(plan.load).scenario is Scenario.DRAINED else measures.THROUGHPUT

    def default_plan(self) -> Plan:
        """Return ReadBatchSize over the published levels."""
        return planning.default_plan()

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return what the demonstration runs."""
        return demo_runs(seed)

    def preflight(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return what must hold before the Log Reader Agent is stopped and started."""
        return preflight_checks(plan, site)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return planning.trial_steps(plan, setting)

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return planning.estimate_trial_s(plan)

    def measure(
        self, plan: Plan, spec: TrialSpec, seen: AgentTrialObservation, site: AgentSite
    ) -> tuple[Measurement, ...]:
        """Return run time, throughput, latency, gaps and waits of one trial."""
        conditions = Setting.from_mapping(workload_conditions(plan))
        deliverers = [agent for agent in seen.others if agent.agent.kind is AgentKind.DISTRIBUTION]
        return agent_measurements(plan, spec, seen, conditions, deliverers)

    def failed_checks(self, plan: Plan, spec: TrialSpec, seen: AgentTrialObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial."""
        return common_failures(plan, seen, streams=1)

    def may_forecast(self, plan: Plan | None, conditions: Setting) -> bool:
        """Tell whether the agent had a backlog in front of it all the time."""
        return agent_sets_the_rate(plan, conditions)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return what is known about one factor of this experiment."""
        claim = claim_of(self, evidence)
        facts = dict(agent_facts(self, evidence, claim, factor))
        if factor == READ_BATCH_SIZE.name:
            facts.update(batch_facts(evidence, claim, factor))
        return facts

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return measure by setting, effect with interval, trials in order, and delivery over time."""
        claim = claim_of(self, evidence)
        made = (
            setting_plot(self, evidence, claim),
            effect_plot(self, evidence),
            order_plot(self, evidence),
            rate_plot(evidence, claim, _deliverers(evidence)),
        )
        return tuple(plot for plot in made if plot is not None)

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return every measure by setting: what explains the result, and what it costs."""
        return agent_tables(self, evidence)


def _deliverers(evidence: Evidence) -> tuple[str, ...]:
    """Return the names of the Distribution Agents: what they can deliver is what users see of a ReadBatchSize."""
    if not isinstance(evidence.site, AgentSite):
        return ()
    return tuple(agent.name for agent in evidence.site.topology.agents_of(AgentKind.DISTRIBUTION))


FAMILY: Final[ExperimentFamily] = LogReaderFamily()
