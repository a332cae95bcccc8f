"""The family `log_reader`: ReadBatchSize and its neighbours, against run time, throughput and latency."""

from collections.abc import Mapping
from typing import Final

from app.analysis.claim import Claim
from app.domain.facts import FactValue
from app.domain.family import DemoRun, Evidence, ExperimentFamily, PreflightCheck
from app.domain.measurement import Measurement
from app.domain.plan import Design, Plan, Stop, TrialSpec
from app.domain.setting import Setting
from app.foundation.texts import _
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_family import AgentFamily
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.measured_facts import batch_facts
from app.systems.transactional_replication.analysis.trials import (
    agent_measurements,
    workload_conditions,
)
from app.systems.transactional_replication.families.log_reader import plan as planning
from app.systems.transactional_replication.families.log_reader.plan import READ_BATCH_SIZE
from app.systems.transactional_replication.load import WINDOWED_LOAD, workload_of
from app.systems.transactional_replication.server.documented import varied_by
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.subjects import LOG_READER
from app.systems.transactional_replication.trial_seen import AgentTrialObservation


class LogReaderFamily(AgentFamily):
    """Parameters, measures, the steps of a trial, and the use of the evidence; every method is pure."""

    family_id = "log_reader"
    position = 1
    title = _("Log Reader Agent: how much to read at once")
    question = _(
        "How many transactions should the Log Reader Agent read in one batch? "
        "It runs the same backlog, or a steady workload, at several ReadBatchSizes and compares run time and latency."
    )
    subject = LOG_READER
    parameters = varied_by("log_reader")
    load_fields = WINDOWED_LOAD
    metrics = measures.AGENT_METRICS

    trial_steps = staticmethod(planning.trial_steps)
    estimate_trial_s = staticmethod(planning.estimate_trial_s)

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return a race over a backlog as large as that of the published study."""
        race = Design(stop=Stop.RACE, blocks=4, seed=seed)
        return (DemoRun("lab", self.plan_over(READ_BATCH_SIZE, design=race)),)

    def own_checks(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of this family alone."""
        measured = site.agents[: workload_of(plan.load).agent_pairs]
        shared = sorted({a.publisher_db for a in measured})
        return (
            *planning.counter_checks(plan, site, measured),
            PreflightCheck(
                title=_("Restarting the agent pauses every publication of {databases}").format(
                    databases=", ".join(shared)
                ),
                passed=True,
                remedy=_(
                    "While the agent is stopped, the Publisher's log cannot be truncated; the plan's log limit watches "
                    "it."
                ),
            ),
            PreflightCheck(
                title=_("Enough Log Reader Agents for the agent pairs of the plan ({pairs})").format(
                    pairs=workload_of(plan.load).agent_pairs
                ),
                passed=len(site.agents) >= workload_of(plan.load).agent_pairs,
                remedy=_("Lower agent_pairs in the plan's [workload]."),
                blocking=True,
            ),
        )

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation, site: AgentSite
    ) -> tuple[Measurement, ...]:
        """Return run time, throughput, latency, gaps and waits of one trial."""
        conditions = Setting.from_mapping(workload_conditions(plan))
        deliverers = [agent for agent in observation.others if agent.agent.kind is AgentKind.DISTRIBUTION]
        return agent_measurements(plan, spec, observation, conditions, deliverers)

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return how many commands a read batch holds, and for how long it stays invisible."""
        return batch_facts(evidence, claim, factor) if factor == READ_BATCH_SIZE.name else {}

    def shown_agents(self, evidence: Evidence) -> tuple[str, ...]:
        """Return the Distribution Agents: users see a ReadBatchSize by their delivery."""
        if not isinstance(evidence.site, AgentSite):
            return ()
        return tuple(agent.name for agent in evidence.site.topology.agents_of(AgentKind.DISTRIBUTION))


FAMILY: Final[ExperimentFamily] = LogReaderFamily()
