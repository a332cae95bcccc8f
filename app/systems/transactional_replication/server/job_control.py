"""Starting and stopping agents through their jobs, awaited: the procedures themselves return at once."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.errors import Gone, PermissionDenied, ProcessDidNotRespond, Unsupported
from app.drivers.sqlserver.errors import JobProblem
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.polling import polls
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import RUN_STATUS
from app.systems.transactional_replication.server.discover import read_elsewhere
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from app.systems.transactional_replication.topology import Agent, Ending, JobStart, runs_elsewhere

# A Log Reader Agent ends with the batch it writes: 10,000 transactions of 1,000 commands take about half an hour.
STOP_LIMIT_S: Final = 3_600.0
START_LIMIT_S: Final = 300.0
REFUSED_LIMIT_S: Final = 300.0
# No row of a job's history comes after this one.
_LAST_INSTANCE: Final = 2**31 - 1
# run_status of msdb.dbo.sysjobhistory: dbo-sysjobhistory-transact-sql.md
_ENDINGS: Final = {
    RUN_STATUS.word(0): Ending.FAILED,
    RUN_STATUS.word(1): Ending.BY_ITSELF,
    RUN_STATUS.word(3): Ending.STOPPED,
}


@dataclass(frozen=True)
class AgentJob:
    """The details for controlling one agent, also in another process than the one that discovered it."""

    kind: AgentKind
    agent_id: int
    name: str
    job_id: str
    distribution_db: str

    @staticmethod
    def of(agent: Agent, distribution_db: str) -> "AgentJob":
        """Return the job of a discovered agent.

        Raises:
            Unsupported: its job is not at this Distributor, as with pull subscriptions.
        """
        if not agent.job_id:
            raise Unsupported(
                _("{agent} has no job at this Distributor (a pull subscription runs at its Subscriber)").format(
                    agent=agent.name
                )
            )
        return AgentJob(agent.kind, agent.agent_id, agent.name, agent.job_id, distribution_db)


@dataclass(frozen=True)
class _Failure:
    """The newest row of a job's history, and why it failed since a row before, "" where it did not."""

    instance: int
    message: str


