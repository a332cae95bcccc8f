"""The watch of a trial on the capture job, and how a run left the job."""

from dataclasses import dataclass

from app.domain.errors import Disturbed, FailedOver
from app.foundation.texts import _
from app.model.reading import grown_by
from app.runner.bench.rig import StepRig
from app.runner.bench.watch import Watch
from app.systems.change_data_capture.members import Member, capture_port
from app.systems.change_data_capture.readings import LIMITS, LOG_USED, CaptureSample


@dataclass
class JobState:
    """How this run left the job.

    Attributes:
        stands: None before it was switched. since_s: when it was stopped, by the target's clock.
        run_started: start of the server that the run began with, 0 before it was read.
    """

    stands: bool | None = None
    since_s: float = 0.0
    run_started: int = 0

    def forget(self) -> None:
        """Start afresh after a restore."""
        self.stands, self.run_started = None, 0


def watch_of(rig: StepRig[Member]) -> Watch[CaptureSample]:
    """Return the watch of a trial; it ends with a failover, a restart, or a scan that failed."""
    member, port, state = rig.at.members, capture_port(rig.at.target), rig.kept(JobState)

    def check(before: CaptureSample | None, now: CaptureSample) -> None:
        if now.own_server.casefold() != port.own_server.casefold():
            raise FailedOver(
                _("{database} is at {new} now, not at {old} where the run began").format(
                    database=member.database, new=now.own_server, old=port.own_server
                )
            )
        state.run_started = state.run_started or now.server_started_ms
        if now.server_started_ms != state.run_started:
            raise Disturbed(
                _("{server} was restarted during the run, which reset the totals of the log scan; the run ends").format(
                    server=now.own_server
                )
            )
        if before is not None and (grown_by(before, now, "failed_scans") or 0) > 0:
            rig.call.on_mark(
                _("a scan of {database} failed: {why}").format(
                    database=member.database, why=port.newest_error(member.database) or "?"
                )
            )

    unread = {LOG_USED.name: rig.log_unwatched(member.database, port.own_server)}
    return rig.watch(LIMITS, lambda: port.sample(member.database), check, unread)
