"""The family `distribution_agent`: commit batches and streams."""

from dataclasses import replace
from typing import Final

from app.domain.family import DemoRun, ExperimentFamily
from app.domain.measurement import Measurement
from app.domain.plan import Design, Plan, Stop, TrialSpec
from app.domain.setting import Setting
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_family import ROUGH_S_PER_COMMAND, DeliveryFamily, window_s
from app.systems.transactional_replication.analysis.trials import workload_conditions
from app.systems.transactional_replication.families.distribution_agent.preflight import preflight_checks
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.server.documented import STREAMS, varied_by
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.trial_seen import AgentTrialObservation


class DistributionAgentFamily(DeliveryFamily):
    """Parameters, measures, the steps of a trial, and the use of the evidence; every method is pure."""

    family_id = "distribution_agent"
    position = 2
    title = _("Distribution Agent: commit batches and streams")
    question = _(
        "How many transactions should one commit hold, and how many streams should apply them? "
        "It delivers the same backlog, or a steady workload, at several settings and compares run time and throughput."
    )
    parameters = varied_by("distribution_agent")
    metrics = (*measures.AGENT_METRICS, measures.FALLBACKS)

    preflight = staticmethod(preflight_checks)

    def default_plan(self) -> Plan:
        """Return the published numbers of streams on a drained backlog of a million commands."""
        return self.plan_over(self.parameter(STREAMS))

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return streams with a model of the site, and a sweep over batches, of the published study's backlog."""
        commits = replace(self.parameter("CommitBatchSize"), levels=(100, 200, 500, 1_000))
        return (
            DemoRun("lab", self.plan_over(self.parameter(STREAMS), design=Design(stop=Stop.MODEL, seed=seed))),
            # the noise is that of a server with other work
            DemoRun("lab:lan-uneven", self.plan_over(commits, design=Design(seed=seed))),
        )

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, preparation included, seconds."""
        work = workload_of(plan.load)
        if work_source_of(plan.load).is_own_work:
            return window_s(plan)
        if work.scenario is Scenario.DRAINED:
            return work.commands * ROUGH_S_PER_COMMAND
        return work.duration_s * 1.2

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation, site: AgentSite
    ) -> tuple[Measurement, ...]:
        """Return run time, throughput, latency, gaps, waits and fall-backs of one trial."""
        return self.delivered(plan, spec, observation, Setting.from_mapping(workload_conditions(plan)))


FAMILY: Final[ExperimentFamily] = DistributionAgentFamily()
