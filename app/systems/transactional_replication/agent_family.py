"""The common base of the replication agents' families; a family adds its parameters and further measures."""

from collections.abc import Mapping
from typing import Final

from app.analysis.by_setting import by_setting_tables
from app.analysis.claim import Claim, claim_of
from app.analysis.compared_family import ComparedFamily
from app.analysis.figures import effect_plot, order_plot, setting_plot
from app.analysis.measuring import as_measurement
from app.analysis.response.figure import response_plot
from app.domain.facts import FactValue
from app.domain.family import Evidence, PreflightCheck
from app.domain.measurement import Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.domain.response import ResponseCurve
from app.domain.setting import Parameter, Setting
from app.domain.step import Step
from app.domain.table import ResultTable
from app.domain.work_source import WorkSource, work_source_of
from app.foundation.texts import _
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.contradictions import agent_contradictions
from app.systems.transactional_replication.analysis.delivery_response import delivery_response
from app.systems.transactional_replication.analysis.facts import agent_facts
from app.systems.transactional_replication.analysis.figures import rate_plot
from app.systems.transactional_replication.analysis.measured_facts import (
    fallback_facts,
    rollback_facts,
    subscriber_facts,
    threshold_facts,
)
from app.systems.transactional_replication.analysis.trials import agent_measurements, common_failures
from app.systems.transactional_replication.load import (
    AGENT_CONDITIONS,
    AGENT_LOAD,
    Scenario,
    agent_sets_the_rate,
    workload_of,
)
from app.systems.transactional_replication.readings import AGENT_LIMITS, SUBSCRIBER_AGE
from app.systems.transactional_replication.rig.window import FIRST_WINDOW_S, USUAL_SWITCH_S
from app.systems.transactional_replication.server.documented import streams_of
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.steps import delivery_steps, own_work_steps
from app.systems.transactional_replication.subjects import DISTRIBUTION, REPLICATION_AGENTS, WORKLOAD
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.topology import LOAD_TABLE
from app.systems.transactional_replication.trial_seen import AgentTrialObservation

# Rough rates for the first estimate of a trial's length: the published study read about 1 M commands in 190 s and
# delivered them in 500 s.
ROUGH_READ_RATE_PER_S: Final = 5_000.0
ROUGH_DELIVERY_RATE_PER_S: Final = 2_000.0
_SECONDS_PER_DAY: Final = 86_400
WINDOW_S: Final = FIRST_WINDOW_S + USUAL_SWITCH_S
"""How long a window on the client's own work takes, with its switch."""
ROUGH_S_PER_COMMAND: Final = 1 / ROUGH_READ_RATE_PER_S + 1 / ROUGH_DELIVERY_RATE_PER_S + 1 / 20_000.0


def history_check(site: AgentSite) -> PreflightCheck:
    """Return the check that an agent writes its history."""
    verbose = site.parameters.get("HistoryVerboseLevel")
    return PreflightCheck(
        title=_("The agent writes its history (HistoryVerboseLevel is not 0)"),
        passed=verbose is None or verbose.value != "0",
        remedy=_("Raise HistoryVerboseLevel to 1 or 2; at 0 the agent logs nothing and cannot be measured."),
        blocking=True,
    )


def test_table_check(plan: Plan, site: AgentSite) -> PreflightCheck:
    """Return the check that rows written for a trial reach the measured agents; none are written on own work."""
    if work_source_of(plan.load).is_own_work:
        return own_work_check(plan, site)
    work = workload_of(plan.load)
    chosen = [agent for _reader, agent in site.topology.pairs(work.named)[: work.agent_pairs] if agent is not None]
    without = [agent for agent in chosen if not site.topology.has_test_table(agent)]
    return PreflightCheck(
        title=_("The publications measured have the test table {table}").format(table=LOAD_TABLE),
        passed=not without,
        remedy=_(
            "It is missing from {publications}: add it there as an article, or name another publication in [workload]."
        ).format(publications=", ".join(f"{agent.publication} ({agent.publisher_db})" for agent in without)),
        blocking=True,
    )


