"""The family `distribution_agent`: commit batches and streams."""

from dataclasses import replace
from typing import Final

from app.domain.family import DemoRun, ExperimentFamily, PreflightCheck
from app.domain.load import Load
from app.domain.measurement import Measurement
from app.domain.plan import Design, Plan, Stop, TrialSpec
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.work_source import SOURCE, WorkSource, is_in_windows, work_source_of
from app.foundation.texts import _
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_family import ROUGH_S_PER_COMMAND, DeliveryFamily, window_s
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.trials import workload_conditions
from app.systems.transactional_replication.load import WINDOWED_LOAD, Scenario, workload_of
from app.systems.transactional_replication.server.documented import STREAMS, may_fall_back, varied_by
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.trial_seen import AgentTrialObservation
from app.systems.transactional_replication.written_windows import written_window_s, written_window_steps


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
    load_fields = WINDOWED_LOAD

    def default_plan(self) -> Plan:
        """Return the published numbers of streams on a drained backlog of a million commands."""
        return self.plan_over(self.parameter(STREAMS))

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return streams on a backlog that waits at a client, the same with a model of the site, and a sweep over
        batches, both of the published study's backlog."""
        commits = replace(self.parameter("CommitBatchSize"), levels=(100, 200, 500, 1_000))
        incident = self.plan_over(self.parameter(STREAMS), design=Design(stop=Stop.MODEL, seed=seed))
        return (
            DemoRun("lab:incident", replace(incident, load=Load.from_mapping({SOURCE: WorkSource.OWN_BACKLOG.value}))),
            DemoRun("lab", self.plan_over(self.parameter(STREAMS), design=Design(stop=Stop.MODEL, seed=seed))),
            # the noise is that of a server with other work
            DemoRun("lab:lan-uneven", self.plan_over(commits, design=Design(seed=seed))),
        )

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial, or of one window."""
        if work_source_of(plan.load) is WorkSource.TEST_TABLE and is_in_windows(plan.load):
            return written_window_steps(AgentKind.DISTRIBUTION, plan, setting, self.batch(plan, setting))
        return super().trial_steps(plan, setting)

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, preparation included, seconds."""
        work = workload_of(plan.load)
        if is_in_windows(plan.load):
            is_own = work_source_of(plan.load).is_own_work
            return window_s(plan) if is_own else written_window_s(AgentKind.DISTRIBUTION)
        if work.scenario is Scenario.DRAINED:
            return work.commands * ROUGH_S_PER_COMMAND
        return work.duration_s * 1.2

    def own_checks(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of this family alone."""
        several = any(may_fall_back(factor.name) for factor in plan.factors)
        objects = site.subscriber_objects
        work = workload_of(plan.load)
        pairs = site.topology.pairs(work.named)[: work.agent_pairs]
        deliverers = [deliverer for _reader, deliverer in pairs if deliverer is not None]
        checks = [
            PreflightCheck(
                title=_("Only push subscriptions take part"),
                passed=all(agent.subscription_type == "push" for agent in deliverers or site.agents),
                remedy=_(
                    "The job of a pull subscription runs at the Subscriber and is left alone: measure a push "
                    "subscription, if need be one made for this in a test database of the Subscriber."
                ),
                blocking=True,
            ),
        ]
        if several and objects is not None:
            checks.append(
                PreflightCheck(
                    title=_("No objects at the Subscriber that block several streams"),
                    passed=objects.total == 0,
                    remedy=_(
                        "{fk} foreign keys, {ix} unique nonclustered indexes, {iv} indexed views and {tr} triggers may "
                        "make the agent fall back to one stream; the trials will show it."
                    ).format(
                        fk=objects.foreign_keys,
                        ix=objects.unique_nonclustered_indexes,
                        iv=objects.indexed_views,
                        tr=objects.triggers,
                    ),
                )
            )
        return tuple(checks)

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation, site: AgentSite
    ) -> tuple[Measurement, ...]:
        """Return run time, throughput, latency, gaps, waits and fall-backs of one trial."""
        return self.delivered(plan, spec, observation, Setting.from_mapping(workload_conditions(plan)))


FAMILY: Final[ExperimentFamily] = DistributionAgentFamily()
