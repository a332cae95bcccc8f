"""A target: one place to run experiments on, with the ports of each system there."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.errors import Unsupported
from app.domain.ports import ServerChanges
from app.domain.statement import CataloguedStatement, ReadingCost
from app.foundation.asked import Asked
from app.foundation.clock import Clock
from app.foundation.texts import _


class Connection(Protocol):
    """An open way to the servers of one target, over which systems run their statements.

    Attributes:
        key: how to reach it again, as accepted by `--target`; holds no password.
        label: as a person calls it.
        engine: id of the driver's folder, such as "sqlserver".
        facts: what a report says of the connection, name and value: driver, sign-in, encryption; () for a lab.
        is_lab: the servers are simulated, in this process or in one of its own.
        simulates: id of the system a lab of this process simulates, "" for servers of their own.
        identity: tells its own server from others, whatever address it was reached by; "" where that is not known.
        asked: whose answer is awaited now.
        session: runs named statements, as the engine's systems know it.
    """

    key: str
    label: str
    engine: str
    facts: tuple[tuple[str, str], ...]
    simulates: str
    is_lab: bool
    clock: Clock
    identity: str
    asked: Asked
    session: Any

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement that may ever be sent there, by name."""
        ...

    def hold(self, owner: str) -> AbstractContextManager[None]:
        """Mark each server that is changed, at the server itself, as long as the context lasts.

        Args:
            owner: connections of one owner do not keep each other out.

        Raises:
            ServerBusy: on entering, or before a change: somebody else's experiment changes that server.
            TargetError: on entering: the mark could not be asked for.
        """
        ...

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Perform an action, and once more after waiting for late requests at the server that asked for it.

        A connection that was given up, for a cancel or a deadline, may have its request carried out later: what is read
        over another one until then is not final. Nothing is waited for where the end of each change is known.

        Args:
            of_earlier: what programs before this one sent may still arrive, too.

        Raises:
            MayStillArrive: a server has not ended such a connection in time.
            TargetError: what the action raises.
        """
        ...

    def reading_cost(self) -> tuple[ReadingCost, ...]:
        """Return the cost of this program's reading at each server so far, () where no counters are read."""
        ...

    def cancel(self) -> None:
        """End the statement that runs now, from any thread; it raises StatementCancelled. Later ones run."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


@dataclass(frozen=True)
class Offer:
    """The ports of one system on a target.

    Attributes:
        capabilities: ids, each explained by its system.
        ports: what the system's own parts work with; nobody else looks into it.
        changes: makes and undoes what was planned through the ports.
        kinds: kinds of change it knows.
        marks: kinds of object a session makes first and drops last, by which whoever comes after a lost one sees that
            what stands there is no original; each with the kinds it is kept for while one of them is not undone.
    """

    capabilities: frozenset[str]
    ports: Any
    changes: ServerChanges
    kinds: frozenset[str]
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)


class Gate:
    """Makes the changes of a run by itself; that of guided mode asks the client's DBA (`runner.by_hand.HandGate`).

    Attributes:
        is_by_hand: whether somebody else makes every change.
    """

    is_by_hand = False

    def changes(self, changes: ServerChanges) -> ServerChanges:
        """Return who makes and undoes these changes."""
        return changes

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
        """Stop or start the object of a change that stays open, and wait until it is so; `text` names it as {name}.

        Args:
            plan: returns the change whose script somebody else would run, that of its undo with `is_undo`.
            do: does it.
            is_done: reads whether it is done.
            is_stop: it stops the object, which may wait for what is changed meanwhile (`Asking`).
        """
        del text, plan, is_done, is_undo, is_stop
        do()

    def undone_soon(self) -> tuple[Change, ...]:
        """Return the changes whose undo was asked for and is not made yet: whoever plans takes it as made."""
        return ()


HANDS_ON: Final = Gate()


class Asking:
    """How changes of steps are asked for: by default they are made at once, and nobody is asked.

    In guided mode (`runner.asking`) those of steps that follow each other wait until a process is started with them,
    so that the client's DBA has one script for all.

    Attributes:
        waited_s: how long somebody was waited for so far.
        usual_wait_s: how long somebody takes for a script, as far as is known.
    """

    waited_s: float = 0.0
    usual_wait_s: float = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether something waits to be asked for with what follows."""
        return False

    def until(self, check: Callable[[], None]) -> None:
        """Have a wait for anything but an undo end where this raises: the time of the run is over."""

    def begin(self, *, joins: bool) -> None:
        """Begin a step; what waits is asked for first, unless the step joins it."""

    def settle(self, *, but_stops: bool = False) -> None:
        """Ask for what waits, and return when it is done; raises as a change does.

        Args:
            but_stops: where only stops wait, they wait on: what follows is planned from values alone.
        """

    def drop(self) -> None:
        """Ask for nothing of what waits: the trial has ended, and is undone."""

    def then(self, action: Callable[[], None]) -> None:
        """Do something once what was asked for so far is done."""
        action()

    def awaits(self, _change: Change) -> bool:
        """Tell whether a stop waits that this change describes, so that its object runs on until then."""
        return False


