"""The changes of one run, each under its purpose: made once, switched back and forth, or undone with its trial."""

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol

from app.domain.change import Change, LeftAs
from app.domain.rig import Changer
from app.domain.setting import Value
from app.domain.target import AT_ONCE, Asking


class Process(Protocol):
    """A process that a run starts and stops; both wait until the server shows it."""

    def marks(self) -> Iterable[Change]:
        """Return the changes made before its first start or stop, so that others see whose it is."""
        ...

    def planned(self, *, running: bool) -> Iterable[Change]:
        """Return the changes that its first start or stop in a run makes, () where it is switched without one."""
        ...

    def start(self) -> None:
        """Start it; raises TargetError."""
        ...

    def stop(self) -> None:
        """Stop it; raises TargetError."""
        ...


class Switchboard:
    """Makes the changes of a run and knows which of them are open; used by one thread."""

    def __init__(self, changer: Changer, asking: Asking = AT_ONCE) -> None:
        self._changer = changer
        self._asking = asking
        self._open: dict[Hashable, tuple[Change, ...]] = {}
        self._values: dict[Hashable, Value] = {}
        self._found: dict[Hashable, Value] = {}
        self._switched: dict[Hashable, tuple[tuple[Change, ...], bool]] = {}

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found, and the next stop is a change again."""
        self._open.clear()
        self._values.clear()
        self._found.clear()
        self._switched.clear()

    def make(self, of: Hashable, planned: Iterable[Change]) -> None:
        """Make changes that stay until they are taken back or the run ends; each is planned once the last is made."""
        for change in planned:
            self._open[of] = (*self._open.get(of, ()), change)
            self._changer.apply(change)

    def make_once(self, of: Hashable, plan: Callable[[], Iterable[Change]]) -> None:
        """Make changes unless some are open under that name."""
        if of not in self._open:
            self.make(of, plan())

    def to_and_fro(self, of: Hashable, plan: Callable[[], Iterable[Change]]) -> None:
        """Give something the other of its two values: where a change is open, the one it was found with."""
        if of in self._open:
            self.take_back(of)
        else:
            self._asking.settle(but_stops=True)  # planned from what stands there then
            self.make(of, plan())

    def set(self, of: Hashable, value: Value, plan: Callable[[], Iterable[Change]]) -> None:
        """Give something one of several values; the open change is taken back first, so that undo is one step."""
        self.set_all([(of, value, plan)])

    def set_all(
        self, wanted: Iterable[tuple[Hashable, Value, Callable[[], Iterable[Change]]]], *, foresees: bool = False
    ) -> None:
        """Give several things their values, as `set` does; all open changes are taken back before the first is made.

        Args:
            foresees: what is planned takes a change as undone whose undo was only asked for (`Gate.undone_soon`).
        """
        others = [one for one in wanted if self._values.get(one[0]) != one[1]]
        for of, _value, _plan in others:
            self.take_back(of)
        for of, value, plan in others:
            if of not in self._found or self._found[of] != value:
                if not foresees:
                    self._asking.settle(but_stops=True)  # planned from what stands there then
                self.make(of, plan())
                if of not in self._open:
                    self._found[of] = value
            self._values[of] = value

    def take_back(self, of: Hashable) -> None:
        """Undo the open changes under a name, newest first."""
        self._values.pop(of, None)
        if of in self._open:
            self._changer.take_back(self._open[of])
            del self._open[of]

    def switch(self, of: Hashable, process: Process, *, running: bool) -> None:
        """Start or stop a process: the first time as a change, later under its entry, which tells how it was left."""
        is_first = of not in self._switched
        for mark in process.marks() if is_first else ():
            self._changer.apply(mark)
        if is_first:  # what is planned next may be of an object made by them
            self._asking.settle(but_stops=True)
        if is_first and (planned := tuple(process.planned(running=running))):
            self._switched[of] = (planned, running)
            for change in planned:
                self._changer.apply(change)
            if running:  # that it was made is known from now on
                self._asking.settle()
                self._note_left(of, running=True)
        elif running:
            process.start()
            self._note_left(of, running=True)
        else:
            self._note_left(of, running=False)
            process.stop()

    def leave(self, of: Hashable) -> None:
        """Have a process neither started nor stopped any more: it is as somebody else decided."""
        if of in self._switched:
            self._changer.leave(self._switched[of][0])

    def _note_left(self, of: Hashable, *, running: bool) -> None:
        changes, first = self._switched.get(of, ((), running))
        for change in changes:
            self._changer.note_left(change, LeftAs.NEW if running is first else LeftAs.ORIGINAL)
