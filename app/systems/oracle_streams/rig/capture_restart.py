"""Having the capture process start anew, so that a parameter that counts from its start is in effect.

The server stops and starts a capture process by itself when PARALLELISM changes (Oracle Database PL/SQL Packages and
Types Reference, DBMS_CAPTURE_ADM.SET_PARAMETER); so it is changed by one and put back.
"""

from typing import Final

from app.domain.change import Change
from app.domain.errors import ProcessDidNotRespond
from app.domain.rig import RigParts
from app.foundation.texts import _
from app.runner.bench.rig import Bench, StepRig
from app.runner.control import let_pass
from app.systems.oracle_streams.analysis.stages import Doing, doing_of
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.rig.disturbances import ENABLED, ended
from app.systems.oracle_streams.rig.path import streams_site

CAPTURE_PARALLELISM: Final = "CAPTURE_PARALLELISM"
_RESTART: Final = "capture restart"
START_LIMIT_S: Final = 900.0
_TICK_S: Final = 2.0

_STOPPED_BY_OTHERS_S: Final = 60.0
"""A restart by the server enables the process again at once; one that is left not enabled for so long was stopped."""
_NOT_YET: Final = (Doing.ABSENT, Doing.STARTING)


def plan_capture_restart(at: Bench[StreamsPath]) -> tuple[Change, ...]:
    """Return the change of the capture's PARALLELISM by which it is started anew."""
    parallelism = streams_site(at.site).parameters.get(CAPTURE_PARALLELISM)
    now = int(parallelism.value) if parallelism is not None and parallelism.value.isdigit() else 1
    return streams_port(at.target).plan_parameter(at.members, CAPTURE_PARALLELISM, now + 1)


def restart_capture(rig: StepRig[StreamsPath]) -> None:
    """Change the capture's PARALLELISM and put it back, each time waiting until it runs again.

    Raises:
        ProcessDidNotRespond: it did not start again in time.
        Disturbed: it is not enabled any more.
    """
    rig.board.make(_RESTART, plan_capture_restart(rig.at))
    _await_capture(rig.parts, rig.at.members)
    rig.board.take_back(_RESTART)
    _await_capture(rig.parts, rig.at.members)


def _await_capture(parts: RigParts, path: StreamsPath) -> None:
    clock = parts.target.clock
    enabled_s = clock.monotonic_s()
    until_s = enabled_s + START_LIMIT_S
    while clock.monotonic_s() < until_s:
        let_pass(_TICK_S, clock, parts.control)
        sample = streams_port(parts.target).sample(path)
        if doing_of("capture", dict(sample.states).get("capture", "")) not in _NOT_YET:
            return
        if sample.capture_status == ENABLED:
            enabled_s = clock.monotonic_s()
        elif clock.monotonic_s() - enabled_s > _STOPPED_BY_OTHERS_S:
            raise ended(path.capture, sample.capture_status)
    raise ProcessDidNotRespond(
        _("capture {name} did not start again within {minutes:.0f} minutes").format(
            name=path.capture, minutes=START_LIMIT_S / 60
        )
    )
