"""The family `wan_delivery`: streams, commit batches and packets on a slow or distant link."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.analysis.claim import Claim
from app.analysis.figures import catch_up_plot
from app.analysis.measuring import as_measurement
from app.domain.facts import FactValue
from app.domain.family import DemoRun, Evidence, ExperimentFamily, PreflightCheck
from app.domain.measurement import Measurement, Metric
from app.domain.own_load import OwnBacklog
from app.domain.plan import Design, Plan, TrialSpec
from app.domain.setting import Setting
from app.foundation.texts import _
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_family import DeliveryFamily
from app.systems.transactional_replication.analysis.measured_facts import link_facts
from app.systems.transactional_replication.analysis.own_day import day_of, kept_hours
from app.systems.transactional_replication.analysis.trials import bandwidth_use_percent, workload_conditions
from app.systems.transactional_replication.families.wan_delivery import plan as planning
from app.systems.transactional_replication.families.wan_delivery.plan import LOAD_FIELDS
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.server.documented import varied_by
from app.systems.transactional_replication.site import AgentSite, agent_site_for
from app.systems.transactional_replication.subjects import NETWORK_PROBE, REPLICATION_AGENTS, WORKLOAD
from app.systems.transactional_replication.trial_seen import AgentTrialObservation

# 24 hours of the transactions of the published study's customer: what an outage of a day leaves behind.
_STUDY_DAY: Final = OwnBacklog(240_000, 0.0, _("a day of the published study's customer, none arriving meanwhile"))
_DEMO_COMMANDS: Final = 6_000


class WanDeliveryFamily(DeliveryFamily):
    """Parameters, measures, the steps of a trial, and the use of the evidence; every method is pure."""

    family_id = "wan_delivery"
    position = 3
    title = _("Delivery over a slow or distant link")
    question = _(
        "How many streams fill this link, and how long does a backlog take to catch up after an outage? "
        "It delivers the same backlog over the link at several settings and compares commands per second."
    )
    needs = frozenset({REPLICATION_AGENTS, WORKLOAD, NETWORK_PROBE})
    parameters = varied_by("wan_delivery")
    load_fields = LOAD_FIELDS
    metrics = (
        *measures.AGENT_METRICS,
        measures.FALLBACKS,
        measures.COMMAND_BYTES,
        measures.BANDWIDTH_USE,
    )
    main_metrics = (measures.THROUGHPUT, measures.RUN_TIME, measures.LATENCY)
    backlog_elsewhere = _STUDY_DAY

    estimate_trial_s = staticmethod(planning.estimate_trial_s)
    own_plot = staticmethod(catch_up_plot)

    def main_metric(self, _plan: Plan) -> Metric:
        """Return throughput: how much a link can carry is asked in commands per second."""
        return measures.THROUGHPUT

    def own_backlog(self, plan: Plan, site: AgentSite) -> OwnBacklog | None:
        """Return the backlog that a day without delivery leaves behind, by the history kept before the run."""
        of_plan = agent_site_for(plan.load, site)
        if not of_plan.agents or of_plan.hours is None:
            return None
        return day_of(kept_hours(of_plan.agents[0], of_plan.topology, of_plan.hours))

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return the default plan with a small backlog, over two slow links."""
        plan = replace(self.default_plan(), design=Design(seed=seed))
        plan = replace(plan, load=plan.load.but(commands=_DEMO_COMMANDS))
        return tuple(DemoRun(target, plan) for target in ("lab:wan-512k", "lab:wan-128k"))

    def own_checks(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of this family alone."""
        return (
            PreflightCheck(
                title=_("The round-trip time to the Subscriber is known"),
                passed=site.rtt_ms is not None,
                remedy=_("Without it the findings cannot tell a distant link from a narrow one."),
            ),
            PreflightCheck(
                title=_("The bandwidth to the Subscriber is known"),
                passed=site.network_kbps is not None,
                remedy=_(
                    "Without it the use of the line is not shown; ask the network team for the contracted figure."
                ),
            ),
            PreflightCheck(
                title=_("The link is used by the {pairs} Distribution Agents of this plan only").format(
                    pairs=workload_of(plan.load).agent_pairs
                )
                if workload_of(plan.load).agent_pairs > 1
                else _("The link is used by the Distribution Agent of this plan only"),
                passed=len(site.agents) <= workload_of(plan.load).agent_pairs,
                remedy=_("Other agents share the link; measure at a quiet hour or expect wider intervals."),
            ),
        )

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation, site: AgentSite
    ) -> tuple[Measurement, ...]:
        """Return throughput, run time, latency, waits and fall-backs of one trial, with the link it holds for."""
        values = workload_conditions(plan)
        if site.rtt_ms is not None:
            values["rtt_ms"] = round(site.rtt_ms)
        if site.network_kbps is not None:
            values["network_kbps"] = round(site.network_kbps)
        conditions = Setting.from_mapping(values)
        values_of_link = (
            (measures.COMMAND_BYTES, observation.command_bytes),
            (measures.BANDWIDTH_USE, bandwidth_use_percent(observation, site.network_kbps)),
        )
        return (
            *self.delivered(plan, spec, observation, conditions),
            *(as_measurement(plan, spec, metric, v, conditions) for metric, v in values_of_link if v is not None),
        )

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return the facts on the link as well."""
        return {**super().own_facts(evidence, claim, factor), **link_facts(evidence, claim)}


FAMILY: Final[ExperimentFamily] = WanDeliveryFamily()