def window_s(plan: Plan) -> float:
    """Return how long a window on the client's own work takes at most, with its switch and the holding before it."""
    is_held = work_source_of(plan.load) is WorkSource.HELD
    return WINDOW_S + (plan.limits.get(SUBSCRIBER_AGE.name, 0.0) if is_held else 0.0)


def own_work_check(plan: Plan, site: AgentSite) -> PreflightCheck:
    """Return the check that there is work to measure the agents on."""
    source = work_source_of(plan.load)
    is_reader = bool(site.agents) and site.agents[0].kind is AgentKind.LOG_READER
    pairs = site.topology.pairs(workload_of(plan.load).named)[:1]
    chosen = [agent for reader, deliverer in pairs if (agent := reader if is_reader else deliverer) is not None]
    if is_reader and source is not WorkSource.OWN_BACKLOG:
        return PreflightCheck(
            title=_("A log that waits is read"),
            passed=False,
            remedy=_(
                "A Log Reader Agent tells of its work once a minute, which is too rarely for what gathers in minutes; "
                'name source = "own_backlog" in [workload] where its log waits.'
            ),
            blocking=True,
        )
    waiting = sum(site.waiting[agent.name].commands for agent in chosen if agent.name in site.waiting)
    if source is WorkSource.OWN_TRAFFIC:
        return PreflightCheck(
            title=_("Latency is compared, not capacity"),
            passed=False,
            remedy=_(
                "The agent keeps up with what arrives, so how much it could deliver does not show; name "
                'source = "held" in [workload] and an allowed age of data to let a backlog gather.'
            ),
        )
    if source is WorkSource.HELD:
        return PreflightCheck(
            title=_("How old the data at the Subscriber may become is agreed"),
            passed=plan.limits.get(SUBSCRIBER_AGE.name) is not None,
            remedy=_("Name data_age_s in [limits], seconds: the agent is held for no longer."),
            blocking=True,
        )
    return PreflightCheck(
        title=_("{commands:,} commands wait for the agent; nothing is written").format(commands=waiting),
        passed=waiting > 0,
        remedy=_('Nothing waits for it: name source = "held" in [workload], or another agent.'),
        blocking=True,
    )


