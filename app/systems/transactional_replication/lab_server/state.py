"""The changing state of the lab's servers: profiles, job steps, history, tokens, on top of the simulation."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.other_work import OtherWork
from app.drivers.sqlserver.lab.servers import CountingState
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.agent import DISTRIBUTION_PARAMETERS, LOG_READER_PARAMETERS
from app.systems.transactional_replication.lab.replication import (
    AgentState,
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from app.systems.transactional_replication.lab.scenario import HistoryConstants, PastConstants, Scenario
from app.systems.transactional_replication.lab_server.history import AgentHistory
from app.systems.transactional_replication.lab_server.profiles import ProfileStore
from app.systems.transactional_replication.lab_server.site import (
    CLOSED,
    DISTRIBUTION_DB,
    DISTRIBUTOR,
    PRIMARY,
    LabAgent,
    LabSite,
)
from app.systems.transactional_replication.lab_server.steps import switches_of
from app.systems.transactional_replication.server.documented import AGENT_TYPES, documented

# Longest stretch of virtual time between two looks at the agents: the simulation keeps their newest deliveries only.
_LOOK_EVERY_S: Final = 30.0
_SECONDS_PER_HOUR: Final = 3600.0
# The site's own workload comes in portions of half a minute.
_PORTIONS_PER_HOUR: Final = 120
# The lab's servers stand an hour east of Greenwich.
_EAST_MIN: Final = 60
# run_status of msdb.dbo.sysjobhistory: dbo-sysjobhistory-transact-sql.md
_FAILED, _SUCCEEDED, _CANCELLED = 0, 1, 3
# Between two attempts of a job step that failed: one minute, as the wizards set it (sp_add_jobstep, retry_interval).
_ATTEMPT_EVERY_S: Final = 60.0
# A server's count of milliseconds when SQL Server started; each restart has another.
_STARTED_MS: Final = 90_000
_BETWEEN_STARTS_MS: Final = 86_400_000
# Of each availability group; the second one's computer was started a moment later than the first one's.
_REPLICAS: Final = 2


def lived_state(scenario: Scenario, seed: int, noise: bool | None) -> "LabState":
    """Return the servers' state behind the past of a scenario, if it has one.

    The past takes seconds to live through and is kept, as the same site is opened to be read and then to be watched.
    """
    if scenario.past is None:
        return LabState(scenario, seed, noise)
    state: LabState = pickle.loads(_kept_past(scenario, seed, noise))
    return state


@lru_cache(maxsize=1)
def _kept_past(scenario: Scenario, seed: int, noise: bool | None) -> bytes:
    state = LabState(scenario, seed, noise)
    if scenario.past is not None:
        state.live_through(scenario.past, seed)
    return pickle.dumps(state)


def _rhythm(scenario: Scenario, agent: LabAgent) -> HistoryConstants | None:
    """Return how often an agent writes its history; a Log Reader Agent does not count transactions."""
    history = scenario.history
    if history is None or agent.kind is AgentKind.DISTRIBUTION:
        return history
    return history.model_copy(update={"transactions_per_history": 0})


@dataclass(frozen=True)
class JobFailure:
    """A row of a job's history: the job failed, and why."""

    job_id: str
    message: str


@dataclass(frozen=True)
class PostedToken:
    """A tracer token of the simulation, the pair it was posted in, and the Publisher's time of day then."""

    token: int
    pair: int
    posted_local: str


@dataclass(frozen=True)
class _Attempts:
    """A job that tries again and again to start an agent whose Subscriber is off; times of the virtual clock."""

    first_s: float
    stopped_s: float | None = None

    def newest_s(self, now_s: float) -> float:
        """Return when the newest attempt began."""
        until_s = now_s if self.stopped_s is None else self.stopped_s
        return self.first_s + (until_s - self.first_s) // _ATTEMPT_EVERY_S * _ATTEMPT_EVERY_S


