"""The common base of the replication agents' families; a family adds its parameters and further measures."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.analysis.by_setting import by_setting_tables
from app.analysis.claim import Claim, claim_of
from app.analysis.claim_figure import claim_plot
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
from app.domain.work_source import WorkSource, is_in_windows, work_source_of
from app.foundation.texts import _
from app.runner.bench.windows import FIRST_WINDOW_S, USUAL_SWITCH_S
from app.systems.transactional_replication import metrics as measures
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.contradictions import agent_contradictions
from app.systems.transactional_replication.analysis.delivery_response import delivery_response
from app.systems.transactional_replication.analysis.facts import agent_facts
from app.systems.transactional_replication.analysis.figures import own_backlog_plot, rate_plot
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
from app.systems.transactional_replication.server.documented import may_fall_back, streams_of
from app.systems.transactional_replication.server.job_steps import JobStep
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.steps import (
    delivery_steps,
    keep_steps,
    own_work_steps,
    rest_steps,
)
from app.systems.transactional_replication.subjects import DISTRIBUTION, REPLICATION_AGENTS, WORKLOAD
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.topology import LOAD_TABLE, Agent, JobStart, runs_elsewhere
from app.systems.transactional_replication.trial_seen import AgentTrialObservation

# Rough rates for the first estimate of a trial's length: the published study read about 1 M commands in 190 s and
# delivered them in 500 s.
ROUGH_READ_RATE_PER_S: Final = 5_000.0
ROUGH_DELIVERY_RATE_PER_S: Final = 2_000.0
WINDOW_S: Final = FIRST_WINDOW_S + USUAL_SWITCH_S
"""How long a window on the client's own work takes, with its switch."""
ROUGH_WRITE_RATE_PER_S: Final = 20_000.0
ROUGH_S_PER_COMMAND: Final = 1 / ROUGH_READ_RATE_PER_S + 1 / ROUGH_DELIVERY_RATE_PER_S + 1 / ROUGH_WRITE_RATE_PER_S


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
        return _held_check(plan, site, chosen)
    return PreflightCheck(
        title=_("{commands:,} commands wait for the agent; nothing is written").format(commands=waiting),
        passed=waiting > 0,
        remedy=_('Nothing waits for it: name source = "held" in [workload], or another agent.'),
        blocking=True,
    )


def _held_check(plan: Plan, site: AgentSite, chosen: Sequence[Agent]) -> PreflightCheck:
    """Return the check that an agent may be held as long as is agreed, and is not behind as long already."""
    most_s = plan.limits.get(SUBSCRIBER_AGE.name)
    behind = [found for agent in chosen if (found := site.waiting.get(agent.name)) is not None]
    if most_s is not None and any(found.time_s >= most_s for found in behind):
        return PreflightCheck(
            title=_("The data at the Subscriber is younger than it may become"),
            passed=False,
            remedy=_(
                "{commands:,} commands wait for the agent, more than it delivers in that time: name "
                'source = "own_backlog" in [workload].'
            ).format(commands=sum(found.commands for found in behind)),
            blocking=True,
        )
    return PreflightCheck(
        title=_("How old the data at the Subscriber may become is agreed"),
        passed=most_s is not None,
        remedy=_("Name data_age_s in [limits], seconds: the agent is held for no longer."),
        blocking=True,
    )