class JobControl:
    """Starts and stops agents and waits until the server shows it."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def is_running(self, job: AgentJob) -> bool:
        """Tell whether the job runs now, also while it is stopping; raises Gone as `run_of`."""
        return bool(self.run_of(job))

    def run_of(self, job: AgentJob) -> str:
        """Return when the run of a job began that goes on now, "" while it stands.

        Raises:
            Gone: the server that was asked does not own the job.
        """
        rows = self._session.run("job_activity", self._msdb, job_id=job.job_id)
        if not rows:
            raise Gone(
                _("{server} has no job for {agent}; a pull subscription's job is at its Subscriber").format(
                    server=self._session.own_server, agent=job.name
                )
            )
        return rows[0].text("started_local")

    def starts(self) -> tuple[JobStart, ...]:
        """Read why agents' jobs cannot be started again, or are started unasked; for sysadmins only."""
        rows = self._session.run("job_starts", self._msdb)
        return tuple(read_as(JobStart, row) for row in rows)

    def ending(self, job: AgentJob) -> Ending:
        """Return how the newest run of a job ended, unknown where the login may not read it."""
        try:
            rows = self._session.run("job_outcome", self._msdb, job_id=job.job_id)
        except PermissionDenied:
            return Ending.UNKNOWN
        return _ENDINGS.get(RUN_STATUS.of(rows[0]), Ending.UNKNOWN) if rows else Ending.UNKNOWN

    def start(self, job: AgentJob) -> None:
        """Start an agent and wait for the first history row of a new session; one that runs is left alone.

        Raises:
            ProcessDidNotRespond: no new session in time, or one that somebody stopped or that failed at once.
            JobProblem: it runs outside SQL Server Agent, where a second one would stand beside it.
        """
        if self.is_running(job):
            return
        self._hold_alone(job)
        before, known = self.session_start(job), self._failure_since(job, _LAST_INSTANCE)
        self._session.run("start_job", self._msdb, job_id=job.job_id)
        for _waited_s in polls(self._clock, START_LIMIT_S):
            is_running, has_begun = self.is_running(job), self.session_start(job) != before
            if is_running and has_begun:
                return
            failure = None if known is None or has_begun else self._failure_since(job, known.instance)
            if failure is not None and failure.message:
                raise ProcessDidNotRespond(
                    _("the job of {agent} could not be started, as its history says: {message}").format(
                        agent=job.name, message=failure.message
                    )
                )
            if has_begun:
                self._hold_alive(job)
        raise ProcessDidNotRespond(
            _("{agent} did not begin a session within {limit:.0f} s of its start; read its job history").format(
                agent=job.name, limit=START_LIMIT_S
            )
        )

    def _hold_alone(self, job: AgentJob) -> None:
        for one in read_elsewhere(self._session, job.distribution_db):
            if (one.kind, one.agent_id) == (job.kind, job.agent_id):
                raise JobProblem(runs_elsewhere(job.name, one.age_s))

    def _hold_alive(self, job: AgentJob) -> None:
        """Raise ProcessDidNotRespond where a session that has begun was stopped by somebody, or failed."""
        if self.ending(job) in (Ending.STOPPED, Ending.FAILED):
            raise ProcessDidNotRespond(
                _("{agent} ended as soon as it was started: somebody stopped it, or it failed").format(agent=job.name)
            )

    def _failure_since(self, job: AgentJob, instance: int) -> "_Failure | None":
        """Read why a job failed since a row of its history, None where the login may not read that."""
        try:
            row = self._session.run("job_failure", self._msdb, job_id=job.job_id, since_instance=instance)[0]
        except PermissionDenied:
            return None
        return _Failure(row.whole("newest_instance"), "" if row.is_null("message") else row.text("message"))

    def stop(self, job: AgentJob) -> bool:
        """Stop an agent and wait until its job has ended; one that stands is left alone.

        Returns whether it was this that stopped it: else it stood, or ended before it could be asked to.

        SQL Server Agent may refuse because the job is ending already: that it ends is then waited for.

        Raises:
            ProcessDidNotRespond: still running after the limit, or started again by somebody meanwhile.
            JobProblem: refused, and it went on running; or left running, because it could not be started again.
        """
        if not (run := self.run_of(job)):
            return False
        if why := self._why_never(job):
            raise JobProblem(_("{agent} is not stopped. {why}").format(agent=job.name, why=why))
        refused: JobProblem | None = None
        try:
            self._session.run("stop_job", self._msdb, job_id=job.job_id)
        except JobProblem as error:
            refused = error
        for _waited_s in polls(self._clock, STOP_LIMIT_S if refused is None else REFUSED_LIMIT_S):
            if not (now := self.run_of(job)):
                return refused is None
            if now != run:
                raise ProcessDidNotRespond(
                    _("{agent} was started again by somebody while it was being stopped").format(agent=job.name)
                )
        if refused is not None:
            raise refused
        raise ProcessDidNotRespond(
            _("{agent} still runs {limit:.0f} s after it was asked to stop; stop its job by hand").format(
                agent=job.name, limit=STOP_LIMIT_S
            )
        )

    def _why_never(self, job: AgentJob) -> str:
        """Return why a job could not be started again, "" where it could or nobody can tell."""
        start = self.start_of(job)
        return "" if start is None else start.why_never

    def start_of(self, job: AgentJob) -> JobStart | None:
        """Return the troubles and schedules of a job's start, None where nobody can tell."""
        try:
            found = self.starts()
        except (PermissionDenied, Unsupported):
            return None
        return next((start for start in found if start.job_id.upper() == job.job_id.upper()), None)

    def end_session_of(self, job: AgentJob, session_start: datetime) -> None:
        """Bring an agent to stand where the session that an attempt to stop it found still runs.

        Such a session may be about to end, which no view tells: taken for running, it would leave the agent standing.
        One that nobody may stop was never asked to.
        """
        if self.is_running(job) and self.session_start(job) == session_start:
            with suppress(PermissionDenied):
                self.stop(job)

    def session_start(self, job: AgentJob) -> datetime | None:
        """Return when the newest session of an agent began, None before its first."""
        rows = self._session.run(
            "agent_session",
            Place(self._session.own_server, job.distribution_db),
            agent_type=AGENT_TYPES[job.kind],
            agent_id=job.agent_id,
        )
        if not rows or rows[0].is_null("session_start_utc"):
            return None
        return rows[0].moment_utc("session_start_utc")

    @property
    def _msdb(self) -> Place:
        return Place(self._session.own_server, "msdb")
