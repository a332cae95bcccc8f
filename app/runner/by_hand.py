"""Guided mode: changes are handed to the client's DBA as scripts, and read back until the server shows them.

Reading stays with the program; nothing that changes a server is sent by it.

It denies by default: statements whose header says that they read are sent, and those of the load a system names; any
other is refused by name, whoever asks for it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.errors import Unsupported
from app.domain.ports import ServerChanges
from app.domain.rig import Control
from app.domain.statement import Access, CataloguedStatement, ReadingCost
from app.domain.system import System
from app.domain.target import Connection, Gate, Target
from app.foundation.texts import _
from app.runner.asking import HandAsking, HandDesk, Part


class ChangesByHand:
    """Changes that somebody else makes: the ServerChanges port over another one that only reads."""

    def __init__(self, changes: ServerChanges, asking: HandAsking, control: Control) -> None:
        self._changes = changes
        self._asking = asking
        self._control = control

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Have the processes concerned stopped, so that the originals count from their next start.

        Raises:
            NotDoneByHand: nobody is going to run the script.
        """
        for change in self.plan_quiesce(changes):
            self._obtain(change.subject, change.apply_sql, change, self._changes.is_applied, undo=True)
        return ()

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes that `quiesce` asks for."""
        return self._changes.plan_quiesce(changes)

    def apply(self, change: Change) -> None:
        """Have the change made, and read it back; raises RunCancelled where a cancel came first."""
        title = _("{subject}: {before} → {now}").format(
            subject=change.subject, before=change.original or "–", now=change.new or "–"
        )
        self._obtain(title, change.apply_sql, change, self._changes.is_applied, undo=False)

    def undo(self, change: Change) -> None:
        """Have the original put back, and read it back; raises TargetError where nobody will."""
        title = _("Undo {subject}: {before} → {now}").format(
            subject=change.subject, before=change.new or "–", now=change.original or "–"
        )
        self._obtain(title, change.undo_sql, change, self._changes.is_undone, undo=True)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the change is in effect."""
        return self._changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Tell whether the original is in effect."""
        return self._changes.is_undone(change)

    def process_of(self, change: Change) -> OfProcess | None:
        """Return the process whose start makes the change count, or that it stopped."""
        return self._changes.process_of(change)

    def run_of(self, change: Change) -> str:
        """Read which run the process of the change is in."""
        return self._changes.run_of(change)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Have the process of the change start anew by changes that somebody else makes."""
        return self._changes.restart(change, make, take_back)

    def _obtain(
        self, title: str, script: str, change: Change, is_there: Callable[[Change], bool], *, undo: bool
    ) -> None:
        # putting back goes on after a cancel
        check = _nothing if undo else self._control.check
        is_stop = not undo and (of := self._changes.process_of(change)) is not None and of.is_stop
        part = Part(title, script, partial(is_there, change), change, is_undo=undo, is_stop=is_stop)
        self._asking.ask(part, self._changes, check)


class HandGate(Gate):
    """The gate of every change of a guided run: somebody else makes it, and the server is read until it shows.

    It denies by default: over its connection only statements declared as reading are sent, and those of the system's
    own load; a part of a system that was not made for guided work is refused by its session, whatever it is.
    """

    is_by_hand = True

    def __init__(self, asking: HandAsking, control: Control) -> None:
        self._asking = asking
        self._control = control
        self._changes: ServerChanges | None = None

    def changes(self, changes: ServerChanges) -> ServerChanges:
        """Return changes that somebody else makes."""
        self._changes = changes
        return ChangesByHand(changes, self._asking, self._control)

    def switch(
        self,
        text: str,
        plan: Callable[[], Change],
        do: Callable[[], object],
        is_done: Callable[[Change], bool],
        *,
        is_undo: bool = False,
        is_stop: bool = False,
    ) -> None:
        """Have the object of a change stopped or started, and wait until it is; see `Gate`."""
        del do
        change = plan()
        self._obtain(text, change, change.undo_sql if is_undo else change.apply_sql, is_done, is_stop=is_stop)

    def undone_soon(self) -> tuple[Change, ...]:
        """Return the changes whose undo waits to be asked for with others."""
        return self._asking.undone_soon()

    def _obtain(
        self, text: str, change: Change, script: str, is_done: Callable[[Change], bool], *, is_stop: bool
    ) -> None:
        part = Part(text.format(name=change.subject), script, partial(is_done, change), change, is_stop=is_stop)
        self._asking.ask(part, self._changes, self._control.check, now=not is_stop)


