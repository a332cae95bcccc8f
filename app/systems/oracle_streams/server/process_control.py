"""Starting and stopping an apply, awaited: the procedures return before the processes have followed."""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import ProcessDidNotRespond, Unsupported
from app.drivers.oracle.session import End, Session
from app.foundation.clock import Clock
from app.foundation.polling import polls
from app.foundation.texts import _
from app.systems.oracle_streams.analysis.stages import Doing, doing_of
from app.systems.oracle_streams.enumerations import ABORTED, DISABLED, ENABLED, STANDING, STATUS
from app.systems.oracle_streams.pipeline import Technology
from app.systems.oracle_streams.server.views import variant

# A large transaction that is being applied is rolled back first.
STOP_LIMIT_S: Final = 3_600.0
START_LIMIT_S: Final = 300.0
CAPTURE_START_LIMIT_S: Final = 900.0
_SHOWN_S: Final = 10.0  # within which a status is shown that was just set
# States of a coordinator on its way down (V$STREAMS_APPLY_COORDINATOR); its status may still read ENABLED.
_ENDING: Final = ("SHUTTING DOWN", "ABORTING")


@dataclass(frozen=True)
class ApplyStatus:
    """An apply now.

    Attributes:
        status: "ENABLED", "DISABLED" or "ABORTED". error: what ended it.
        state: what its coordinator does, "" where none runs. started: when that was started, "" where none runs.
    """

    status: str
    state: str
    error: str
    started: str = ""

    @property
    def is_running(self) -> bool:
        """Whether its coordinator works, or waits for work, and is not on its way down."""
        is_up = bool(self.state) and not self.state.startswith("INITIALIZING")
        return self.status == ENABLED and is_up and not self.is_ending

    @property
    def is_stopped(self) -> bool:
        """Whether its coordinator is gone, and does not come back by itself."""
        return self.status in STANDING and not self.state

    @property
    def is_ending(self) -> bool:
        """Whether its coordinator is on its way down: a stop was asked for, or the server restarts it."""
        return self.state.startswith(_ENDING)


class ApplyControl:
    """Starts and stops applies and waits until the server shows it."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def status(self, name: str, technology: Technology) -> ApplyStatus:
        """Read an apply's status.

        Raises:
            Unsupported: the destination has no such apply any more.
        """
        rows = self._session.run(variant("apply_status", technology), End.DESTINATION, apply_name=name)
        if not rows:
            raise Unsupported(
                _("{database} has no apply {name} any more; read the pipeline again").format(
                    database=self._session.server_of(End.DESTINATION), name=name
                )
            )
        row = rows[0]
        return ApplyStatus(STATUS.of(row), row.text("state"), row.text("error_message"), row.text("started_local"))

    def capture_started(self, name: str, technology: Technology) -> str:
        """Read when a capture that runs was started, "" where it stands."""
        rows = self._session.run(variant("capture_run", technology), End.SOURCE, capture_name=name)
        return rows[0].text("started_local") if rows else ""

    def await_capture(self, name: str, technology: Technology) -> None:
        """Wait until a capture runs that the server has start anew; raises ProcessDidNotRespond where it does not."""
        for _waited_s in polls(self._clock, CAPTURE_START_LIMIT_S):
            rows = self._session.run(variant("capture_run", technology), End.SOURCE, capture_name=name)
            if rows and doing_of("capture", rows[0].text("state")) not in (Doing.ABSENT, Doing.STARTING):
                return
        raise ProcessDidNotRespond(
            _("capture {name} did not start again within {minutes:.0f} minutes").format(
                name=name, minutes=CAPTURE_START_LIMIT_S / 60
            )
        )

    def start(self, name: str, technology: Technology) -> None:
        """Start an apply and wait until its coordinator runs; one that runs is left alone.

        One that is on its way down still reads ENABLED for a while: it is waited for, and then started.

        Raises:
            ProcessDidNotRespond: it does not run in time, or aborted; the sentence holds its error.
        """
        if self._after_ending(name, technology).status in STANDING:
            self._session.run("start_apply", End.DESTINATION, process_name=name)
        self.await_running(name, technology)

    def _after_ending(self, name: str, technology: Technology) -> ApplyStatus:
        """Wait until an apply is not on its way down; return it as it is then, or after the limit."""
        status = self.status(name, technology)
        for _waited_s in polls(self._clock, STOP_LIMIT_S):
            if not status.is_ending and (status.status == ENABLED or not status.state):
                break
            status = self.status(name, technology)
        return status

    def await_running(self, name: str, technology: Technology) -> None:
        """Wait until an apply's coordinator runs; raises ProcessDidNotRespond as `start` does."""
        status = ApplyStatus("", "", "")
        for waited_s in polls(self._clock, START_LIMIT_S):
            status = self.status(name, technology)
            if status.is_running:
                return
            # a start makes it ENABLED before it returns: one that reads DISABLED after it was stopped by another
            if status.status == ABORTED or (status.status == DISABLED and waited_s > _SHOWN_S):
                break
        raise ProcessDidNotRespond(
            _("apply {name} does not run ({status}); {error}").format(
                name=name, status=status.status, error=status.error or _("look at the alert log of its database")
            )
        )

    def stop(self, name: str, technology: Technology) -> bool:
        """Stop an apply, never by force, and wait until its coordinator is gone; one that stands is left alone.

        Returns whether it was asked to stop by this.

        Raises:
            ProcessDidNotRespond: it still runs after the limit.
        """
        status = self.status(name, technology)
        is_asked = status.status == ENABLED
        if is_asked:
            self._ask_to_stop(name)
        for _waited_s in polls(self._clock, STOP_LIMIT_S):
            if status.is_stopped:
                return is_asked
            status = self.status(name, technology)
        raise ProcessDidNotRespond(
            _("apply {name} still runs {limit:.0f} s after it was asked to stop; look at its servers").format(
                name=name, limit=STOP_LIMIT_S
            )
        )

    def _ask_to_stop(self, name: str) -> None:
        try:
            self._session.run("stop_apply", End.DESTINATION, process_name=name)
        except ProcessDidNotRespond:
            # ORA-26672: it could not stop within the procedure's own limit; whether it does later, its status tells
            return
