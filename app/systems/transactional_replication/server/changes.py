"""Planning, making and undoing changes: the ServerChanges port."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from app.domain.change import INSTANCE, LEFT, RUN_FOUND, RUN_LEFT, Change, OfProcess, StillRunning
from app.domain.change_kinds import ChangeKind, ChangesByKind, stop_each
from app.domain.declared_change import Declaration, Declared, Restart
from app.domain.errors import TargetError, Unsupported
from app.domain.naming import Holds, HoldsByKey, words
from app.domain.server import EffectiveParameter
from app.domain.setting import Setting
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.transactional_replication.enumerations import CUSTOM_PROFILE, PROFILE_TYPE
from app.systems.transactional_replication.naming import AGENT, PUBLICATION
from app.systems.transactional_replication.server.agent_changes import (
    AGENT_STARTED,
    AGENT_STOPPED,
    agent_switches,
    job_of,
    plan_agent_started,
    plan_agent_stopped,
    stopped_like,
    title_of,
)
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.server.documented import AGENT_TYPES, goes_by_step
from app.systems.transactional_replication.server.job_control import AgentJob, JobControl
from app.systems.transactional_replication.server.job_enabled import DECLARED as JOB_DECLARED
from app.systems.transactional_replication.server.job_enabled import JOB_ENABLED, plan_job_disabled
from app.systems.transactional_replication.server.parameters import (
    check_setting,
    read_agent_profile,
    read_profile_values,
)
from app.systems.transactional_replication.server.profile_changes import DedicatedProfile, ProfileAssignment
from app.systems.transactional_replication.server.profile_parameter import DECLARED as PARAMETER_DECLARED
from app.systems.transactional_replication.server.profile_parameter import PROFILE_PARAMETER
from app.systems.transactional_replication.server.profile_plans import (
    DEDICATED_PROFILE,
    PROFILE_ASSIGNMENT,
    ProfilePlans,
    read_leftover_profiles,
)
from app.systems.transactional_replication.server.step_changes import DECLARED as STEP_DECLARED
from app.systems.transactional_replication.server.step_changes import JOB_STEP_TOKEN, plan_step_token
from app.systems.transactional_replication.server.tracer_tokens import TRACER_TOKEN, TracerToken, plan_tracer_token
from app.systems.transactional_replication.topology import Agent

_AGENT: Final = {"agent_name": AGENT, "distribution_db": Holds.DATABASE, **words("agent_kind", "job_id")}
_RUN: Final = words(RUN_FOUND, RUN_LEFT)
_VALUES: Final = _RUN | words("parameter", "parameter_name", "original_value", "new_value", "masked_hash")
CHANGE_DETAILS: Final[HoldsByKey] = {
    DEDICATED_PROFILE: {**_AGENT, "description": Holds.SENTENCE},
    PROFILE_PARAMETER: {**_AGENT, **_VALUES},
    PROFILE_ASSIGNMENT: {**_AGENT, **_RUN, "original": Holds.NAME, "new": Holds.NAME},
    JOB_STEP_TOKEN: {**_AGENT, **_VALUES},
    JOB_ENABLED: dict(_AGENT),
    AGENT_STOPPED: {**_AGENT, **words("session_start", LEFT)},
    AGENT_STARTED: {**_AGENT, **words("planned_utc", LEFT)},
    TRACER_TOKEN: {
        "publisher": Holds.SERVER,
        "publisher_at": Holds.SERVER,
        "publisher_db": Holds.DATABASE,
        "publication": PUBLICATION,
        "distribution_db": Holds.DATABASE,
        **words(INSTANCE, "from_local", "from_utc", "until_local", "until_utc", "post_until_local"),
    },
}
"""Whose words the details of each kind of change are."""

_DECLARED: Final[tuple[Declaration[At, Any], ...]] = (PARAMETER_DECLARED, STEP_DECLARED, JOB_DECLARED)
_PARAMETER_KINDS: Final = frozenset(
    {PROFILE_ASSIGNMENT, *(declared.kind for declared in _DECLARED if declared.restarts is Restart.PROCESS)}
)
_AT_SERVER: Final = "at_server"
_CONTROL_KINDS: Final = frozenset({AGENT_STOPPED, AGENT_STARTED})
MARKS: Final = {DEDICATED_PROFILE: frozenset({PROFILE_ASSIGNMENT, JOB_STEP_TOKEN, JOB_ENABLED, *_CONTROL_KINDS})}
"""A job step or an agent that stands carries no mark of whoever left it so: that a session did shows by its profile."""


class SqlServerChanges(ChangesByKind):
    """Changes on one Distributor, through named statements; knows nothing of the journal."""

    def __init__(self, session: Session, clock: Clock, agents: SqlServerAgents, *, posts_tokens: bool = True) -> None:
        self._session = session
        self._posts_tokens = posts_tokens
        self._agents = agents
        self._executor = SqlServerExecutor(session, clock)
        self._clock = clock
        self._jobs = JobControl(session, clock)
        self._switches = agent_switches(self._jobs)
        kinds: dict[str, ChangeKind] = {
            DEDICATED_PROFILE: DedicatedProfile(session),
            PROFILE_ASSIGNMENT: ProfileAssignment(session),
            **{declared.kind: Declared(declared, self._executor) for declared in _DECLARED},
            **self._switches,
            TRACER_TOKEN: TracerToken(session),
        }
        super().__init__(kinds)

    def plan_setting(
        self, agent: Agent, setting: Setting, owner: str, *, restated: Collection[str] = ()
    ) -> tuple[Change, ...]:
        """Return the changes that give the agent this setting from its next start, in order.

        What no profile can set, and every parameter the job step already names, goes by the job step, because it beats
        the profile; everything else by a dedicated profile. A setting in effect needs no change.

        Args:
            restated: parameters that other settings change in between, so that the value in effect is set, too.

        Raises:
            BadInput: a value outside its limits, or a parameter this agent does not have.
        """
        parameters = self._agents.read_parameters(agent)
        wanted = check_setting(agent, setting, parameters)
        needed = {p.name for p, value in wanted if p.value != str(value) or p.name in restated}
        stepped = {p.name for p, _value in wanted if goes_by_step(agent.kind, p.name, p.origin)}
        by_step = [pair for pair in wanted if pair[0].name in stepped & needed]
        by_profile = [pair for pair in wanted if pair[0].name not in stepped]
        distribution_db = self._agents.distribution_db
        is_by_profile = any(parameter.name in needed for parameter, _value in by_profile)
        changes = self._placed(
            *(self._plan_profile(agent, by_profile, owner, restated) if is_by_profile else ()),
            *(
                plan_step_token(self._executor, agent, distribution_db, parameter.name, str(value))
                for parameter, value in by_step
            ),
        )
        return self._found(agent, changes)

    def _found(self, agent: Agent, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return changes with the run their agent is in, where they count from a start of that."""
        run = self._jobs.run_of(AgentJob.of(agent, self._agents.distribution_db)) if changes else ""
        return tuple(change.found_in(run) if change.kind in _PARAMETER_KINDS else change for change in changes)

    def process_of(self, change: Change) -> OfProcess | None:
        """Return the agent a change is about where it counts from its start, or stopped it."""
        if change.kind not in _PARAMETER_KINDS and change.kind != AGENT_STOPPED:
            return None
        job = job_of(change)
        return OfProcess(title_of(job.kind, job.name), change.kind == AGENT_STOPPED)

    def run_of(self, change: Change) -> str:
        """Read when the run of an agent's job began that goes on now, "" while it stands."""
        self._kind(change)
        return self._jobs.run_of(job_of(change))

    def _placed(self, *changes: Change) -> tuple[Change, ...]:
        """Return changes that are made and undone at this server only: names and ids in its msdb are its own."""
        place = (_AT_SERVER, self._session.own_server)
        return tuple(replace(change, details=(*change.details, place)) for change in changes)

    def _kind(self, change: Change) -> ChangeKind:
        """Return the maker of a change's kind.

        Raises:
            TargetError: it was made at another server, or would start or stop an agent at a replica where none runs.
        """
        made_at, here = str(change.detail_or(_AT_SERVER, "")), self._session.own_server
        if made_at and made_at.casefold() != here.casefold():
            raise TargetError(
                _(
                    "this was changed at {server}, and the target leads to {here} now; it stays as it is until the "
                    "target leads to {server} again, or its DBA runs rollback.sql there"
                ).format(server=made_at, here=here)
            )
        if change.kind in _CONTROL_KINDS and (why := self._agents.why_secondary(str(change.detail("distribution_db")))):
            raise TargetError(why)
        return super()._kind(change)

    def _plan_profile(
        self, agent: Agent, wanted: list[tuple[EffectiveParameter, int]], owner: str, restated: Collection[str]
    ) -> tuple[Change, ...]:
        distribution_db = self._agents.distribution_db
        plans = ProfilePlans(agent, owner, distribution_db, self._session.own_server)
        own = read_agent_profile(self._session, distribution_db, agent)
        if not own.name:
            raise TargetError(
                _("the profile of {agent} is no longer there; give the agent another one first").format(
                    agent=agent.name
                )
            )
        dedicated_id = self._dedicated_id(agent, plans.profile_name)
        values = read_profile_values(self._session, own.profile_id if dedicated_id is None else dedicated_id)
        spelled = {name.removeprefix("-").lower(): name for name in values}
        changes: list[Change] = []
        if dedicated_id is None:
            changes.append(plans.dedicated_profile(own))
        for parameter, value in wanted:
            name = spelled.get(parameter.name.lower(), f"-{parameter.name}")
            if values.get(name) != str(value) or parameter.name in restated:
                changes.append(plans.profile_parameter(self._executor, name, values.get(name, ""), str(value)))
        if own.profile_id != dedicated_id:
            changes.append(plans.profile_assignment(own))
        return tuple(changes)

    def plan_trace(self, agent: Agent, owner: str) -> tuple[Change, ...]:
        """Return the change that makes the agent's dedicated profile, () where it is there.

        It is the first one of a session about an agent and the last one undone: whoever comes after a session that was
        lost sees by it that what stands there is no original, also where an agent only was stopped.
        """
        distribution_db = self._agents.distribution_db
        plans = ProfilePlans(agent, owner, distribution_db, self._session.own_server)
        if self._dedicated_id(agent, plans.profile_name) is not None:
            return ()
        return self._placed(plans.dedicated_profile(read_agent_profile(self._session, distribution_db, agent)))

    def plan_disabled(self, agent: Agent) -> tuple[Change, ...]:
        """Return the change that disables the agent's job, () where nothing starts it unasked, or nobody can tell."""
        start = self._jobs.start_of(AgentJob.of(agent, self._agents.distribution_db))
        if start is None or not start.schedule:
            return ()
        return self._placed(plan_job_disabled(self._executor, agent, self._agents.distribution_db))

    def plan_stop(self, agent: Agent) -> Change:
        """Return the change "agent stopped", whose undo starts it again; the agent runs now."""
        distribution_db = self._agents.distribution_db
        session_start = self._jobs.session_start(AgentJob.of(agent, distribution_db))
        (change,) = self._placed(plan_agent_stopped(agent, distribution_db, self._session.own_server, session_start))
        return change

    def plan_start(self, agent: Agent) -> Change:
        """Return the change "agent started", whose undo stops it again; the agent stands now."""
        AgentJob.of(agent, self._agents.distribution_db)
        (change,) = self._placed(
            plan_agent_started(agent, self._agents.distribution_db, self._session.own_server, self._clock.now_utc())
        )
        return change

    def plan_tracer_token(self, agent: Agent) -> Change:
        """Return the change that posts a tracer token now; raises Unsupported where there can be none."""
        if not self._posts_tokens:
            raise Unsupported(_("no tracer tokens are posted while somebody else makes every change"))
        (change,) = self._placed(plan_tracer_token(self._session, agent, self._agents.distribution_db))
        return change

    def read_leftovers(self) -> tuple[str, ...]:
        """Return one sentence for each thing an earlier session left."""
        return read_leftover_profiles(self._session, self._agents.distribution_db)

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the agents whose parameters these changes concern, so that originals count from their next start.

        Only agents that one of the changes also stops or starts: undoing that one puts them back to running or not.
        An agent without such a change was never restarted by its maker and still runs with its originals.
        """

        def stop(concerned: Change) -> None:
            self._kind(concerned)
            self._jobs.stop(job_of(concerned))

        def hanging_on(concerned: Change) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
            own = [change for change in changes if change.detail_or("job_id", "") == concerned.detail("job_id")]
            return (
                tuple(change for change in own if change.kind in _PARAMETER_KINDS),
                tuple(change for change in own if change.kind in _CONTROL_KINDS),
            )

        return stop_each(self._concerned(changes), stop, hanging_on)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes of `quiesce`: "agent stopped" for each agent concerned that runs."""
        running = [change for change in self._concerned(changes) if self._jobs.is_running(job_of(change))]
        return self._placed(*(stopped_like(change, self._session.own_server) for change in running))

    def _concerned(self, changes: Sequence[Change]) -> list[Change]:
        """Return one change for each agent whose parameters changed and that was stopped or started as well.

        One that somebody else started since it was left standing runs on.
        """
        controlled = {
            change.detail("job_id")
            for change in changes
            if change.kind in _CONTROL_KINDS and not self._is_started_by_others(change)
        }
        concerned = {
            change.detail("job_id"): change
            for change in changes
            if change.kind in _PARAMETER_KINDS and change.detail("job_id") in controlled
        }
        return list(concerned.values())

    def _is_started_by_others(self, change: Change) -> bool:
        return change.kind == AGENT_STARTED and self._switches[AGENT_STARTED].is_others(change)

    def _dedicated_id(self, agent: Agent, profile_name: str) -> int | None:
        rows = self._session.run(
            "profile_by_name",
            Place(self._session.own_server, self._agents.distribution_db),
            agent_type=AGENT_TYPES[agent.kind],
            profile_name=profile_name,
        )
        if rows and (found := PROFILE_TYPE.of(rows[0])) != CUSTOM_PROFILE:
            raise TargetError(
                _('profile "{profile}" is of type "{found}"; only custom ones are changed').format(
                    profile=profile_name, found=found
                )
            )
        return rows[0].whole("profile_id") if rows else None