def job_checks(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return reasons why a stopped agent may not be started again, or is started meanwhile; () for none."""
    work = workload_of(plan.load)
    chosen = [agent for pair in site.topology.pairs(work.named)[: work.agent_pairs] for agent in pair if agent]
    starts = {start.job_id.upper(): start for start in site.job_starts}
    found = [(agent, start) for agent in chosen if (start := starts.get(agent.job_id.upper())) is not None]
    checks: list[PreflightCheck] = []
    for agent, start in found:
        if start.why_never:
            title = _("The job of {agent} can be started again").format(agent=agent.name)
            checks.append(PreflightCheck(title, passed=False, remedy=start.why_never, blocking=True))
        if start.schedule and start.starts_every_s is not None:
            remedy = _(
                'Its schedule "{schedule}" starts it every {minutes:,.0f} min, also while a trial needs it stopped; '
                "have it disabled for the run, or plan the run between two starts."
            ).format(schedule=start.schedule, minutes=max(1, start.starts_every_s / 60))
            title = _("Nothing starts the job of {agent} by itself").format(agent=agent.name)
            is_often = start.starts_every_s < _SECONDS_PER_DAY
            checks.append(PreflightCheck(title, passed=False, remedy=remedy, blocking=is_often))
    return tuple(checks)


class AgentFamily(ComparedFamily[AgentTrialObservation, AgentSite]):
    """A family of one kind of agent; every method is pure."""

    needs = frozenset({REPLICATION_AGENTS, WORKLOAD})
    system = SYSTEM
    conditions = AGENT_CONDITIONS
    load_title = _("Workload at the Publisher")
    load_fields = AGENT_LOAD
    limit_fields = AGENT_LIMITS
    main_metrics = (measures.RUN_TIME, measures.THROUGHPUT, measures.LATENCY)
    stand_in_metrics = measures.AGENT_STAND_INS

    contradictions = staticmethod(agent_contradictions)
    may_forecast = staticmethod(agent_sets_the_rate)

    def parameter(self, name: str) -> Parameter:
        """Return a parameter of this family by its name."""
        return next(parameter for parameter in self.parameters if parameter.name == name)

    def preflight(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of every agent, then the family's own, in the order a person reads them."""
        common = (history_check(site), test_table_check(plan, site), *job_checks(plan, site))
        return (*common, *self.own_checks(plan, site))

    def own_checks(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of this family alone."""
        return ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return run time for a drained backlog, throughput for a steady workload and for a backlog of the client's.

        The client's own traffic shows no capacity, so its latency is what settings differ in.
        """
        source = work_source_of(plan.load)
        if source.is_own_work:
            return measures.THROUGHPUT if source.shows_capacity else measures.LATENCY
        return measures.RUN_TIME if workload_of(plan.load).scenario is Scenario.DRAINED else measures.THROUGHPUT

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial."""
        return common_failures(plan, observation)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the facts on one factor of this experiment."""
        claim = claim_of(self, evidence)
        return {**agent_facts(self, evidence, claim, factor), **self.own_facts(evidence, claim, factor)}

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return measure by setting, predictions, effects, the family's own, trials in order, delivery over time."""
        claim = claim_of(self, evidence)
        made = (
            setting_plot(self, evidence, claim),
            response_plot(self, evidence),
            effect_plot(self, evidence),
            self.own_plot(evidence),
            order_plot(self, evidence),
            rate_plot(evidence, claim, self.shown_agents(evidence)),
        )
        return tuple(plot for plot in made if plot is not None)

    def own_plot(self, evidence: Evidence) -> PlotSpec | None:
        """Return a plot of this family alone, None where it has none."""
        return None

    def shown_agents(self, _evidence: Evidence) -> tuple[str, ...]:
        """Return the names of the agents whose delivery is of interest; () for those under test."""
        return ()

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return every measure by setting, latency legs apart: the explanation of the result, and its cost."""
        note = _("They explain the result; a claim rests on the comparisons alone.")
        return by_setting_tables(evidence, claim_of(self, evidence), self.metrics, note)


class DeliveryFamily(AgentFamily):
    """A family of the Distribution Agent."""

    subject = DISTRIBUTION

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        if work_source_of(plan.load).is_own_work:
            return own_work_steps(AgentKind.DISTRIBUTION, plan, setting, self._batch(plan, setting))
        return delivery_steps(workload_of(plan.load), setting)

    def response(self, plan: Plan) -> ResponseCurve | None:
        """Return how the main metric answers to commit batches and streams, as the agent works."""
        return delivery_response(plan, is_rate=self.main_metric(plan) == measures.THROUGHPUT)

    def delivered(
        self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation, conditions: Setting
    ) -> tuple[Measurement, ...]:
        """Return the measures of every delivery trial: run time, throughput, latency, waits, fall-backs."""
        fell_back = sum(agent.fell_back for agent in observation.measured) if streams_of(spec.setting) > 1 else 0
        return (
            *agent_measurements(plan, spec, observation, conditions, observation.measured),
            as_measurement(plan, spec, measures.FALLBACKS, float(fell_back), conditions),
        )

    def _batch(self, plan: Plan, setting: Setting) -> int:
        """Return the transactions of a commit batch under a setting, as far as plan and site tell it."""
        name = "CommitBatchSize"
        return int(setting.get(name, plan.at_site.get(name, self.parameter(name).default)))

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return facts on the Subscriber, on thresholds, and on the cost of a failed batch."""
        size = self.parameter("CommitBatchSize")
        redone = rollback_facts(evidence, claim, size) if factor == size.name else {}
        return {**subscriber_facts(evidence), **fallback_facts(evidence, claim), **threshold_facts(evidence), **redone}
