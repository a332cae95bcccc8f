"""Starting and stopping an apply, awaited: the procedures return before the processes have followed."""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import AgentDidNotRespond, Unsupported
from app.domain.streams import Technology
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.targets.oracle.polling import polls
from app.targets.oracle.session import End, Session

# A large transaction that is being applied is rolled back first.
STOP_LIMIT_S: Final = 3_600.0
START_LIMIT_S: Final = 300.0
_SUFFIX: Final = {Technology.STREAMS: "", Technology.GOLDENGATE: "_goldengate", Technology.XSTREAM: "_xstream"}


def variant(statement: str, technology: Technology) -> str:
    """Return the name of a statement's variant for the views of a technology."""
    return statement + _SUFFIX[technology]


@dataclass(frozen=True)
class ApplyStatus:
    """An apply now: "ENABLED", "DISABLED" or "ABORTED"; what its coordinator does, "" where none runs; its error."""

    status: str
    state: str
    error: str


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
        return ApplyStatus(rows[0].text("status"), rows[0].text("state"), rows[0].text("error_message"))

    def start(self, name: str, technology: Technology) -> None:
        """Start an apply and wait until its coordinator runs; one that runs is left alone.

        Raises:
            AgentDidNotRespond: it does not run in time, or aborted; the sentence holds its error.
        """
        if self.status(name, technology).status != "ENABLED":
            self._session.run("start_apply", End.DESTINATION, process_name=name)
        self.await_running(name, technology)

    def await_running(self, name: str, technology: Technology) -> None:
        """Wait until an apply's coordinator runs; raises AgentDidNotRespond as `start` does."""
        found = ApplyStatus("", "", "")
        for _waited_s in polls(self._clock, START_LIMIT_S):
            found = self.status(name, technology)
            if found.status == "ABORTED":
                break
            if found.status == "ENABLED" and found.state and not found.state.startswith("INITIALIZING"):
                return
        raise AgentDidNotRespond(
            _("apply {name} does not run ({status}); {error}").format(
                name=name, status=found.status, error=found.error or _("look at the alert log of its database")
            )
        )

    def stop(self, name: str, technology: Technology) -> None:
        """Stop an apply, never by force, and wait until its coordinator is gone; one that stands is left alone.

        Raises:
            AgentDidNotRespond: it still runs after the limit.
        """
        found = self.status(name, technology)
        if found.status == "ENABLED":
            self._ask_to_stop(name)
        for _waited_s in polls(self._clock, STOP_LIMIT_S):
            if found.status != "ENABLED" and not found.state:
                return
            found = self.status(name, technology)
        raise AgentDidNotRespond(
            _("apply {name} still runs {limit:.0f} s after it was asked to stop; look at its servers").format(
                name=name, limit=STOP_LIMIT_S
            )
        )

    def _ask_to_stop(self, name: str) -> None:
        try:
            self._session.run("stop_apply", End.DESTINATION, process_name=name)
        except AgentDidNotRespond:
            # ORA-26672: it could not stop within the procedure's own limit; whether it does later, its status tells
            return
