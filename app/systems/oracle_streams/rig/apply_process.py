"""Stopping and starting the apply process of one pipeline under the journal."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.target import Target
from app.runner.bench.rig import StepRig
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.disturbances import ABORTED, ENABLED, ended

_APPLY: Final = "apply"


@dataclass(frozen=True)
class ApplyProcess:
    """The apply process of a path; it is found running, so that only its first stop is a change."""

    target: Target
    path: StreamsPath

    def marks(self) -> Iterable[Change]:
        """Return nothing: the test table marks the leftovers of a session."""
        return ()

    def planned(self, *, running: bool) -> Iterable[Change]:
        """Return the change "apply stopped" for a stop."""
        return () if running else streams_port(self.target).plan_restart(self.path)

    def start(self) -> None:
        """Start it and wait until its coordinator runs."""
        streams_port(self.target).start_apply(self.path)

    def stop(self) -> None:
        """Stop it and wait until its coordinator is gone."""
        streams_port(self.target).stop_apply(self.path)


class _Stopped:
    """Whether this run has the apply process stopped."""

    now = False

    def forget(self) -> None:
        """Start afresh after a restore: it runs."""
        self.now = False


def stop(rig: StepRig[StreamsPath]) -> None:
    """Stop the apply process and wait until it has stopped.

    Raises:
        Disturbed: it does not run, though it was found running or this run had started it.
    """
    now = streams_port(rig.at.target).sample(rig.at.members)
    if now.apply_status != ENABLED:
        leave_as(rig, now)
        raise ended(rig.at.members.apply, now.apply_status)
    rig.kept(_Stopped).now = True
    rig.board.switch(_APPLY, _process(rig), running=False)


def start(rig: StepRig[StreamsPath]) -> None:
    """Start it and wait until it runs."""
    rig.board.switch(_APPLY, _process(rig), running=True)
    rig.kept(_Stopped).now = False


def start_if_stopped(rig: StepRig[StreamsPath]) -> None:
    """Start it where this run has it stopped."""
    if rig.kept(_Stopped).now:
        start(rig)


def leave_as(rig: StepRig[StreamsPath], now: StreamsSample) -> None:
    """Have it not started again where somebody else stopped or dropped it; one that was aborted is started."""
    if now.apply_status not in (ENABLED, ABORTED):
        rig.board.leave(_APPLY)


def _process(rig: StepRig[StreamsPath]) -> ApplyProcess:
    return ApplyProcess(rig.at.target, rig.at.members)