AT_ONCE: Final = Asking()


class Target:
    """One place to run experiments on: open servers with the ports of each system.

    Attributes:
        offers: by id of the system.
        saved_as: name it is saved under, "" for none.
        changes: makes and undoes what any of them planned.
        asked: whose answer is awaited now.
        marks: of all of them; see `Offer`.
        asking: how the changes of steps are asked for.
    """

    def __init__(
        self, connection: Connection, offers: Mapping[str, Offer], saved_as: str = "", asking: Asking = AT_ONCE
    ) -> None:
        self._connection = connection
        self.offers: Final = offers
        self.saved_as: Final = saved_as
        self.asking: Final = asking
        self.key: Final = connection.key
        self.label: Final = connection.label
        self.engine: Final = connection.engine
        self.connection: Final = connection.facts
        self.is_lab: Final = connection.is_lab
        self.clock: Final = connection.clock
        self.identity: Final = connection.identity
        self.asked: Final = connection.asked
        self.changes: Final[ServerChanges] = ChangesOfSystems(offers)
        self.marks: Final = {kind: kept_for for offer in offers.values() for kind, kept_for in offer.marks.items()}

    @property
    def capabilities(self) -> frozenset[str]:
        """Return the capabilities of all systems together."""
        return frozenset[str]().union(*(offer.capabilities for offer in self.offers.values()))

    def ports(self, system_id: str) -> Any:
        """Return the ports that a system's own parts work with.

        Raises:
            Unsupported: this target does not offer it.
        """
        if system_id not in self.offers:
            raise Unsupported(_("this target does not offer {capability}").format(capability=system_id))
        return self.offers[system_id].ports

    @property
    def open_connection(self) -> Connection:
        """The connection it stands on."""
        return self._connection

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement this target may ever send, by name."""
        return self._connection.statements()

    def hold(self, owner: str) -> AbstractContextManager[None]:
        """Mark each server that is changed, at the server itself; see `Connection.hold`."""
        return self._connection.hold(owner)

    def after_late_requests(self, action: Callable[[], None], *, of_earlier: bool) -> None:
        """Do something with nothing left that may still arrive; see `Connection.after_late_requests`."""
        self._connection.after_late_requests(action, of_earlier=of_earlier)

    def reading_cost(self) -> tuple[ReadingCost, ...]:
        """Return the cost of this program's reading at each server so far; see `Connection.reading_cost`."""
        return self._connection.reading_cost()

    def cancel(self) -> None:
        """End the statement that runs now, from any thread; it raises StatementCancelled. Later ones run."""
        self._connection.cancel()

    def close(self) -> None:
        """Close every connection."""
        self._connection.close()


class ChangesOfSystems:
    """The ServerChanges port over those of several systems: each change goes to the system that knows its kind."""

    def __init__(self, offers: Mapping[str, Offer]) -> None:
        self._offers = tuple(offers.values())

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the processes that the changes of each system concern; return those that resist."""
        return tuple(held for offer, own in self._by_system(changes) for held in offer.changes.quiesce(own))

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes that `quiesce` would make now."""
        return tuple(planned for offer, own in self._by_system(changes) for planned in offer.changes.plan_quiesce(own))

    def apply(self, change: Change) -> Change | None:
        """Send the change and read it back."""
        return self._changes(change).apply(change)

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; does nothing where it is already there."""
        self._changes(change).undo(change)

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether the change is in effect."""
        return self._changes(change).is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect."""
        return self._changes(change).is_undone(change)

    def process_of(self, change: Change) -> OfProcess | None:
        """Return the process whose start makes the change count, or that it stopped."""
        return self._changes(change).process_of(change)

    def run_of(self, change: Change) -> str:
        """Read which run the process of the change is in."""
        return self._changes(change).run_of(change)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Have the process of the change start anew where the server does so by itself."""
        return self._changes(change).restart(change, make, take_back)

    def _by_system(self, changes: Sequence[Change]) -> list[tuple[Offer, list[Change]]]:
        changes_of_offers = [
            (offer, [change for change in changes if change.kind in offer.kinds]) for offer in self._offers
        ]
        return [(offer, own) for offer, own in changes_of_offers if own]

    def _changes(self, change: Change) -> ServerChanges:
        for offer in self._offers:
            if change.kind in offer.kinds:
                return offer.changes
        raise Unsupported(
            _('this program does not know changes of kind "{kind}"; use the newer one that made it').format(
                kind=change.kind
            )
        )
