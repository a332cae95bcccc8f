"""Parameters and the apply process of one pipeline, put where a trial needs them under the journal."""

from app.domain.change import Change, LeftAs
from app.domain.rig import RigParts
from app.domain.setting import Value
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.disturbances import ABORTED, ENABLED, ended


class ParameterSwitch:
    """Gives parameters their values; of each, one change is open at most, from the value that was found."""

    def __init__(self, parts: RigParts, path: StreamsPath) -> None:
        self._parts = parts
        self._path = path
        self._open: dict[str, tuple[Change, ...]] = {}
        self._values: dict[str, Value] = {}

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        self._open.clear()
        self._values.clear()

    def set(self, name: str, value: Value) -> None:
        """Give a parameter a value and read it back: the open change is taken back first, so that undo is one step."""
        if self._values.get(name) == value:
            return
        self.take_back(name)
        self.apply(name, streams_port(self._parts.target).plan_parameter(self._path, name, value))
        self._values[name] = value

    def apply(self, name: str, planned: tuple[Change, ...]) -> None:
        """Apply changes that stay until the run ends or they are taken back."""
        done: list[Change] = []
        for change in planned:
            done.append(change)
            self._open[name] = tuple(done)
            self._parts.changer.apply(change)

    def take_back(self, name: str) -> None:
        """Put back what is open under a name."""
        self._values.pop(name, None)
        if name in self._open:
            self._parts.changer.take_back(self._open[name])
            del self._open[name]

    def is_open(self, name: str) -> bool:
        """Tell whether a change under this name is open."""
        return name in self._open


class ApplySwitch:
    """Stops and starts the apply process; the first stop goes through the journal, so that undo starts it again."""

    def __init__(self, parts: RigParts, path: StreamsPath) -> None:
        self._parts = parts
        self._path = path
        self._journalled: tuple[Change, ...] = ()
        self.is_stopped = False

    def forget(self) -> None:
        """Start afresh after a restore: the apply process runs, the next stop is journalled again."""
        self._journalled = ()
        self.is_stopped = False

    def stop(self) -> None:
        """Stop it and wait until it has stopped.

        Raises:
            Disturbed: it does not run, though it was found running or this run had started it.
        """
        now = streams_port(self._parts.target).sample(self._path)
        if now.apply_status != ENABLED:
            self.leave_as(now)
            raise ended(self._path.apply, now.apply_status)
        self.is_stopped = True
        if self._journalled:
            self._note_left(LeftAs.NEW)
            streams_port(self._parts.target).stop_apply(self._path)
            return
        self._journalled = streams_port(self._parts.target).plan_restart(self._path)
        for change in self._journalled:
            self._parts.changer.apply(change)

    def leave_as(self, now: StreamsSample) -> None:
        """Have it not started again where somebody else stopped or dropped it; one that was aborted is started."""
        if now.apply_status not in (ENABLED, ABORTED):
            self._parts.changer.leave(self._journalled)

    def start(self) -> None:
        """Start it and wait until it runs."""
        streams_port(self._parts.target).start_apply(self._path)
        self._note_left(LeftAs.ORIGINAL)
        self.is_stopped = False

    def _note_left(self, how: LeftAs) -> None:
        for change in self._journalled:
            self._parts.changer.note_left(change, how)