def job_checks(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return reasons why a stopped agent may not be started again, and the means where a schedule starts it."""
    chosen = [agent for pair in _pairs(plan, site) for agent in pair if agent]
    starts = {start.job_id.upper(): start for start in site.job_starts or ()}
    found = [(agent, start) for agent in chosen if (start := starts.get(agent.job_id.upper())) is not None]
    checks = [*_steps_checks(plan, chosen, site), *_elsewhere_checks(chosen, site), *_failing_checks(chosen, site)]
    checks += _job_start_checks(found)
    if chosen and site.job_starts is None:
        checks.append(
            _unchecked(_("Owners, proxies and schedules of the agents' jobs"), _("sysadmin at the Distributor"))
        )
    return tuple(checks)


def _elsewhere_checks(chosen: Sequence[Agent], site: AgentSite) -> list[PreflightCheck]:
    """Return the agents that something else runs than their job."""
    return [
        PreflightCheck(
            _("{agent} is run by its job").format(agent=agent.name),
            passed=False,
            remedy=_(
                "{why}; stop it where it was started, and start its job instead, or measure another agent."
            ).format(why=runs_elsewhere(agent.name, elsewhere.age_s)),
            blocking=True,
        )
        for agent in chosen
        if (elsewhere := site.topology.elsewhere_of(agent)) is not None
    ]


def _job_start_checks(found: Sequence[tuple[Agent, JobStart]]) -> list[PreflightCheck]:
    """Return the jobs that can never start again, and those that a schedule starts."""
    checks = []
    for agent, start in found:
        if start.why_never:
            title = _("The job of {agent} can be started again").format(agent=agent.name)
            checks.append(PreflightCheck(title, passed=False, remedy=start.why_never, blocking=True))
        if start.schedule:
            title = _('The job of {agent}, which schedule "{schedule}" starts, is disabled for the run').format(
                agent=agent.name, schedule=start.schedule
            )
            remedy = _("It is enabled again at the end; stopped and started meanwhile all the same.")
            checks.append(PreflightCheck(title, passed=True, remedy=remedy))
    return checks


def _steps_checks(plan: Plan, chosen: Sequence[Agent], site: AgentSite) -> list[PreflightCheck]:
    """Return the points of the job steps that were looked for."""
    looked_for = [agent for agent in chosen if agent.job_id and agent.name in site.steps]
    return [check for agent in looked_for for check in _step_checks(plan, agent, site.steps[agent.name])]


def _step_checks(plan: Plan, agent: Agent, step: JobStep | None) -> list[PreflightCheck]:
    """Return the points of an agent's job step that a run must know; values that stand there win over a profile."""
    if step is None:
        remedy = _(
            "The switches {agent} starts with are not known: its job has no step of SQL Server's own kind for it (one "
            "may call a batch file), or this login may not read it. They would win over what a run sets."
        ).format(agent=agent.name)
        title = _("Could not be checked: {what}").format(what=_("the job step of {agent}").format(agent=agent.name))
        return [PreflightCheck(title, passed=False, remedy=remedy)]
    checks = _start_checks(agent, step)
    names = {factor.name for factor in plan.factors} | set(dict(plan.baseline.items() if plan.baseline else ()))
    if unclear := sorted({*step.repeated, *step.unclear}):
        title = _("The job step of {agent} names each value once, as a bare number").format(agent=agent.name)
        remedy = _(
            "{names}: named twice, in quotes, or no plain number such as 100; which value counts is documented "
            "nowhere, so that a run does not change it. Correct the step by hand first."
        ).format(names=", ".join(f"-{name}" for name in unclear))
        checks.append(
            PreflightCheck(
                title,
                passed=False,
                remedy=remedy,
                blocking=bool(names & set(unclear)) or "ProfileName" in step.repeated,
            )
        )
    if step.unknown:
        title = _("Every switch in the job step of {agent} is known").format(agent=agent.name)
        remedy = _(
            "{count} of them this program does not know; it neither reads nor changes them, and what they do is in "
            "every trial alike."
        ).format(count=step.unknown)
        checks.append(PreflightCheck(title, passed=False, remedy=remedy))
    return checks


def _failing_checks(chosen: Sequence[Agent], site: AgentSite) -> list[PreflightCheck]:
    """Return the agents that fail now: the load of a trial would only wait for them."""
    return [
        PreflightCheck(
            _("{agent} delivers").format(agent=agent.name),
            passed=False,
            remedy=_(
                'It fails and is started again and again, and says "{says}"; mend that first, or measure another '
                "agent: what is written for a trial would only wait for it."
            ).format(says=site.failing[agent.name].strip()),
            blocking=True,
        )
        for agent in chosen
        if agent.name in site.failing
    ]


def _start_checks(agent: Agent, step: JobStep) -> list[PreflightCheck]:
    """Return whether the agent goes on by itself, and with which values it starts."""
    checks = []
    if not step.is_continuous:
        title = _("{agent} goes on once nothing waits (-Continuous)").format(agent=agent.name)
        remedy = _(
            "Its job step lacks -Continuous, so that it ends by itself in the middle of a trial; add it to the step "
            "for the time of the run (sp_update_jobstep), or measure another agent."
        )
        checks.append(PreflightCheck(title, passed=False, remedy=remedy, blocking=True))
    if step.has_definition_file:
        title = _("What {agent} starts with is known").format(agent=agent.name)
        remedy = _(
            "Its job step names a file with further switches (-DefinitionFile), which win over what a run sets and are "
            "not read; move them into the step, or measure another agent."
        )
        checks.append(PreflightCheck(title, passed=False, remedy=remedy, blocking=True))
    if step.has_profile:
        title = _('The job step of {agent} names profile "{profile}", which wins over the assigned one').format(
            agent=agent.name, profile=step.profile or _("(there is none of that name)")
        )
        remedy = (
            _("Values are set in the step, where they count, and taken out of it at the end.")
            if step.profile
            else _("Nobody knows with which values it starts; correct -ProfileName in the step first.")
        )
        checks.append(PreflightCheck(title, passed=bool(step.profile), remedy=remedy, blocking=not step.profile))
    return checks


def _unreached_checks(plan: Plan, site: AgentSite) -> list[PreflightCheck]:
    """Return the Subscribers of a plan that gave no answer here; their agents may reach them all the same."""
    deliverers = [deliverer for _reader, deliverer in _pairs(plan, site) if deliverer is not None]
    measured = {agent.subscriber for agent in deliverers if agent.name not in site.failing}
    silent = {server.name: server.reason for server in site.topology.unreached if server.name in measured}
    return [
        PreflightCheck(
            _("Subscriber {server} can be read").format(server=name),
            passed=False,
            remedy=_(
                "Not read: {why}. If it is off, every trial fails: look in the agent's history whether it delivers "
                "now, or name another Subscriber in the plan."
            ).format(why=reason),
        )
        for name, reason in silent.items()
    ]


def _pairs(plan: Plan, site: AgentSite) -> Sequence[tuple[Agent, Agent | None]]:
    """Return the agents a plan is for."""
    work = workload_of(plan.load)
    return site.topology.pairs(work.named)[: work.agent_pairs]


def _unchecked(title: str, right: str) -> PreflightCheck:
    """Return the check that this login may not make."""
    remedy = _("This login may not read it; it takes {right}.").format(right=right)
    return PreflightCheck(_("Could not be checked: {what}").format(what=title), passed=False, remedy=remedy)


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
        common = (history_check(site), test_table_check(plan, site), *twice_published(site), *job_checks(plan, site))
        return (*common, *_unreached_checks(plan, site), *self.own_checks(plan, site))

    def own_checks(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of this family alone."""
        return ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return run time for a drained backlog, throughput for a steady workload and in windows on a backlog.

        The client's own traffic shows no capacity, so its latency is what settings differ in.
        """
        if is_in_windows(plan.load):
            return measures.THROUGHPUT if work_source_of(plan.load).shows_capacity else measures.LATENCY
        return measures.RUN_TIME if workload_of(plan.load).scenario is Scenario.DRAINED else measures.THROUGHPUT

    def keep_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps after which the agents under test work with a setting on the client's own work."""
        return keep_steps(AgentKind(self.subject), plan, setting)

    def rest_steps(self, plan: Plan) -> tuple[Step, ...]:
        """Return the steps that wait until the client's backlog is gone."""
        return rest_steps(AgentKind(self.subject), plan)

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
            own_backlog_plot(evidence, claim),
            setting_plot(self, evidence, claim),
            response_plot(self, evidence),
            effect_plot(self, evidence),
            claim_plot(evidence, claim),
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


def twice_published(site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return a check where the test table is an article of several publications, each of which counts its changes.

    Source: Microsoft's "multiplier effect": the Log Reader Agent writes a command for each publication of an article.
    """
    if not site.agents:
        return ()
    first = site.agents[0]
    names = [
        publication.name
        for publication in site.topology.publications
        if (publication.publisher, publication.publisher_db) == (first.publisher, first.publisher_db)
        and LOAD_TABLE.casefold() in {table.casefold() for table in publication.tables}
    ]
    if len(names) < 2:
        return ()
    remedy = _(
        "It is in {names}: the Log Reader Agent writes each change once for each of them, so that more is delivered "
        "than was written; take it out of all but the one that is measured."
    )
    title = _("The test table is an article of one publication")
    return (PreflightCheck(title, passed=False, remedy=remedy.format(names=", ".join(names))),)


def skipped_check(plan: Plan, site: AgentSite) -> PreflightCheck:
    """Return the check that rows which differ are not passed over, which several streams make more of."""
    skipped = site.parameters.get("SkipErrors")
    several = any(may_fall_back(factor.name) for factor in plan.factors)
    return PreflightCheck(
        title=_("No errors are skipped silently (SkipErrors)"),
        passed=skipped is None or not skipped.value.strip("' "),
        remedy=_("SkipErrors hides rows that differ between Publisher and Subscriber; check them before tuning."),
        blocking=several,
    )


def nature_checks(plan: Plan, site: AgentSite) -> list[PreflightCheck]:
    """Return whether several streams are meant for the Subscribers of a plan that varies them.

    Source: replication-distribution-agent.md (SubscriptionStreams), and Microsoft KB953199.
    """
    if not any(may_fall_back(factor.name) for factor in plan.factors):
        return []
    checks = []
    for agent, nature in site.natures.items():
        for is_so, title, right in (
            (nature.is_peer, _("{agent} delivers no peer-to-peer publication"), _("SELECT on dbo.syspublications")),
            (
                nature.is_other_engine,
                _("The Subscriber of {agent} is a SQL Server"),
                _("SELECT on dbo.MSsubscriber_info"),
            ),
            (
                nature.is_updatable,
                _("The Subscriber of {agent} sends no changes back"),
                _("SELECT on dbo.MSsubscriptions"),
            ),
        ):
            if is_so is None:
                checks.append(_unchecked(title.format(agent=agent), right))
            elif is_so:
                remedy = _(
                    "SubscriptionStreams above 1 is not meant for such a subscription; vary another parameter, or "
                    "measure another agent."
                )
                checks.append(PreflightCheck(title.format(agent=agent), passed=False, remedy=remedy, blocking=True))
    return checks


def language_check(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return that fall-backs to one stream go unseen where a plan with several is for agents of another language."""
    if not site.of_other_language or not any(may_fall_back(factor.name) for factor in plan.factors):
        return ()
    remedy = _(
        "The messages of {agents} are in another language than English, and only an English message tells that an "
        "agent fell back to one stream. Trials with several streams are measured, but whether one fell back is left "
        "open; read the agent's history of these trials."
    ).format(agents=", ".join(site.of_other_language))
    return (PreflightCheck(_("Fall-backs to one stream can be told"), passed=False, remedy=remedy),)


class DeliveryFamily(AgentFamily):
    """A family of the Distribution Agent."""

    subject = DISTRIBUTION

    def preflight(self, plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
        """Return the checks of every agent, what is skipped, then the family's own."""
        own = (skipped_check(plan, site), *nature_checks(plan, site), *language_check(plan, site))
        return (*super().preflight(plan, site), *own)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        if work_source_of(plan.load).is_own_work:
            return own_work_steps(AgentKind.DISTRIBUTION, plan, setting, self.batch(plan, setting))
        return delivery_steps(workload_of(plan.load), setting)

    def response(self, plan: Plan) -> ResponseCurve | None:
        """Return how the main metric answers to commit batches and streams, as the agent works."""
        return delivery_response(plan, is_rate=self.main_metric(plan) == measures.THROUGHPUT)

    def delivered(
        self, plan: Plan, spec: TrialSpec, observation: AgentTrialObservation, conditions: Setting
    ) -> tuple[Measurement, ...]:
        """Return the measures of every delivery trial: run time, throughput, latency, waits, fall-backs."""
        told = [agent.fell_back for agent in observation.measured]
        measured = agent_measurements(plan, spec, observation, conditions, observation.measured)
        if streams_of(spec.setting) > 1 and None in told:
            return measured
        count = sum(map(bool, told)) if streams_of(spec.setting) > 1 else 0
        return (*measured, as_measurement(plan, spec, measures.FALLBACKS, float(count), conditions))

    def batch(self, plan: Plan, setting: Setting) -> int:
        """Return the transactions of a commit batch under a setting, as far as plan and site tell it."""
        name = "CommitBatchSize"
        return int(setting.get(name, plan.at_site.get(name, self.parameter(name).default)))

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return facts on the Subscriber, on thresholds, and on the cost of a failed batch."""
        size = self.parameter("CommitBatchSize")
        redone = rollback_facts(evidence, claim, size) if factor == size.name else {}
        return {**subscriber_facts(evidence), **fallback_facts(evidence, claim), **threshold_facts(evidence), **redone}