class ReadingSession:
    """A session that sends only statements declared as reading, and those of a system's own load.

    Args:
        session: of any engine; runs statements by name.
        access: what each statement of the catalogue does, by name.
        load: names of the changing statements that write the load of a trial and nothing else.
    """

    def __init__(self, session: Any, access: Mapping[str, Access], load: Collection[str]) -> None:
        self._session = session
        self._access = access
        self._load = frozenset(load)

    def run(self, name: str, place: Any, **parameters: Any) -> Any:
        """Run a statement of the catalogue.

        Raises:
            Unsupported: it is not declared as reading.
        """
        if self._access.get(name) is not Access.READ and name not in self._load:
            raise Unsupported(
                _("{statement} changes the server and is not sent while somebody else makes every change").format(
                    statement=name
                )
            )
        return self._session.run(name, place, **parameters)

    @property
    def own_server(self) -> str:
        """Name of the server the session was opened with."""
        name: str = self._session.own_server
        return name

    @property
    def database(self) -> str:
        """The database the target names, "" where it names none."""
        name: str = self._session.database
        return name

    def server_of(self, end: Any) -> str:
        """Return how a person writes a database."""
        server: str = self._session.server_of(end)
        return server


class ReadingConnection:
    """An open connection with a session that only reads; see `ReadingSession`. All else is that of the connection."""

    def __init__(self, connection: Connection, session: ReadingSession) -> None:
        self.key = connection.key
        self.label = connection.label
        self.engine = connection.engine
        self.facts = connection.facts
        self.simulates = connection.simulates
        self.is_lab = connection.is_lab
        self.clock = connection.clock
        self.identity = connection.identity
        self.asked = connection.asked
        self.session: Any = session
        self.connection = connection

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement that may ever be sent there, by name."""
        return self.connection.statements()

    def hold(self, owner: str) -> AbstractContextManager[None]:
        """Mark the server as that of an experiment, which changes nothing there."""
        return self.connection.hold(owner)

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do something with nothing left that an earlier program sent."""
        self.connection.after_late_requests(action, of_earlier=of_earlier)

    def reading_cost(self) -> tuple[ReadingCost, ...]:
        """Return the cost of reading at each server so far."""
        return self.connection.reading_cost()

    def cancel(self) -> None:
        """End the statement that runs now."""
        self.connection.cancel()

    def close(self) -> None:
        """Close every connection."""
        self.connection.close()


def by_hand(
    target: Target, systems: Iterable[System], desk: HandDesk, control: Control, server: str, *, loads: bool = True
) -> Target:
    """Return a target of some systems whose changes are asked of the client's DBA.

    Args:
        server: where scripts are to be run, for a person.
        loads: whether the load of a trial is written; nothing is changed by the program itself without.
    """
    own = tuple(systems)
    access = {statement.name: statement.access for statement in target.statements()}
    connection = target.open_connection
    load = frozenset[str]().union(*(system.load_statements for system in own)) if loads else frozenset[str]()
    reading = ReadingConnection(connection, ReadingSession(connection.session, access, load))
    asking = HandAsking(desk, target.clock, control, server)
    gate = HandGate(asking, control)
    return Target(reading, {system.system_id: system.by_hand(reading, gate) for system in own}, asking=asking)


def _nothing() -> None:
    """A restore waits for nothing else."""