class LabState(CountingState):
    """The servers' state; all agents run from the start, as continuous jobs do.

    Attributes:
        addresses: where each server is reached, by name; its name alone where it has no address.
        outcomes: how the newest run of a job ended, by job id, as run_status of its history. failures: rows of jobs'
            history on starts that failed. ownerless, without_credential, without_subsystem, scheduled: ids of jobs that
            can never start again, for want of one or the other, or that a schedule of their own starts. disabled: of
            jobs no schedule starts.
        server_starts: how often each server was restarted. utc_offset_min: of their time of day.
        failovers: how often each address came to lead to another replica.
        opens_at_s: when an address that moves to another replica answers again, by server.
        distribution_role: of the distribution database at its Distributor, as the scenario calls them.
        set_elsewhere: statements that would have changed a replica the session was never opened with.
        other_work: what the servers do besides replicating.
    """

    def __init__(self, scenario: Scenario, seed: int, noise: bool | None) -> None:
        self.lab = ReplicationLab(scenario, seed, noise)
        self.site = LabSite(scenario)
        self.addresses = {server.name: server.name for server in self.site.servers}
        self.profiles = ProfileStore()
        for own in scenario.site.own_profiles:
            self.profiles.add(AGENT_TYPES[AgentKind(own.agent)], own.name).values[f"-{own.parameter}"] = own.value
        self.profile_ids = {a.job_id: self.profiles.default_ids[AGENT_TYPES[a.kind]] for a in self.site.agents}
        self.steps = {agent.job_id: self.site.step_text(agent) for agent in self.site.agents}
        self.tokens: dict[int, PostedToken] = {}
        is_german = scenario.site.agents_speak == "german"
        self.history = {
            agent.job_id: AgentHistory(
                _rhythm(scenario, agent), is_german=is_german, unreached=self.site.unreached_by(agent)
            )
            for agent in self.site.agents
        }
        self._attempts: dict[str, _Attempts] = {}
        self.will_not_stop: set[str] = set()
        self.outcomes: dict[str, int] = {}
        self.failures: list[JobFailure] = []
        self.ownerless, self.without_credential, self.without_subsystem, self.scheduled = (
            {pair.distribution.job_id for number, pair in enumerate(self.site.pairs, start=1) if number in numbers}
            for numbers in self.site.jobs_with_trouble
        )
        self.disabled: set[str] = set()
        self.server_starts: dict[str, int] = {}
        self.failovers: dict[str, int] = {}
        self.opens_at_s: dict[str, float] = {}
        self.distribution_role: str = self.site.found.distribution_role
        self.set_elsewhere: list[str] = []
        self.other_work = OtherWork(self._now_s, self.site.main_database, self._busy_spans)
        self.has_counters = True
        self.utc_offset_min = _EAST_MIN
        self._looked_s = -1.0
        self._start_all()
        self.look()

    def _start_all(self) -> None:
        """Start the agents that run where a site is looked at first."""
        for agent in self.site.agents:
            is_off = self.site.is_pull(agent) and self.site.unreached_by(agent)  # as the server its job stands at
            if not (is_off or self.site.is_stopped_for_good(agent)) and self.distribution_role == PRIMARY:
                self.start(agent)

    def _now_s(self) -> float:
        return self.lab.now_s

    def live_through(self, past: PastConstants, seed: int) -> None:
        """Let the site's own workload pass, so that there is history to observe."""
        size = past.commands_per_transaction
        outage_s = self.lab.now_s + (len(past.commands_per_s) - past.outage_hours) * _SECONDS_PER_HOUR
        self.lab.live_through(is_past=True)
        for hour, rate_per_s in enumerate(past.commands_per_s):
            for portion in range(_PORTIONS_PER_HOUR):
                started_s = self.lab.now_s
                if past.outage_hours and started_s >= outage_s:
                    self._each_away(past, self.stop, is_running=True)
                transactions = round(rate_per_s * _SECONDS_PER_HOUR / _PORTIONS_PER_HOUR / size)
                for pair in range(len(self.site.pairs)):
                    if transactions:
                        number = seed + (hour * _PORTIONS_PER_HOUR + portion) * len(self.site.pairs) + pair
                        self.lab.write_transactions(pair, transactions, (size, size), number)
                self.advance(_SECONDS_PER_HOUR / _PORTIONS_PER_HOUR - (self.lab.now_s - started_s))
        if past.backlog_commands:
            for pair in range(len(self.site.pairs)):
                self.lab.write_transactions(pair, round(past.backlog_commands / size), (size, size), seed)
            self.look()
        self.lab.live_through(is_past=False)
        if past.outage_hours:
            self._each_away(past, self.start, is_running=False)

    def _each_away(self, past: PastConstants, do: Callable[[LabAgent], None], *, is_running: bool) -> None:
        """Stop or start the agents that stood for a while."""
        for agent in self.site.agents:
            is_away = agent.kind == past.outage_of and agent.pair + 1 in (past.outage_pairs or (agent.pair + 1,))
            if is_away and not self.site.is_stopped_for_good(agent) and self.is_running(agent) is is_running:
                do(agent)

    def _busy_spans(self, server: str, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return when the Distributor of an uneven site is busy: its log is backed up then."""
        return self.lab.busy_spans(from_s, until_s) if server == DISTRIBUTOR else []

    def agent_state(self, agent: LabAgent) -> AgentState:
        """Return an agent as the simulation knows it now, or as it tries to connect to a Subscriber that is off."""
        if agent.kind is AgentKind.LOG_READER:
            return self.lab.log_reader(agent.pair)
        state, tried = self.lab.distribution_agent(agent.pair), self._attempts.get(agent.job_id)
        if tried is None:
            return state
        return replace(state, running=tried.stopped_s is None, session_start_s=tried.newest_s(self.lab.now_s))

    def is_running(self, agent: LabAgent) -> bool:
        """Tell whether an agent's process exists now, or its job waits to try again."""
        if (tried := self._attempts.get(agent.job_id)) is not None:
            return tried.stopped_s is None
        return self.lab.is_running(agent.pair, is_log_reader=agent.kind is AgentKind.LOG_READER)

    def is_job_running(self, agent: LabAgent) -> bool:
        """Tell whether an agent runs by its job."""
        return self.is_running(agent) and not self.site.is_elsewhere(agent)

    def advance(self, seconds: float) -> None:
        """Let virtual time pass, looking at the agents often enough to miss no delivery."""
        left_s = seconds
        while left_s > 0:
            step_s = min(left_s, _LOOK_EVERY_S)
            before_s = self.lab.now_s
            self.lab.advance(step_s)
            left_s -= step_s
            self._end_by_themselves()
            self._start_by_schedule(before_s)
            self.look()

    def _end_by_themselves(self) -> None:
        """End the agents that do not run on, where nothing waits for them any more."""
        for one in self.site.found.steps:
            pair = self.site.pairs[one.pair - 1]
            agent = pair.log_reader if AgentKind(one.agent) is AgentKind.LOG_READER else pair.distribution
            if not one.is_continuous and self.is_running(agent) and self.agent_state(agent).idle_since_s is not None:
                self.stop(agent)
                self.outcomes[agent.job_id] = _SUCCEEDED

    def _start_by_schedule(self, before_s: float) -> None:
        """Start the agents that a schedule of their own starts, where its moment came since then."""
        every_s = self.site.found.jobs_start_every_s
        if self.scheduled and self.lab.now_s // every_s > before_s // every_s:
            for agent in self.site.live_agents:
                if agent.job_id in self.scheduled - self.disabled and not self.is_running(agent):
                    self.start(agent)

    def look(self, *, again: bool = False) -> None:
        """Let every agent write its history up to now; `again` also where no time passed since the last look."""
        now_s = self.lab.now_s
        if now_s == self._looked_s and not again:
            return
        self._looked_s = now_s
        for agent in self.site.agents:
            self.history[agent.job_id].observe(self.agent_state(agent), now_s)

    def start(self, agent: LabAgent) -> None:
        """Start an agent with the parameters in effect for it now."""
        if agent.kind is AgentKind.LOG_READER:
            read = {field: self.effective(agent, name) for name, field in LOG_READER_PARAMETERS.items()}
            self.lab.start_log_reader(agent.pair, LogReaderSettings(**read))
            return
        if self.site.unreached_by(agent):
            self._attempts[agent.job_id] = _Attempts(self.lab.now_s)
            return
        given = {field: self.effective(agent, name) for name, field in DISTRIBUTION_PARAMETERS.items()}
        given["subscription_streams"] = max(1, given["subscription_streams"])
        self.lab.start_distribution_agent(agent.pair, DistributionSettings(**given))

    def why_no_start(self, agent: LabAgent) -> str:
        """Return SQL Server Agent's message where a job can never start, "" where it can."""
        if agent.job_id in self.ownerless:
            return (
                f"The job failed.  Unable to determine if the owner (CORP\\gone) of job {agent.name} has server access "
                "(reason: Could not obtain information about Windows NT group/user 'CORP\\gone', error code 0x534. "
                "[SQLSTATE 42000] (Error 15404))."
            )
        if self.site.is_elsewhere(agent):
            return "Another distribution agent for the subscription or subscriptions is running.  The step failed."
        if agent.job_id in self.without_credential:
            return (
                "Unable to start execution of step 2 (reason: The credential of proxy Replication is not valid).  "
                "The step failed."
            )
        if agent.job_id in self.without_subsystem:
            return (
                "Unable to start execution of step 2 (reason: Proxy Replication may not run such a step).  "
                "The step failed."
            )
        return ""

    def note_failure(self, agent: LabAgent, message: str) -> None:
        """Note in the history of an agent's job that it could not be started."""
        self.note_outcome(agent, was_stopped=False)
        self.failures.append(JobFailure(agent.job_id, message))

    def note_outcome(self, agent: LabAgent, *, was_stopped: bool) -> None:
        """Note how the run of an agent's job ended."""
        self.outcomes[agent.job_id] = _CANCELLED if was_stopped else _FAILED

    def forget_profile(self, agent: LabAgent) -> None:
        """Let an agent that is dropped use no profile of its own any more."""
        self.profile_ids[agent.job_id] = self.profiles.default_ids[AGENT_TYPES[agent.kind]]

    def started_ms(self, server: str) -> int:
        """Return the server's count of milliseconds when SQL Server started."""
        starts, failovers = self.server_starts.get(server, 0), self.failovers.get(server, 0)
        return _STARTED_MS + _BETWEEN_STARTS_MS * starts + failovers % _REPLICAS

    def instance_of(self, server: str) -> str:
        """Return the instance at a server's address: another one after each restart and each failover."""
        return f"{server} {self.server_starts.get(server, 0)} {self.failovers.get(server, 0)}"

    def closed(self, server: str, database: str) -> SqlError | None:
        """Return the error instead of a way into a database that is a secondary replica's, None where there is one."""
        if (server, database, self.distribution_role) != (DISTRIBUTOR, DISTRIBUTION_DB, CLOSED):
            return None
        return SqlError(
            976,
            f"The target database, '{database}', is participating in an availability group and is currently not "
            "accessible for queries. Either data movement is suspended or the availability replica is not enabled for "
            "read access.",
            "42000",
        )

    def is_elsewhere(self, server: str) -> bool:
        """Tell whether another replica answers at a server's address now than the first one."""
        return self.failovers.get(server, 0) % _REPLICAS != 0

    def stop(self, agent: LabAgent) -> None:
        """Signal an agent to stop; it ends with the batch in hand."""
        if agent.job_id in self.will_not_stop:
            return
        if agent.kind is AgentKind.LOG_READER:
            self.lab.stop_log_reader(agent.pair)
        elif (tried := self._attempts.get(agent.job_id)) is not None:
            self._attempts[agent.job_id] = replace(tried, stopped_s=tried.stopped_s or self.lab.now_s)
        else:
            self.lab.stop_distribution_agent(agent.pair)

    def effective(self, agent: LabAgent, parameter: str) -> int:
        """Return the value an agent starts with: job step, then profile, then the vendor's default.

        What a real one makes of a value that is no plain number no page says; here it counts as none.
        """
        in_step = {one.name.lower(): one.value for one in reversed(switches_of(self.steps[agent.job_id]))}
        if (told := in_step.get(f"-{parameter}".lower(), "")).isdigit():
            return int(told)
        named = in_step.get("-profilename")
        profile = (
            self.profiles.get(self.profile_ids[agent.job_id])
            if named is None
            else self.profiles.find(AGENT_TYPES[agent.kind], named)
        )
        if profile is not None:
            for name, value in profile.values.items():
                if name.lower() == f"-{parameter.lower()}":
                    return int(value)
        return int(documented(agent.kind)[parameter.lower()].default)
