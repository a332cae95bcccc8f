"""The changes of one run, each under what it is for: made once, put to and fro, or taken back with its trial."""

from collections.abc import Callable, Hashable, Iterable

from app.domain.change import Change
from app.domain.rig import Changer


class Switchboard:
    """Makes the changes of a run and knows which of them are open; used by one thread."""

    def __init__(self, changer: Changer) -> None:
        self._changer = changer
        self._open: dict[Hashable, tuple[Change, ...]] = {}

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        self._open.clear()

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
            self.make(of, plan())

    def take_back(self, of: Hashable) -> None:
        """Put back what is open under a name, newest first."""
        if of in self._open:
            self._changer.take_back(self._open[of])
            del self._open[of]
