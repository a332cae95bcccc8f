"""The family `wan_delivery`: SubscriptionStreams, commit batches and packets on a slow or distant link."""

from collections.abc import Mapping
from typing import Final

from app.analysis.claim import claim_of
from app.analysis.figures import catch_up_plot, effect_plot, order_plot, setting_plot
from app.analysis.measuring import as_measurement
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
from app.systems.transactional_replication.analysis.facts import agent_facts
from app.systems.transactional_replication.analysis.figures import rate_plot
from app.systems.transactional_replication.analysis.measured_facts import (
    link_facts,
    rollback_facts,
    subscriber_facts,
    threshold_facts,
)
from app.systems.transactional_replication.analysis.rate import agent_sets_the_rate
from app.systems.transactional_replication.analysis.tables import agent_tables
from app.systems.transactional_replication.analysis.trials import (
    agent_measurements,
    bandwidth_use_percent,
    common_failures,
    workload_conditions,
)
from app.systems.transactional_replication.conditions import AGENT_CONDITIONS
from app.systems.transactional_replication.families.wan_delivery import plan as planning
from app.systems.transactional_replication.families.wan_delivery.demo import demo_runs
from app.systems.transactional_replication.families.wan_delivery.parameters import (
    COMMIT_BATCH_SIZE,
    PARAMETERS,
    SUBSCRIPTION_STREAMS,
)
from app.systems.transactional_replication.families.wan_delivery.plan import LOAD_FIELDS
from app.systems.transactional_replication.families.wan_delivery.preflight import preflight_checks
from app.systems.transactional_replication.limits import AGENT_LIMITS
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.steps import delivery_steps
from app.systems.transactional_replication.subjects import DISTRIBUTION, NETWORK_PROBE, REPLICATION_AGENTS, WORKLOAD
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.trial_seen import AgentTrialObservation

# 24 hours of the transactions of the published study's customer: what an outage of a day leaves behind.
ONE_DAY_BACKLOG_COMMANDS = 240_000


class WanDeliveryFamily:
    """See the module; every method is pure."""

    family_id = "wan_delivery"
    position = 3
    version = 1
    title = _("Delivery over a slow or distant link")
    question = _(
        "How many streams fill this link, and how long does a backlog take to catch up after an outage? "
        "It delivers the same backlog over the link at several settings and compares commands per second."
    )
    needs: frozenset[str] = frozenset({REPLICATION_AGENTS, WORKLOAD, NETWORK_PROBE})
    system: System = SYSTEM
    subject = DISTRIBUTION
    not_guided = ""
    parameters: tuple[Parameter, ...] = PARAMETERS
    conditions: tuple[Condition, ...] = AGENT_CONDITIONS
    load_title = _("Workload at the Publisher")
    load_fields: tuple[PlanField, ...] = LOAD_FIELDS
    limit_fields: tuple[LimitField, ...] = AGENT_LIMITS
    metrics: tuple[Metric, ...] = (*measures.AGENT_METRICS, measures.FALLBACKS, measures.BANDWIDTH_USE)
    main_metrics: tuple[Metric, ...] = (measures.THROUGHPUT, measures.RUN_TIME, measures.LATENCY)
    default_backlog_commands = ONE_DAY_BACKLOG_COMMANDS
    compares_all = False
    swept: tuple[SweptCondition, ...] = ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return throughput: what a link can carry is asked in commands per second."""
        return measures.THROUGHPUT

    def default_plan(self) -> Plan:
        """Return SubscriptionStreams 1, 8 and 16."""
        return planning.default_plan()

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return what the demonstration runs."""
        return demo_runs(seed)

    def preflight(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return what must be known of the link and the Subscriber."""
        return preflight_checks(plan, site)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return delivery_steps(workload_of(plan.load), setting)

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return planning.estimate_trial_s(plan)

    def measure(
        self, plan: Plan, spec: TrialSpec, seen: AgentTrialObservation, site: AgentSite
    ) -> tuple[Measurement, ...]:
        """Return throughput, run time, latency, waits and fall-backs of one trial, with the link it holds for."""
        values = workload_conditions(plan)
        if site.rtt_ms is not None:
            values["rtt_ms"] = round(site.rtt_ms)
        if site.network_kbps is not None:
            values["network_kbps"] = round(site.network_kbps)
        conditions = Setting.from_mapping(values)
        fell_back = sum(agent.fell_back for agent in seen.measured)
        use_percent = bandwidth_use_percent(seen, site.network_kbps)
        use = () if use_percent is None else (measures.BANDWIDTH_USE,)
        return (
            *agent_measurements(plan, spec, seen, conditions, seen.measured),
            as_measurement(plan, spec, measures.FALLBACKS, float(fell_back), conditions),
            *(as_measurement(plan, spec, metric, use_percent or 0.0, conditions) for metric in use),
        )

    def failed_checks(self, plan: Plan, spec: TrialSpec, seen: AgentTrialObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial."""
        streams = int(spec.setting.get(SUBSCRIPTION_STREAMS.name, SUBSCRIPTION_STREAMS.default))
        return common_failures(plan, seen, streams)

    def may_forecast(self, plan: Plan | None, conditions: Setting) -> bool:
        """Tell whether the agent had a backlog in front of it all the time."""
        return agent_sets_the_rate(plan, conditions)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return what is known about one factor of this experiment."""
        claim = claim_of(self, evidence)
        facts = dict(agent_facts(self, evidence, claim, factor))
        facts.update(subscriber_facts(evidence))
        facts.update(threshold_facts(evidence))
        facts.update(link_facts(evidence, claim))
        if factor == COMMIT_BATCH_SIZE.name:
            facts.update(rollback_facts(evidence, claim, COMMIT_BATCH_SIZE))
        return facts

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return measure by setting, effect with interval, catch-up times, trials in order, delivery over time."""
        claim = claim_of(self, evidence)
        made = (
            setting_plot(self, evidence, claim),
            effect_plot(self, evidence),
            catch_up_plot(evidence),
            order_plot(self, evidence),
            rate_plot(evidence, claim),
        )
        return tuple(plot for plot in made if plot is not None)

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return every measure by setting: what explains the result, and what it costs."""
        return agent_tables(self, evidence)


FAMILY: Final[ExperimentFamily] = WanDeliveryFamily()
